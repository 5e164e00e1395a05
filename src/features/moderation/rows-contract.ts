import * as z from 'zod/mini'
import { Id, Moment, Money } from '#contract'
import { Image } from '#images/contract.ts'

/** A listing, a review, a person or an order, as operators see it. */
export const ListingRow = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  seller_id: Id,
  seller: z.string(),
  /** Then their shop has no page. */
  seller_suspended: z.boolean(),
  created_at: Moment,
  images: z.array(Image),
  /** Not for sale: hidden by an operator, or retired by its seller or for a suspension. */
  state: z.enum(['listed', 'hidden', 'suspended', 'retired']),
  open_reports: z.number(),
})
export type ListingRow = z.infer<typeof ListingRow>
export const ReviewRow = z.object({
  id: Id,
  product_id: Id,
  listing: z.string(),
  /** Whether the listing has a page: it is not hidden, retired or deleted. */
  is_listed: z.boolean(),
  /** Username. Null if the account is deleted. */
  author: z.nullable(z.string()),
  stars: z.number(),
  review: z.string(),
  created_at: Moment,
  hidden: z.boolean(),
  open_reports: z.number(),
  /** The reply of the maker. Null without one. */
  reply: z.nullable(
    z.object({
      text: z.string(),
      maker: z.string(),
      /** Whether the maker is suspended: then they have no page. */
      is_suspended: z.boolean(),
      hidden: z.boolean(),
      open_reports: z.number(),
    }),
  ),
})
export type ReviewRow = z.infer<typeof ReviewRow>
export const PersonRow = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  joined_at: Moment,
  suspended_at: z.nullable(Moment),
  listings: z.number(),
  is_operator: z.boolean(),
})
export type PersonRow = z.infer<typeof PersonRow>
/** An order without its address. */
export const OrderRow = z.object({
  id: Id,
  created_at: Moment,
  state: z.string(),
  /** Usernames. Null if their account is deleted. */
  maker: z.nullable(z.string()),
  shopper: z.nullable(z.string()),
  /** Then their shop has no page. */
  maker_suspended: z.boolean(),
  total: Money,
  /** `total` without what was cancelled. */
  due: Money,
  late: z.boolean(),
})
export type OrderRow = z.infer<typeof OrderRow>
