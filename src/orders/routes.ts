import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signedIn } from '#accounts/session.ts'
import { Problem } from '#problem'
import { serving } from '#server/http.ts'
import { calls } from './contract.ts'
import * as orders from './orders.ts'

/** A person's own orders: place, look at, cancel. */
export function orderRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)

  on('GET /api/orders/', async (_, request) => orders.pending(app.db, (await signedIn(request)).id))

  on('GET /api/orders/order-items/:any', async (_, request) =>
    orders.items(app.db, (await signedIn(request)).id),
  )

  on('POST /api/orders/checkout', async (_, request) => {
    const user = await signedIn(request)
    return orders.place(app.db, user.id, idempotencyKey(request))
  })

  on('DELETE /api/orders/:orderId/delete-order', async ({ params }, request) => {
    await orders.cancel(app.db, (await signedIn(request)).id, params.orderId)
    return { message: 'Order cancelled' }
  })
}

/** What the browser sends to say "the same order again", null without. @throws Problem 400 for a key beyond 100 characters */
function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key)) {
    throw new Problem(400, 'Idempotency-Key must be 1 to 100 visible characters')
  }
  return key
}
