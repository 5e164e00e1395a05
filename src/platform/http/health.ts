import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '#problem'

/** However many ask whether the shop can serve, the database is asked once in this time, milliseconds. */
const ASKED_MS = 100

/**
 * For whoever watches the process: `/healthz` answers while it is alive; `/readyz` while it can serve, that is while
 * the database answers and the shop is not about to stop.
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
