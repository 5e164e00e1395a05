import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import { nameOf, type Statement } from './query-log.ts'
import { routeOf } from './request-context.ts'
import type { Traces } from './traces.ts'

/** How long the remaining spans may take to be exported at the end, milliseconds. */
const LAST_MS = 3_000
/** Interval between two log lines about failed exports, milliseconds. */
const LOG_INTERVAL_MS = 60_000

type Environment = Record<string, string | undefined>

/**
 * Opens traces that OpenTelemetry exports over OTLP. The exporter reads its own standard variables (endpoint, headers,
 * certificates, timeout, compression); of the variables of the SDK, those for sampling, batches and resources are read.
 * @param log receives a line when an export fails, once a minute at most
 */
export function openTraces(env: Environment, log: (line: string) => void): Traces {
  diag.setLogger(throttledLogger(log), DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter()
  const batches = new BatchSpanProcessor({ exporter, ...batchesOf(env) })
  const resource = resourceFromAttributes({ 'service.name': 'shop', 'host.name': hostname() }).merge(
    detectResources({
      detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
    }),
  )
  const provider = new TracerProvider({ resource, sampler: samplerOf(env), spanProcessors: [batches] })
  const tracer = provider.getTracer('shop')
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<FastifyRequest, { span: Span; context: Context }>()
  return {
    begin(request) {
      // The header `traceparent` is trusted from a proxy only: a client could switch its own trace off.
      const from =
        request.server.config.trustProxy > 0
          ? propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
          : ROOT_CONTEXT
      const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol }
      const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, from)
      spans.set(request, { span, context: trace.setSpan(from, span) })
    },
    end(request, status) {
      const { span } = spans.get(request) ?? {}
      if (!span) return
      spans.delete(request)
      // No URL, user or IP address: only the route and the status.
      const route = routeOf(request)
      span.updateName(`${request.method} ${route}`)
      span.setAttributes({ 'http.route': route, 'shop.request.id': request.id })
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (status === undefined || status >= 500) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', status === undefined ? 'aborted' : String(status))
      }
      span.end()
    },
    statement(request, statement) {
      const parent = spans.get(request)
      if (!parent?.span.isRecording()) return
      const span = tracer.startSpan(nameOf(statement.text), spanOf(statement), parent.context)
      if (statement.failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(statement.began + statement.took)
    },
    idOf: request => spans.get(request)?.span.spanContext().traceId,
    async close() {
      const late = new AbortController()
      const ended = provider
        .shutdown()
        .catch(({ message }: Error) => diag.warn(`the last of them were not sent: ${message}`))
      await Promise.race([ended, sleep(LAST_MS, undefined, { signal: late.signal }).catch(() => {})])
      late.abort()
    },
  }
}

const spanOf = ({ text, began, failed }: Statement) => ({
  kind: SpanKind.CLIENT,
  startTime: began,
  attributes: {
    'db.system.name': 'postgresql',
    'db.query.summary': nameOf(text),
    // Without values: they are $1, $2, …
    'db.query.text': text,
    ...(failed === undefined ? {} : { 'error.type': failed || 'unknown' }),
  },
})

/** The sampler of OTEL_TRACES_SAMPLER. By default everything is traced, unless a trusted proxy has decided otherwise. */
function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Environment): Sampler {
  const name = OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const given = Number(OTEL_TRACES_SAMPLER_ARG || 1)
  const part = given >= 0 && given <= 1 ? given : 1
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(part),
  }
  const root = samplers[name.replace(/^parentbased_/, '')]
  if (!root) diag.warn(`OTEL_TRACES_SAMPLER=${name} is not known here: everything is traced`)
  const sampler = (root ?? samplers.always_on!)()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root: sampler }) : sampler
}

function batchesOf(env: Environment) {
  const numberOf = (name: string) => {
    const value = Number(env[name])
    return env[name] && Number.isInteger(value) && value > 0 ? value : undefined
  }
  return {
    scheduledDelayMillis: numberOf('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: numberOf('OTEL_BSP_EXPORT_TIMEOUT'),
    maxQueueSize: numberOf('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: numberOf('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  }
}

/** A logger that writes one line a minute at most, since a collector that is down would fill the log. */
function throttledLogger(log: (line: string) => void) {
  let last = Number.NEGATIVE_INFINITY
  const write = (message: string) => {
    if (performance.now() - last < LOG_INTERVAL_MS) return
    last = performance.now()
    // The SDK passes errors as JSON.
    log(`Traces: ${/"message":"([^"]*)"/.exec(message)?.[1] ?? message}`)
  }
  return { error: write, warn: write, info: write, debug: write, verbose: write }
}
