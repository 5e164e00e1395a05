import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryLog, Statement } from './query-log.ts'
import { currentRequest } from './request-context.ts'

/** Records a span for each request and for each of its statements, and exports them. */
export interface Traces {
  begin(request: FastifyRequest): void
  /** @param status of the response; undefined if the client closed the connection before */
  end(request: FastifyRequest, status: number | undefined): void
  /** Records a statement of a request. */
  statement(request: FastifyRequest, statement: Statement): void
  /** The trace id of a request; undefined without a trace. */
  idOf(request: FastifyRequest): string | undefined
  /** Exports the remaining spans, for 3 seconds at most. */
  close(): Promise<void>
}

type Environment = Record<string, string | undefined>

/**
 * Whether the variables of OpenTelemetry ask for traces: with an endpoint, or with `OTEL_TRACES_EXPORTER=otlp`. Otherwise
 * the SDK is not even loaded.
 */
export function wantsTraces(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  const exporter = env.OTEL_TRACES_EXPORTER?.trim()
  if (exporter) return exporter === 'otlp'
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

/** A sentence for each variable of OpenTelemetry with a value that is not supported here. */
export function unsupportedOptions(env: Environment): string[] {
  const exporter = env.OTEL_TRACES_EXPORTER?.trim()
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  return [
    ...(exporter && !['otlp', 'none'].includes(exporter)
      ? [`OTEL_TRACES_EXPORTER=${exporter} is not known here, only otlp and none: no traces are sent`]
      : []),
    ...(wantsTraces(env) && protocol && protocol !== 'http/protobuf'
      ? [`OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not spoken here: traces are sent as http/protobuf`]
      : []),
  ]
}

/** Requests of monitoring are not traced. */
const UNTRACED = /^\/(healthz|readyz|metrics)\/?(\?|$)/

/** Traces every request with its statements. @param logs one query log for each pool of connections */
export function traceRequests(app: FastifyInstance, traces: Traces, logs: QueryLog[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!UNTRACED.test(request.url)) {
      traces.begin(request)
      const trace_id = traces.idOf(request)
      // So that the log lines of a trace can be found.
      if (trace_id) request.log = request.log.child({ trace_id })
    }
    done()
  })
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    traces.end(request, reply.statusCode)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    traces.end(request, undefined)
    done()
  })
  for (const statements of logs)
    statements.subscribe(statement => {
      const request = currentRequest()
      if (request) traces.statement(request, statement)
    })
}
