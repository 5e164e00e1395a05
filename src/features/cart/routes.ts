import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, tokenOf, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume, limitOf } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { sellerOf } from '#products/seller-of.ts'
import { add, addBatched } from './add-to-cart.ts'
import * as cart from './cart.ts'
import { calls } from './contract.ts'

const LOGIN_TO_ADD = 'Please login to add items to cart.'

/** The cart of the session's user. */
export function cartRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const ownLine = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    cart.ownLine(app.db, (await requireUser(request)).id, params.id)

  on('GET /api/cart_items/:id', async ({ params }, request) => {
    const user = await requireUser(request)
    if (params.id !== user.id) throw new Problem(403, 'This is not your cart')
    return { cart_items: await cart.lines(app.db, user.id) }
  })

  on(
    'POST /api/cart_items/add/:productId',
    { guard: userGuard(LOGIN_TO_ADD) },
    async ({ params, body, headers }, request) => {
      const { productId } = params
      const key = headers['idempotency-key']
      const token = tokenOf(request)
      // One statement for concurrent requests. If it adds nothing, the code below adds the line, or refuses with a reason.
      if (token && app.config.ownListings && !body.answers?.length) {
        const rateLimit = limitOf(app.config, 'cart')
        const added = await addBatched(app.db, {
          token,
          product_id: productId,
          units: body.quantity,
          key,
          rateLimit,
        })
        if (added) return added.view
      }
      const user = await requireUser(request, LOGIN_TO_ADD)
      await consume(app, 'cart', user.id)
      if (!app.config.ownListings && (await sellerOf(app.db, productId)) === user.id) {
        throw new Problem(403, 'You cannot buy your own listing')
      }
      return add(app.db, user.id, productId, body, key)
    },
  )

  on('PUT /api/cart_items/:id', { guard: ownLine }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'cart', user.id)
    return cart.update(app.db, user.id, params.id, body.quantity)
  })

  on('DELETE /api/cart_items/:id', { guard: ownLine }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'cart', user.id)
    await cart.remove(app.db, user.id, params.id)
    return { message: 'Item was removed from your cart' }
  })
}
