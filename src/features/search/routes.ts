import type { FastifyInstance } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import * as catalogue from './catalogue.ts'
import { calls } from './contract.ts'
import { facets } from './facets.ts'
import { similar, suggest } from './suggest.ts'

/** Public lists of listings, filtered and sorted. */
export function searchRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  on('GET /api/products/', ({ query }, db, part) => catalogue.list(db, query, part))

  on('GET /api/products/current', { guard: userGuard() }, async ({ query }, request) =>
    catalogue.list(app.db, { ...query, seller: (await requireUser(request)).username }),
  )

  on('GET /api/products/counts', ({ query }, db, part) => facets(db, query, part))

  on('GET /api/products/suggestions', ({ query }, db) => suggest(db, query.q))

  on('GET /api/products/:id/similar', async ({ params }, db) => ({ products: await similar(db, params.id) }))
}
