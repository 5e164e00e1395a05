import * as z from 'zod/mini'
import { defineCalls, Id, ListQuery, PathId } from '#contract'
import { Answer } from '#products/questions-contract.ts'
import { OrderDetail } from './detail-contract.ts'

/** An order in the list of its shopper. */
export const ListedOrder = z.extend(OrderDetail, {
  /** Messages of the maker that are unread. */
  unread: z.number(),
})
export type ListedOrder = z.infer<typeof ListedOrder>

/** An order as its shopper sees it. */
export const OwnOrder = z.extend(ListedOrder, {
  /** How to pay, in the maker's words; empty for an order that is cancelled. */
  payment_words: z.string(),
})
export type OwnOrder = z.infer<typeof OwnOrder>

/** A line of an order that is bought again. */
export const AgainLine = z.object({
  /** The listing's. */
  id: Id,
  name: z.string(),
  /** Missing: none. */
  answers: z.optional(z.array(Answer)),
  /** How many were ordered. */
  wanted: z.number(),
  /** How many were put into the cart now. */
  added: z.number(),
  /** How many it holds now. */
  in_cart: z.number(),
  /** Why it holds fewer than were ordered. null: it does not. */
  reason: z.nullable(z.string()),
})
export type AgainLine = z.infer<typeof AgainLine>

const PARCEL = 'Parcel must be the id of a parcel'
const ofOrder = z.object({ orderId: PathId })

/** Calls of the shopper of an order. */
export const ownCalls = defineCalls({
  'GET /api/orders/all': {
    summary: 'Own orders in every state, newest first; those of one purchase are next to each other',
    query: ListQuery,
    response: z.object({
      orders: z.array(ListedOrder),
      next_cursor: z.nullable(z.string()),
      /** Unread messages of makers in all own orders. */
      unread: z.number(),
    }),
  },
  'GET /api/orders/:orderId/detail': {
    summary: 'An own order with everything that happened to it',
    params: ofOrder,
    response: OwnOrder,
  },
  'POST /api/orders/:orderId/received': {
    summary: 'Say that a parcel of an own order was received, as often as one likes',
    params: ofOrder,
    body: z.object({
      parcel: z.int(PARCEL).check(z.minimum(1, PARCEL), z.maximum(Number.MAX_SAFE_INTEGER, PARCEL)),
    }),
    response: OwnOrder,
  },
  'POST /api/orders/:orderId/again': {
    summary:
      'Fill the cart up to what an own order had, as far as stock reaches. Again, it adds nothing more',
    params: ofOrder,
    response: z.object({ lines: z.array(AgainLine) }),
  },
})
