import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requirePerson, signedIn, tokenOf } from '#accounts/session.ts'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { sellerOf } from '#products/products.ts'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { add, addAtOnce } from './adding.ts'
import * as cart from './cart.ts'
import { calls } from './contract.ts'

const LOGIN_TO_ADD = 'Please login to add items to cart.'

/** The session's own cart, and nobody else's. */
export function cartRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  const ownLine = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    cart.ownLine(app.db, (await signedIn(request)).id, params.id)

  on('GET /api/cart_items/:id', async ({ params }, request) => {
    const user = await signedIn(request)
    if (params.id !== user.id) throw new Problem(403, 'This is not your cart')
    return { cart_items: await cart.lines(app.db, user.id) }
  })

  on(
    'POST /api/cart_items/add/:productId',
    { guard: requirePerson(LOGIN_TO_ADD) },
    async ({ params, body }, request) => {
      const { productId } = params
      const token = tokenOf(request)
      // For almost everybody a part of one statement is enough, which finds out who they are. Who is told nothing is told
      // why below.
      if (token && app.config.ownListings) {
        const most = app.config.limits?.cart
        const grown = await addAtOnce(app.db, { token, product_id: productId, units: body.quantity, most })
        if (grown) {
          request.person = grown.user_id
          return grown.view
        }
      }
      const user = await signedIn(request, LOGIN_TO_ADD)
      await count(app, 'cart', user.id)
      if (!app.config.ownListings && (await sellerOf(app.db, productId)) === user.id) {
        throw new Problem(403, 'You cannot buy your own listing')
      }
      return add(app.db, user.id, productId, body.quantity)
    },
  )

  on('PUT /api/cart_items/:id', { guard: ownLine }, async ({ params, body }, request) => {
    const user = await signedIn(request)
    await count(app, 'cart', user.id)
    return cart.update(app.db, user.id, params.id, body.quantity)
  })

  on('DELETE /api/cart_items/:id', { guard: ownLine }, async ({ params }, request) => {
    const user = await signedIn(request)
    await count(app, 'cart', user.id)
    await cart.remove(app.db, user.id, params.id)
    return { message: 'Item was removed from your cart' }
  })
}
