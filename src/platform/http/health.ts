import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '#problem'

/** Minimum interval between two queries of the database, for any number of requests, milliseconds. */
const CHECK_INTERVAL_MS = 100

/**
 * Health checks: `/healthz` responds with 200 while the process is alive (liveness), `/readyz` while it can serve requests (readiness):
 * the database responds, and the server is not stopping. Otherwise `/readyz` responds with 503.
 */
export function healthRoutes(app: FastifyInstance): void {
  let check: Promise<unknown> | undefined
  const checkDatabase = () => {
    check ??= sql`select 1`.execute(app.db).finally(() =>
      setTimeout(() => {
        check = undefined
      }, CHECK_INTERVAL_MS).unref(),
    )
    return check
  }
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  app.get('/readyz', async (_request, reply) => {
    if (app.isStopping) throw new Problem(503, 'The shop is closing', { retryAfter: 10 })
    await checkDatabase()
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
