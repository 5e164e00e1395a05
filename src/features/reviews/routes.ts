import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentUser, requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { cachedForAll } from '#platform/cache/request-cache.ts'
import type { Database } from '#platform/database/database.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { sellerOf } from '#products/seller-of.ts'
import * as access from './access.ts'
import {
  calls,
  LOGIN_TO_DELETE,
  LOGIN_TO_EDIT,
  LOGIN_TO_REVIEW,
  NOTHING_TO_DELETE,
  NOTHING_TO_EDIT,
} from './contract.ts'
import * as replies from './replies.ts'
import * as reviews from './reviews.ts'

/** Reviews: public to read, their own to write. */
export function reviewRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  type Named = { params: { id: Id } }
  const ownReview =
    (login: string, nothing: string, hiddenToo = false) =>
    async ({ params }: Named, request: FastifyRequest) =>
      access.ownReview(app.db, (await requireUser(request, login)).id, params.id, nothing, hiddenToo)
  const sellerGuard =
    (hiddenToo = false) =>
    async ({ params }: Named, request: FastifyRequest) =>
      access.requireItsSeller(app.db, (await requireUser(request)).id, params.id, hiddenToo)

  on('GET /api/reviews/:productId/reviews', ({ params, query }, db) =>
    reviews.of(db, params.productId, query),
  )

  on('GET /api/reviews/:productId/histogram', async ({ params }, db) => ({
    stars: await reviews.histogram(db, params.productId),
  }))

  // Empty for a visitor; each page with reviews asks this for its viewer.
  on('GET /api/reviews/:productId/own', async ({ params }, request) => {
    const user = await currentUser(request)
    if (!user) return []
    // Most users have none: the cached set of authors answers that.
    const { productId } = params
    const read = (db: Database) => reviews.reviewers(db, productId)
    const all = await cachedForAll(request, `reviewers ${productId}`, read, ({ size }) => ({
      bytes: 40 * size,
    }))
    return all.has(user.id) ? reviews.own(app.db, productId, user.id) : []
  })

  on(
    'POST /api/reviews/:productId/create-review',
    { guard: userGuard(LOGIN_TO_REVIEW) },
    async ({ params, body }, request) => {
      const user = await requireUser(request, LOGIN_TO_REVIEW)
      const seller = await sellerOf(app.db, params.productId)
      if (seller === user.id && !app.config.ownListings)
        throw new Problem(403, 'You cannot review your own listing')
      await consume(app, 'reviews', user.id)
      return reviews.create(app.db, user.id, params.productId, body)
    },
  )

  on(
    'POST /api/reviews/:id/edit-review/',
    { guard: ownReview(LOGIN_TO_EDIT, NOTHING_TO_EDIT) },
    async ({ params, body }, request) => {
      const user = await requireUser(request, LOGIN_TO_EDIT)
      await consume(app, 'reviews', user.id)
      return reviews.edit(app.db, user.id, params.id, body)
    },
  )

  on(
    'DELETE /api/reviews/:id/delete-review',
    { guard: ownReview(LOGIN_TO_DELETE, NOTHING_TO_DELETE, true) },
    async ({ params }, request) => {
      const user = await requireUser(request, LOGIN_TO_DELETE)
      await consume(app, 'changes', user.id)
      await reviews.remove(app.db, user.id, params.id)
      return { message: 'Review deleted' }
    },
  )

  on('PUT /api/reviews/:id/reply', { guard: sellerGuard() }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'reviews', user.id)
    return replies.reply(app.db, user.id, params.id, body.reply)
  })

  on('DELETE /api/reviews/:id/reply', { guard: sellerGuard(true) }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await replies.removeReply(app.db, user.id, params.id)
    return { message: 'Reply deleted' }
  })
}
