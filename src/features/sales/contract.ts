import * as z from 'zod/mini'
import { Done, defineCalls, Id, idempotent, ListQuery, Moment, Money, PathId, text } from '#contract'
import { DeliveryState, OrderDetail } from '#orders/detail-contract.ts'
import { Answer } from '#products/questions-contract.ts'
import {
  Batch,
  Cancellation,
  Collection,
  NewParcel,
  NewPayment,
  PaymentWords,
  Tracking,
} from './input-contract.ts'

const SEARCH_LENGTH = 100

/** A place where it is collected. Its maker does not get the code: the shopper says it. */
const Place = z.nullable(z.object({ place: z.string(), hours: z.string() }))

/** An order as its maker sees it. Of the shopper there is the name, besides the address and the note of this order. */
export const Sale = z.extend(z.omit(OrderDetail, { pickup: true }), {
  pickup: Place,
  /** '' where the account was deleted. */
  shopper: z.string(),
  /** Another number after each change. */
  revision: z.number(),
  /** The day of this answer in UTC: '2026-03-31'. */
  day: z.string(),
})
export type Sale = z.infer<typeof Sale>

/** An order in the list of its maker. */
export const ListedSale = z.object({
  id: Id,
  created_at: Moment,
  state: DeliveryState,
  shopper: z.string(),
  /** The first lines. */
  lines: z.array(
    z.object({
      id: Id,
      line: z.number(),
      name: z.string(),
      /** Missing: none. */
      answers: z.optional(z.array(Answer)),
      quantity: z.number(),
      open: z.number(),
    }),
  ),
  /** How many further lines there are. */
  more_lines: z.number(),
  total: Money,
  /** `total` without what was cancelled. */
  due: Money,
  /** What is not paid yet; negative if the maker owes. */
  unpaid: Money,
  ready_by: z.nullable(Moment),
  late: z.boolean(),
  pickup_place: z.nullable(z.string()),
})
export type ListedSale = z.infer<typeof ListedSale>

/** What a list of sales shows: `open`: something is neither sent nor cancelled; `late`: of these, later than promised. */
export const SaleFilter = z.enum(
  ['open', 'late', 'ready', 'sent', 'received', 'cancelled', 'unpaid'],
  'State must be open, late, ready, sent, received, cancelled or unpaid',
)
export type SaleFilter = z.infer<typeof SaleFilter>

const SEARCH = `Search must have 1 to ${SEARCH_LENGTH} characters`
const SalesQuery = z.extend(ListQuery, {
  state: z.optional(SaleFilter),
  search: z.optional(text('Search', { required: SEARCH, max: [SEARCH_LENGTH, SEARCH] })),
})
export type SalesQuery = z.infer<typeof SalesQuery>

/** Amounts of all orders that are open or not settled. */
export const SalesSums = z.object({
  orders: z.number(),
  due: Money,
  paid: Money,
  refunded: Money,
  /** What is to be paid, less what the maker owes. */
  open: Money,
  /** What the maker owes to those who paid too much. */
  owed: Money,
})
export type SalesSums = z.infer<typeof SalesSums>

/** The result for each order. `message` says why it was refused. */
export const BatchResult = z.object({
  results: z.array(z.object({ id: Id, done: z.boolean(), message: z.string() })),
})
export type BatchResult = z.infer<typeof BatchResult>

const ofOrder = z.object({ orderId: PathId })
const ofEvent = z.object({ orderId: PathId, eventId: PathId })
const once = idempotent(
  'Names this attempt. The same key again changes nothing more; 422 for another action.',
)
/** What a maker does to one of their orders. It answers the order as it is then. */
const action = { params: ofOrder, headers: once, response: Sale } as const

export const calls = defineCalls({
  'GET /api/sales/': {
    summary: 'Own sales: open ones first, by the day when they are due; then the others, newest first',
    query: SalesQuery,
    response: z.object({
      sales: z.array(ListedSale),
      next_cursor: z.nullable(z.string()),
      /** The day of this answer in UTC. */
      day: z.string(),
    }),
  },
  'GET /api/sales/sums': {
    summary: 'What is due, paid, refunded and open of all own sales that are open or not settled',
    response: SalesSums,
  },
  'GET /api/sales/payment-words': {
    summary: 'How to pay, in one’s own words. Only shoppers who have ordered read it',
    response: PaymentWords,
  },
  'PUT /api/sales/payment-words': {
    summary: 'Say how to pay',
    body: PaymentWords,
    response: Done,
  },
  'POST /api/sales/batch': {
    summary: 'Mark several own sales as sent or ready; each by itself, with all that is open',
    headers: once,
    body: Batch,
    response: BatchResult,
  },
  'GET /api/sales/:orderId': {
    summary: 'An own sale with everything that happened to it',
    params: ofOrder,
    response: Sale,
  },
  'POST /api/sales/:orderId/parcels': {
    summary: 'Record a parcel that was sent. Without lines everything that is open',
    ...action,
    body: NewParcel,
    status: 201,
  },
  'POST /api/sales/:orderId/parcels/:eventId/tracking': {
    summary: 'Set the carrier and tracking number of a parcel',
    ...action,
    params: ofEvent,
    body: Tracking,
  },
  'POST /api/sales/:orderId/ready': {
    summary: 'Say that an order can be collected',
    ...action,
  },
  'POST /api/sales/:orderId/collected': {
    summary: 'Record that an order was collected, with the code that the shopper says',
    ...action,
    body: Collection,
  },
  'POST /api/sales/:orderId/cancel': {
    summary: 'Cancel open pieces, and give them back to stock. Without lines all that are open',
    ...action,
    body: Cancellation,
  },
  'POST /api/sales/:orderId/payments': {
    summary: 'Record a payment of the shopper',
    ...action,
    body: NewPayment,
    status: 201,
  },
  'POST /api/sales/:orderId/refunds': {
    summary: 'Record a refund to the shopper, of no more than was paid',
    ...action,
    body: NewPayment,
    status: 201,
  },
  'POST /api/sales/:orderId/events/:eventId/undo': {
    summary: 'Take back a parcel, collection, payment or refund that was recorded a few minutes ago',
    ...action,
    params: ofEvent,
  },
})
