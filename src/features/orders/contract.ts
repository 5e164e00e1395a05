import * as z from 'zod/mini'
import { Done, defineCalls, Id, IdInQuery, idempotencyKey, ListQuery, Moment, Money, PathId } from '#contract'
import { toCents } from '#money'
import { Answer } from '#products/questions-contract.ts'
import { ownCalls } from './own-contract.ts'
import { fitting, orderCursor, PAGE_LINES } from './paging.ts'

export const Order = z.object({
  id: Id,
  /** 'Pending' until a piece is sent or cancelled; then 'Part sent', 'Part cancelled', 'Sent' or 'Cancelled'. */
  status: z.string(),
  /** With postage. */
  total: Money,
  /** Missing: 0. */
  postage: z.optional(Money),
  created_at: Moment,
  /** Name of its maker, as pages show it, in lists of orders. Missing: the account was deleted. */
  maker: z.optional(z.string()),
  /** Name, price and answers at checkout; `id` is the listing's. */
  products_ordered: z.array(
    z.object({
      id: Id,
      name: z.string(),
      price: Money,
      quantity: z.number(),
      /** Missing: none. */
      answers: z.optional(z.array(Answer)),
      /** Address of a small picture, in lists of orders. Missing: none. */
      image_url: z.optional(z.string()),
    }),
  ),
})
export type Order = z.infer<typeof Order>

/**
 * What one checkout placed. Of one seller it is the order. Of several it is their sum: the id of the first order, which is the
 * number of the purchase, the total, and all products; `orders` has the order of each seller.
 */
export const Purchase = z.extend(Order, { orders: z.optional(z.array(Order)) })
export type Purchase = z.infer<typeof Purchase>

export const OrderItem = z.object({
  order_id: Id,
  product_id: Id,
  quantity: z.number(),
  /** Number of the line among those of the listing. Missing: 1. */
  line: z.optional(z.number()),
})
export type OrderItem = z.infer<typeof OrderItem>

export const EMPTY_CART = 'Your cart is empty'
export const NOT_PENDING = 'Only an order that is Pending can be cancelled'

/** Most running orders that are named before an account is deleted. */
export const MAX_RUNNING = 20
/**
 * How long an open order keeps its shopper and its maker from deleting their accounts, days: after it was placed, or
 * after its last parcel. So long may a maker take until a piece is ready.
 */
export const OPEN_DAYS = 180

const TOTAL = 'Expected-Total must be an amount with at most two decimals'
const DELIVERY = 'Expected-Delivery must be what GET /api/checkout/ answers as its delivery'
const ITEMS = 'Expected-Items must be pairs such as 7x2, with spaces between them'

/** Preconditions. Without them the cart is ordered as it is. */
const Preconditions = z.object({
  'idempotency-key': idempotencyKey(
    'Names this attempt. The same key again answers the order that it placed, 422 where asked with other contents.',
  ),
  'expected-total': z.optional(
    z.pipe(
      z
        .string(TOTAL)
        .check(
          z.regex(/^\d{1,12}(\.\d{1,2})?$/, TOTAL),
          z.describe(
            'The total that the person saw: 49.90. Any other is 409, with the new one, and no order.',
          ),
        ),
      z.transform(total => toCents(Number(total))),
    ),
  ),
  'expected-items': z.optional(
    z.pipe(
      z
        .string(ITEMS)
        .check(
          z.regex(/^\d{1,16}x\d{1,2}( \d{1,16}x\d{1,2})*$/, ITEMS),
          z.describe(
            'Listings and quantities that the person saw: 7x2 12x1. Any others are 409, and no order.',
          ),
        ),
      z.transform(pairs => pairs.split(' ').map(unitsOf)),
    ),
  ),
  'expected-delivery': z.optional(
    z
      .string(DELIVERY)
      .check(
        z.regex(/^[\w-]{43}$/, DELIVERY),
        z.describe(
          'The delivery that the person saw, as GET /api/checkout/ names it. Any other is 409, and no order.',
        ),
      ),
  ),
})

function unitsOf(pair: string): { product_id: Id; quantity: number } {
  const [product_id = 0, quantity = 0] = pair.split('x').map(Number)
  return { product_id, quantity }
}

/** Pending orders, page by page. With `id` only that one; 404 if it is not theirs. */
const OrderQuery = z.extend(ListQuery, { id: z.optional(IdInQuery) })
export type OrderQuery = z.infer<typeof OrderQuery>

export const calls = defineCalls({
  ...ownCalls,
  'GET /api/orders/': {
    summary: `Own pending orders, newest first; a page with ${PAGE_LINES} lines takes no further order`,
    query: OrderQuery,
    response: z.array(Order),
    cursorOf: orderCursor,
    fitting: (orders: Order[]) => fitting(orders, PAGE_LINES),
  },
  'GET /api/orders/order-items/:any': {
    summary: 'Order items of the session, of the newest order first; the number means nothing',
    params: z.object({ any: z.string() }),
    query: ListQuery,
    response: z.array(OrderItem),
    cursorOf: ({ order_id, product_id, line }: OrderItem) =>
      [order_id, product_id, ...(line === undefined ? [] : [line])].join('.'),
  },
  'POST /api/orders/checkout': {
    summary: 'Order the whole cart: an order for each seller, all or none',
    headers: Preconditions,
    response: Purchase,
    status: 201,
  },
  'DELETE /api/orders/:orderId/delete-order': {
    summary: 'Cancel an order while it is pending',
    params: z.object({ orderId: PathId }),
    response: Done,
  },
})
