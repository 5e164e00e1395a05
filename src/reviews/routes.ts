import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requirePerson, signedIn, visitor } from '#accounts/session.ts'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { sellerOf } from '#products/products.ts'
import type { Database } from '#server/database/database.ts'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { forEverybody } from '#server/kept/changes.ts'
import {
  calls,
  LOGIN_TO_DELETE,
  LOGIN_TO_EDIT,
  LOGIN_TO_REVIEW,
  NOTHING_TO_DELETE,
  NOTHING_TO_EDIT,
} from './contract.ts'
import * as reviews from './reviews.ts'
import * as whose from './whose.ts'

/** What people think of a piece: everybody reads, the author writes. */
export function reviewRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  type Named = { params: { id: Id } }
  const ownReview =
    (login: string, nothing: string) =>
    async ({ params }: Named, request: FastifyRequest) =>
      whose.ownReview(app.db, (await signedIn(request, login)).id, params.id, nothing)
  const onlySeller = async ({ params }: Named, request: FastifyRequest) =>
    whose.onlyItsSeller(app.db, (await signedIn(request)).id, params.id)

  on('GET /api/reviews/:productId/reviews', ({ params, query }, db) =>
    reviews.of(db, params.productId, query),
  )

  on('GET /api/reviews/:productId/histogram', async ({ params }, db) => ({
    stars: await reviews.histogram(db, params.productId),
  }))

  // A visitor has none; pages ask this for whoever looks at them.
  on('GET /api/reviews/:productId/own', async ({ params }, request) => {
    const user = await visitor(request)
    if (!user) return []
    // Most have left none, and every look at a piece asks: who has is known to everybody.
    const { productId } = params
    const read = (db: Database) => reviews.reviewers(db, productId)
    const all = await forEverybody(request, `reviewers ${productId}`, read, ({ size }) => ({
      bytes: 40 * size,
    }))
    return all.has(user.id) ? reviews.of(app.db, productId, { author: user.id }) : []
  })

  on(
    'POST /api/reviews/:productId/create-review',
    { guard: requirePerson(LOGIN_TO_REVIEW) },
    async ({ params, body }, request) => {
      const user = await signedIn(request, LOGIN_TO_REVIEW)
      const seller = await sellerOf(app.db, params.productId)
      if (seller === user.id && !app.config.ownListings)
        throw new Problem(403, 'You cannot review your own listing')
      await count(app, 'reviews', user.id)
      return reviews.create(app.db, user.id, params.productId, body)
    },
  )

  on(
    'POST /api/reviews/:id/edit-review/',
    { guard: ownReview(LOGIN_TO_EDIT, NOTHING_TO_EDIT) },
    async ({ params, body }, request) => {
      const user = await signedIn(request, LOGIN_TO_EDIT)
      await count(app, 'reviews', user.id)
      return reviews.edit(app.db, user.id, params.id, body)
    },
  )

  on(
    'DELETE /api/reviews/:id/delete-review',
    { guard: ownReview(LOGIN_TO_DELETE, NOTHING_TO_DELETE) },
    async ({ params }, request) => {
      const user = await signedIn(request, LOGIN_TO_DELETE)
      await count(app, 'changes', user.id)
      await reviews.remove(app.db, user.id, params.id)
      return { message: 'Review deleted' }
    },
  )

  on('PUT /api/reviews/:id/reply', { guard: onlySeller }, async ({ params, body }, request) => {
    const user = await signedIn(request)
    await count(app, 'reviews', user.id)
    return reviews.reply(app.db, user.id, params.id, body.reply)
  })

  on('DELETE /api/reviews/:id/reply', { guard: onlySeller }, async ({ params }, request) => {
    const user = await signedIn(request)
    await count(app, 'changes', user.id)
    await reviews.removeReply(app.db, user.id, params.id)
    return { message: 'Reply deleted' }
  })
}
