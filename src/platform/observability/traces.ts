import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryLog, Statement } from './query-log.ts'
import { currentRequest } from './request-context.ts'

/** Writes down what happens while a request is answered, and sends that elsewhere. */
export interface Traces {
  begin(request: FastifyRequest): void
  /** `status` of the answer; undefined: whoever asked went away before it. */
  end(request: FastifyRequest, status: number | undefined): void
  /** A statement that was asked on behalf of a request. */
  statement(request: FastifyRequest, statement: Statement): void
  /** By which its trace is found, undefined for a request that has none. */
  idOf(request: FastifyRequest): string | undefined
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>
}

type Environment = Record<string, string | undefined>

/**
 * Whether OpenTelemetry's variables ask for traces: a place to send them to, or `OTEL_TRACES_EXPORTER=otlp`. Without them
 * nothing is sent, and nothing is loaded.
 */
export function wantsTraces(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  const exporter = env.OTEL_TRACES_EXPORTER?.trim()
  if (exporter) return exporter === 'otlp'
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

/** Variables whose values are understood elsewhere and not here: each with what is done instead. */
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

/** What watches the process is no visitor. */
const UNTRACED = /^\/(healthz|readyz|metrics)\/?(\?|$)/

/** Traces every request with its statements. @param logs one query log for each pool of connections */
export function traceRequests(app: FastifyInstance, traces: Traces, logs: QueryLog[]): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!UNTRACED.test(request.url)) {
      traces.begin(request)
      const trace_id = traces.idOf(request)
      // Whoever looks at a trace finds its lines in the log.
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
    statements.hear(statement => {
      const request = currentRequest()
      if (request) traces.statement(request, statement)
    })
}
