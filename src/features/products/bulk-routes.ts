import type { FastifyInstance } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { bulk } from './bulk.ts'
import { preview } from './bulk-preview.ts'
import { calls } from './contract.ts'
import { list } from './shelf.ts'

/** So many listings of a bulk edit count as one change. */
const PER_CHANGE = 10

/** Your Listings: filtered, and changed many at once. */
export function bulkRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  on('GET /api/products/shelf', { guard: userGuard() }, async ({ query }, request) =>
    list(app.db, (await requireUser(request)).id, query),
  )

  on('POST /api/products/bulk/preview', { guard: userGuard() }, async ({ body }, request) =>
    preview(app.db, (await requireUser(request)).id, body),
  )

  on('POST /api/products/bulk', { guard: userGuard() }, async ({ body, headers }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id, Math.ceil(body.rows.length / PER_CHANGE))
    return bulk(app.db, user.id, body, headers['idempotency-key'])
  })
}
