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

/** Milliseconds in which the last of it may be sent when the shop stops. */
const LAST_MS = 3_000
/** Milliseconds between two words in the log about traces that could not be sent. */
const TOLD_MS = 60_000

type Environment = Record<string, string | undefined>

/**
 * Traces as OpenTelemetry has them, sent over OTLP. The exporter reads its own standard variables (address, headers,
 * certificates, time limit, compression); of the SDK's those of sampling, batches and resources are read.
 */
export function openTraces(env: Environment, log: (line: string) => void): Traces {
  diag.setLogger(tellSeldom(log), DiagLogLevel.WARN)
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
      // Anybody can send `traceparent`, and say there that nothing is to be traced: a proxy is believed, a client is not.
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
      // Neither address nor search words, neither who asks nor from where: only what kind of thing it was.
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
    // Every value in it is $1.
    'db.query.text': text,
    ...(failed === undefined ? {} : { 'error.type': failed || 'unknown' }),
  },
})

/** Sampling as OTEL_TRACES_SAMPLER says; without a word everything, or as a trusted proxy has decided. */
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

/** A collector that is away would fill the log with the same words. */
function tellSeldom(log: (line: string) => void) {
  let told = Number.NEGATIVE_INFINITY
  const tell = (message: string) => {
    if (performance.now() - told < TOLD_MS) return
    told = performance.now()
    // Of an error it hands over everything, as JSON.
    log(`Traces: ${/"message":"([^"]*)"/.exec(message)?.[1] ?? message}`)
  }
  return { error: tell, warn: tell, info: tell, debug: tell, verbose: tell }
}
