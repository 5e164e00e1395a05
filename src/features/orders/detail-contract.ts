import * as z from 'zod/mini'
import { Id, Moment, Money } from '#contract'
import { Answer } from '#products/questions-contract.ts'

/** Days after which a parcel counts as received, unless its shopper says so before (as Sharetribe's default process does). */
export const RECEIVED_AFTER_DAYS = 14
/** A parcel that may be on its way for longer counts as received so many days after the last one on which it was expected. */
export const AFTER_EXPECTED_DAYS = 7
/** For so long what a maker has recorded can be undone, minutes. */
export const UNDO_MINUTES = 15

/**
 * Where an order is: `open` until something is sent; `ready` to be collected, also if a part was sent; `part-sent`; `sent`
 * until all parcels are received; `received`, or `collected` at a pick-up; `cancelled` if all pieces are.
 */
export const DeliveryState = z.enum([
  'open',
  'ready',
  'part-sent',
  'sent',
  'received',
  'collected',
  'cancelled',
])
export type DeliveryState = z.infer<typeof DeliveryState>

/** Who has caused an event. `shop`: the passing of time. */
export const Role = z.enum(['shopper', 'maker', 'shop'])
export type Role = z.infer<typeof Role>

/** A piece, and how many of it. `id` is the listing's. */
const PartialLine = z.object({
  id: Id,
  /** 1, 2, … among the lines of this listing in the order. */
  line: z.number(),
  name: z.string(),
  /** To the questions of the listing, as at checkout. Missing: none. */
  answers: z.optional(z.array(Answer)),
  quantity: z.number(),
})

/** A line of an order: always quantity = open + sent + cancelled. */
export const DetailLine = z.extend(PartialLine, {
  price: Money,
  open: z.number(),
  sent: z.number(),
  cancelled: z.number(),
  /** Address of a small picture. Missing: none. */
  image_url: z.optional(z.string()),
  /** Its listing is not for sale any more, and has no page. Missing: it has one. */
  gone: z.optional(z.literal(true)),
})
export type DetailLine = z.infer<typeof DetailLine>

/** A parcel, or what was collected at once. */
export const Parcel = z.object({
  /** Id of its event. */
  id: Id,
  kind: z.enum(['sent', 'collected']),
  sent_at: Moment,
  carrier: z.nullable(z.string()),
  tracking: z.nullable(z.string()),
  /** The carrier's page about it. */
  tracking_url: z.nullable(z.string()),
  lines: z.array(PartialLine),
  /** Said by the shopper, or by the time that has passed since it was sent. */
  received_at: z.nullable(Moment),
  /** Until then it can be undone. Null if it cannot any more. */
  undo_until: z.nullable(Moment),
})
export type Parcel = z.infer<typeof Parcel>

const Cancellation = z.object({ at: Moment, role: Role, reason: z.string(), lines: z.array(PartialLine) })

/** A payment or refund that the maker has recorded. */
const PaymentEntry = z.object({
  id: Id,
  kind: z.enum(['paid', 'refunded']),
  amount: Money,
  /** The day of the payment: '2026-03-31'. */
  day: z.string(),
  note: z.string(),
  undo_until: z.nullable(Moment),
})

const Payment = z.object({
  /** What is left of the total after cancellations; without pieces there is no postage either. */
  due: Money,
  paid: Money,
  refunded: Money,
  /**
   * due − paid + refunded: negative if the maker owes. A refund of an order that was paid in full is not owed again:
   * 0 then.
   */
  open: Money,
  entries: z.array(PaymentEntry),
})

/** An address as it was at checkout. */
const FrozenAddress = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  region: z.string(),
  postal_code: z.string(),
  country: z.string(),
})

/** An order with everything that happened to it, for its shopper and its maker. */
export const OrderDetail = z.object({
  id: Id,
  /** Number of the purchase: the id of its first order. */
  purchase_id: Id,
  created_at: Moment,
  state: DeliveryState,
  /** `name`: as pages show it. `suspended`: their shop has no page. */
  maker: z.nullable(z.object({ id: Id, username: z.string(), name: z.string(), suspended: z.boolean() })),
  lines: z.array(DetailLine),
  postage: Money,
  /** Of the postage profile at checkout. */
  postage_name: z.string(),
  total: Money,
  /** Days to deliver, once sent. */
  days_min: z.nullable(z.number()),
  days_max: z.nullable(z.number()),
  /** When it is ready at the latest, as promised at checkout. */
  ready_by: z.nullable(Moment),
  /** The day of `ready_by` is over, and pieces are open that are not ready. */
  late: z.boolean(),
  address: z.nullable(FrozenAddress),
  /** `code` is what the shopper says when collecting. Its maker does not get it. */
  pickup: z.nullable(z.object({ place: z.string(), hours: z.string(), code: z.optional(z.string()) })),
  /** Of the shopper, for the maker. */
  note: z.string(),
  /** When it was said to be ready for pick-up. */
  ready_at: z.nullable(Moment),
  /** Its event, while it can be undone. */
  ready_undo: z.nullable(z.object({ id: Id, until: Moment })),
  parcels: z.array(Parcel),
  cancellations: z.array(Cancellation),
  payment: Payment,
})
export type OrderDetail = z.infer<typeof OrderDetail>
