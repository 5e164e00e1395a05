import type { FastifyInstance } from 'fastify'
import type { StatementEvents } from './query-log.ts'

/** Records a span for each request and for each of its statements, and exports them. */
export interface Traces {
  /** Traces every request of an app with its statements. @param statements one for each pool of connections */
  register(app: FastifyInstance, statements: StatementEvents[]): void
  /** Exports the remaining spans, for 3 seconds at most. */
  close(): Promise<void>
}

export type Environment = Record<string, string | undefined>

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
      ? [`OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not supported: traces are sent as http/protobuf`]
      : []),
  ]
}
