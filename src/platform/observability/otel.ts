import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
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
import { throttle } from '../async/throttle.ts'
import { statementName } from './query-log.ts'
import { currentRequest, routeOf } from './request-context.ts'
import type { Environment, Traces } from './traces.ts'

/** How long the remaining spans may take to be exported at the end, milliseconds. */
const SHUTDOWN_MS = 3_000
/** Requests of monitoring are not traced. */
const UNTRACED = /^\/(healthz|readyz|metrics)\/?(\?|$)/
const FAILED = { code: SpanStatusCode.ERROR }
/** Interval between two log lines about failed exports, milliseconds. */
const LOG_INTERVAL_MS = 60_000

/**
 * Opens traces that OpenTelemetry exports over OTLP. The exporter reads its own standard variables (endpoint, headers,
 * certificates, timeout, compression); of the variables of the SDK, those for sampling, batches and resources are read.
 * @param log receives a line when an export fails, once a minute at most
 */
export function openTraces(env: Environment, log: (line: string) => void): Traces {
  diag.setLogger(throttledLogger(log), DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter()
  const batches = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: positive(env.OTEL_BSP_SCHEDULE_DELAY),
    exportTimeoutMillis: positive(env.OTEL_BSP_EXPORT_TIMEOUT),
    maxQueueSize: positive(env.OTEL_BSP_MAX_QUEUE_SIZE),
    maxExportBatchSize: positive(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE),
  })
  const resource = resourceFromAttributes({ 'service.name': 'shop', 'host.name': hostname() }).merge(
    detectResources({
      detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
    }),
  )
  const provider = new TracerProvider({ resource, sampler: samplerOf(env), spanProcessors: [batches] })
  const tracer = provider.getTracer('shop')
  const propagator = new W3CTraceContextPropagator()
  /** The span of a request, as the context of its statements. */
  const contexts = new WeakMap<FastifyRequest, Context>()
  /** @param status of the response; undefined if the client closed the connection before */
  const end = (request: FastifyRequest, status: number | undefined) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT)
    if (!span) return
    contexts.delete(request)
    // No URL, user or IP address: only the route and the status.
    const route = routeOf(request)
    span.updateName(`${request.method} ${route}`)
    span.setAttributes({ 'http.route': route, 'shop.request.id': request.id })
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500)
      span.setStatus(FAILED).setAttribute('error.type', status === undefined ? 'aborted' : String(status))
    span.end()
  }
  return {
    register(app, statements) {
      app.addHook('onRequest', (request, _reply, done) => {
        if (UNTRACED.test(request.url)) return done()
        // The header `traceparent` is trusted from a proxy only: a client could switch its own trace off.
        const from =
          app.config.trustProxy > 0
            ? propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
            : ROOT_CONTEXT
        const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol }
        const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, from)
        contexts.set(request, trace.setSpan(from, span))
        // So that the log lines of a trace can be found.
        request.log = request.log.child({ trace_id: span.spanContext().traceId })
        done()
      })
      app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode))
      app.addHook('onRequestAbort', async request => end(request, undefined))
      for (const each of statements)
        each.on('statement', ({ text, began, took, errorCode }) => {
          const request = currentRequest()
          const context = request && contexts.get(request)
          if (!context || !trace.getSpan(context)?.isRecording()) return
          const name = statementName(text)
          const attributes = {
            'db.system.name': 'postgresql',
            'db.query.summary': name,
            // Without values: they are $1, $2, …
            'db.query.text': text,
          }
          const options = { kind: SpanKind.CLIENT, startTime: began, attributes }
          const span = tracer.startSpan(name, options, context)
          if (errorCode !== undefined)
            span.setStatus(FAILED).setAttribute('error.type', errorCode || 'unknown')
          span.end(began + took)
        })
    },
    async close() {
      const ended = provider
        .shutdown()
        .catch(({ message }: Error) => diag.warn(`the remaining spans were not exported: ${message}`))
      await Promise.race([ended, sleep(SHUTDOWN_MS, undefined, { ref: false })])
    },
  }
}

/** The number of a variable; undefined, for the default, if it is none above 0. */
function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : undefined
}

/** The sampler of OTEL_TRACES_SAMPLER. By default everything is traced, unless a trusted proxy has decided otherwise. */
function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Environment): Sampler {
  const name = OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const given = Number(OTEL_TRACES_SAMPLER_ARG || 1)
  const part = given >= 0 && given <= 1 ? given : 1
  const always = new AlwaysOnSampler()
  const samplers: Record<string, Sampler> = {
    always_on: always,
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(part),
  }
  const known = samplers[name.replace(/^parentbased_/, '')]
  if (!known) diag.warn(`OTEL_TRACES_SAMPLER=${name} is not known here: everything is traced`)
  const root = known ?? always
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** A logger that writes one line a minute at most, since a collector that is down would fill the log. */
function throttledLogger(log: (line: string) => void) {
  const write = throttle(LOG_INTERVAL_MS, (message: string) =>
    // The SDK passes errors as JSON.
    log(`Traces: ${/"message":"([^"]*)"/.exec(message)?.[1] ?? message}`),
  )
  return { error: write, warn: write, info: write, debug: write, verbose: write }
}
