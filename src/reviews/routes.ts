import type { FastifyInstance } from 'fastify'
import { signedIn } from '#accounts/session.ts'
import { Problem } from '#problem'
import { sellerOf } from '#products/products.ts'
import { serving } from '#server/http.ts'
import { count } from '#server/limits.ts'
import { calls, LOGIN_TO_DELETE, LOGIN_TO_EDIT, LOGIN_TO_REVIEW } from './contract.ts'
import * as reviews from './reviews.ts'

/** What people think of a piece: everybody reads, the author writes. */
export function reviewRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)

  on('GET /api/reviews/:productId/reviews', ({ params }) => reviews.of(app.db, params.productId))

  on('POST /api/reviews/:productId/create-review', async ({ params, body }, request) => {
    const user = await signedIn(request, LOGIN_TO_REVIEW)
    const seller = await sellerOf(app.db, params.productId)
    if (seller === user.id && !app.config.ownListings)
      throw new Problem(403, 'You cannot review your own listing')
    await count(app, 'reviews', user.id)
    return reviews.create(app.db, user.id, params.productId, body)
  })

  on('POST /api/reviews/:id/edit-review/', async ({ params, body }, request) => {
    const user = await signedIn(request, LOGIN_TO_EDIT)
    await count(app, 'reviews', user.id)
    return reviews.edit(app.db, user.id, params.id, body)
  })

  on('DELETE /api/reviews/:id/delete-review', async ({ params }, request) => {
    await reviews.remove(app.db, (await signedIn(request, LOGIN_TO_DELETE)).id, params.id)
    return { message: 'Review deleted' }
  })
}
