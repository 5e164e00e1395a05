import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requirePerson, signedIn } from '#accounts/session.ts'
import type { Id } from '#contract'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { calls } from './contract.ts'
import { holdToOwn, items, pending } from './lists.ts'
import * as orders from './orders.ts'

/** A person's own orders: place, look at, cancel. */
export function orderRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  const ownOrder = async ({ params }: { params: { orderId: Id } }, request: FastifyRequest) =>
    holdToOwn(app.db, (await signedIn(request)).id, params.orderId)
  const placed = app.tally('orders_placed', 'Orders that were placed')

  on('GET /api/orders/', { guard: requirePerson() }, async ({ query }, request) =>
    pending(app.db, (await signedIn(request)).id, query),
  )

  on('GET /api/orders/order-items/:any', { guard: requirePerson() }, async ({ query }, request) =>
    items(app.db, (await signedIn(request)).id, query),
  )

  on('POST /api/orders/checkout', { guard: requirePerson() }, async ({ headers }, request) => {
    const user = await signedIn(request)
    await count(app, 'orders', user.id)
    const { 'idempotency-key': key, 'expected-total': total, 'expected-items': items } = headers
    const order = await orders.place(app.db, user.id, { key, total, items })
    if (!order.repeated) placed()
    return order
  })

  on('DELETE /api/orders/:orderId/delete-order', { guard: ownOrder }, async ({ params }, request) => {
    const user = await signedIn(request)
    await count(app, 'orders', user.id)
    await orders.cancel(app.db, user.id, params.orderId)
    return { message: 'Order cancelled' }
  })
}
