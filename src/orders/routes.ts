import type { FastifyInstance } from 'fastify'
import { signedIn } from '#accounts/session.ts'
import { count } from '#server/gates/limits.ts'
import { serving } from '#server/http.ts'
import { calls } from './contract.ts'
import { items, pending } from './lists.ts'
import * as orders from './orders.ts'

/** A person's own orders: place, look at, cancel. */
export function orderRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)
  const placed = app.tally('orders_placed', 'Orders that were placed')

  on('GET /api/orders/', async ({ query }, request) => pending(app.db, (await signedIn(request)).id, query))

  on('GET /api/orders/order-items/:any', async ({ query }, request) =>
    items(app.db, (await signedIn(request)).id, query),
  )

  on('POST /api/orders/checkout', async ({ headers }, request) => {
    const user = await signedIn(request)
    await count(app, 'orders', user.id)
    const { 'idempotency-key': key, 'expected-total': total, 'expected-items': items } = headers
    const order = await orders.place(app.db, user.id, { key, total, items })
    if (!order.repeated) placed()
    return order
  })

  on('DELETE /api/orders/:orderId/delete-order', async ({ params }, request) => {
    const user = await signedIn(request)
    await count(app, 'orders', user.id)
    await orders.cancel(app.db, user.id, params.orderId)
    return { message: 'Order cancelled' }
  })
}
