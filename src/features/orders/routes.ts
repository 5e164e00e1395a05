import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { buyAgain } from './again.ts'
import { calls } from './contract.ts'
import { items, pending, requireOwnOrders } from './lists.ts'
import * as orders from './orders.ts'
import * as own from './own.ts'

/** A user's own orders: place, list, cancel. */
export function orderRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const ownOrder = async ({ params }: { params: { orderId: Id } }, request: FastifyRequest) =>
    requireOwnOrders(app.db, (await requireUser(request)).id, params.orderId)
  const placed = app.counter('shop_orders_placed_total', 'Orders that were placed')

  on('GET /api/orders/', { guard: userGuard() }, async ({ query }, request) =>
    pending(app.db, (await requireUser(request)).id, query),
  )

  on('GET /api/orders/order-items/:any', { guard: userGuard() }, async ({ query }, request) =>
    items(app.db, (await requireUser(request)).id, query),
  )

  on('POST /api/orders/checkout', { guard: userGuard() }, async ({ headers }, request) => {
    const user = await requireUser(request)
    await consume(app, 'orders', user.id)
    const { 'idempotency-key': key, 'expected-total': total, 'expected-items': items } = headers
    const { 'expected-delivery': delivery } = headers
    const expected = { key, total, items, delivery }
    const order = await orders.place(app.db, user.id, expected, app.config.ownListings)
    if (!order.repeated) placed()
    return order
  })

  on('DELETE /api/orders/:orderId/delete-order', { guard: ownOrder }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'orders', user.id)
    await orders.cancel(app.db, user.id, params.orderId)
    return { message: 'Order cancelled' }
  })

  on('GET /api/orders/all', { guard: userGuard() }, async ({ query }, request) =>
    own.all(app.db, (await requireUser(request)).id, query),
  )

  on('GET /api/orders/:orderId/detail', async ({ params }, request) =>
    own.detail(app.db, (await requireUser(request)).id, params.orderId),
  )

  on('POST /api/orders/:orderId/received', { guard: ownOrder }, async ({ params, body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await own.receive(app.db, user.id, params.orderId, body.parcel)
    return own.detail(app.db, user.id, params.orderId)
  })

  on('POST /api/orders/:orderId/again', { guard: ownOrder }, async ({ params }, request) => {
    const user = await requireUser(request)
    await consume(app, 'cart', user.id)
    return { lines: await buyAgain(app.db, user.id, params.orderId, app.config.ownListings) }
  })
}
