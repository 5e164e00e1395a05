import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import type { Config } from '../config/config.ts'
import type { Metrics } from '../observability/instruments.ts'
import { registerErrorHandler } from './error-handler.ts'
import { allowOnly } from './method-not-allowed.ts'

/** Serves the metrics at `/metrics`. @param token the bearer token that clients have to send. Undefined without one */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  allowOnly(app, '/metrics', ['GET', 'HEAD'])
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !hasToken(token, request.headers.authorization)) {
      reply.header('www-authenticate', 'Bearer')
      throw new Problem(401, 'The token of the metrics is missing or wrong')
    }
    const { type, text } = await metrics().catch(cause => {
      throw new Problem(503, 'The metrics could not be gathered', { cause })
    })
    return reply.header('cache-control', 'no-store').type(type).send(text)
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the header `Authorization: Bearer …` carries the token. The comparison takes constant time. */
function hasToken(token: string, authorization: string | undefined): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * Serves the metrics on a port of their own.
 * @returns the URL, and a function that closes the server
 * @throws Error with a sentence if the port cannot be opened
 */
export async function serveMetrics(
  { port = 0, host, token }: NonNullable<Config['metrics']>,
  metrics: Metrics,
): Promise<{ url: string; close(): Promise<void> }> {
  const app: FastifyInstance = Fastify({ forceCloseConnections: true })
  registerErrorHandler(app)
  metricsRoute(app, metrics, token)
  await app.listen({ port, host }).catch(({ message }) => {
    throw new Error(`METRICS_PORT ${port} cannot be opened: ${message}`)
  })
  return {
    url: `http://${host}:${(app.server.address() as AddressInfo).port}/metrics`,
    close: () => app.close(),
  }
}
