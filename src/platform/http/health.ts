import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '#problem'

/** The database is queried once in this time at most, however many requests come, milliseconds. */
const ASKED_MS = 100

/**
 * Health checks: `/healthz` answers 200 while the process is alive (liveness), `/readyz` while it can serve requests (readiness):
 * the database answers, and the server is not stopping. Otherwise `/readyz` answers 503.
 */
export function healthRoutes(app: FastifyInstance): void {
  let stopping = false
  let asked: Promise<unknown> | undefined
  const askDatabase = () => {
    asked ??= sql`select 1`.execute(app.db).finally(() =>
      setTimeout(() => {
        asked = undefined
      }, ASKED_MS).unref(),
    )
    return asked
  }
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  app.get('/readyz', async (_request, reply) => {
    if (stopping) throw new Problem(503, 'The shop is closing', { retryAfter: 10 })
    await askDatabase()
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
