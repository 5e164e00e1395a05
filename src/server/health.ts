import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '#problem'

/**
 * For whoever watches the process: `/healthz` answers while it is alive; `/readyz` while it can serve, that is while
 * the database answers and the shop is not about to stop.
 */
export function healthRoutes(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  app.get('/readyz', async (_request, reply) => {
    if (stopping) throw new Problem(503, 'The shop is closing', { retryAfter: 10 })
    await sql`select 1`.execute(app.db)
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
