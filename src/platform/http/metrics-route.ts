import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import { hasToken, type Metrics } from '../observability/metrics-endpoint.ts'
import { allowOnly } from './method-not-allowed.ts'

/**
 * Serves the metrics at `/metrics` of the application's own port, to clients that send the token (METRICS_TOKEN). There is no
 * such route without a token, or where the metrics have a port of their own (METRICS_PORT).
 */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  const { port, token } = app.config.metrics ?? {}
  if (port !== undefined || token === undefined) return
  allowOnly(app, '/metrics', ['GET', 'HEAD'])
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(token, request.headers.authorization)) {
      reply.header('www-authenticate', 'Bearer')
      throw new Problem(401, 'The token of the metrics is missing or wrong')
    }
    const { type, text } = await metrics()
    return reply.header('cache-control', 'no-store').type(type).send(text)
  })
}
