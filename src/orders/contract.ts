import * as z from 'zod/mini'
import { Done, defineCalls, Id, Moment, Money, PathId } from '#contract'

export const Order = z.object({
  id: Id,
  status: z.string(),
  total: Money,
  created_at: Moment,
  /** Name and price as they were when the order was placed; `id` is the listing's. */
  products_ordered: z.array(z.object({ id: Id, name: z.string(), price: Money, quantity: z.number() })),
})
export type Order = z.infer<typeof Order>

export const OrderItem = z.object({ order_id: Id, product_id: Id, quantity: z.number() })
export type OrderItem = z.infer<typeof OrderItem>

export const EMPTY_CART = 'Your cart is empty'
export const NOT_PENDING = 'Only an order that is Pending can be cancelled'

export const calls = defineCalls({
  'GET /api/orders/': { summary: 'Own pending orders, newest first', answer: z.array(Order) },
  'GET /api/orders/order-items/:any': {
    summary: 'All order items of the session; the number means nothing',
    params: z.object({ any: z.string() }),
    answer: z.array(OrderItem),
  },
  'POST /api/orders/checkout': { summary: 'Place one order from the whole cart', answer: Order, status: 201 },
  'DELETE /api/orders/:orderId/delete-order': {
    summary: 'Cancel an order while it is pending',
    params: z.object({ orderId: PathId }),
    answer: Done,
  },
})
