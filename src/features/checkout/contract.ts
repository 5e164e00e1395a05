import * as z from 'zod/mini'
import { Address } from '#addresses/contract.ts'
import { defineCalls, Id, Money, optionalText, PathId } from '#contract'
import { PickupPlace } from '#postage/contract.ts'
import { NOTE_LENGTH } from './note-length.ts'

/** Delivery by post. Assumes one parcel with all pieces of a maker. */
export const Post = z.object({
  postage: Money,
  /** Name of the postage profile. */
  name: z.string(),
  /** Days until it arrives, once sent. */
  days_min: z.number(),
  days_max: z.number(),
})
export type Post = z.infer<typeof Post>

/** How the pieces of one maker in a cart reach their shopper. */
export const CheckoutPart = z.object({
  /** `name`: as pages show it. `picture`: its address, null without one. */
  seller: z.object({ id: Id, username: z.string(), name: z.string(), picture: z.nullable(z.string()) }),
  lines: z.array(z.object({ product_id: Id, quantity: z.number() })),
  /** Price of all pieces. */
  pieces: Money,
  /** Whether the maker sends these pieces by post to some countries: then an address matters. */
  by_post: z.boolean(),
  /** To the chosen address. Null without one, or if the maker does not send all of these pieces there. */
  post: z.nullable(Post),
  /** Where all of these pieces can be collected, free of charge. */
  pickup_places: z.array(PickupPlace),
  /** Id of the chosen or default pick-up place. Null: by post, or no delivery is possible. */
  pickup_id: z.nullable(Id),
  /** The shopper's note to the maker. */
  note: z.string(),
  /** Most days until all of these pieces are ready. */
  ready_days: z.number(),
  /** Postage of the chosen or default way. */
  postage: Money,
  /** Why these pieces cannot be ordered. Null if they can. */
  refusal: z.nullable(z.string()),
})
export type CheckoutPart = z.infer<typeof CheckoutPart>

/** The delivery of a cart. Deleted listings are left out. */
export const Checkout = z.object({
  /** Where parcels go. */
  address: z.nullable(Address),
  /** All own addresses, oldest first. */
  addresses: z.array(Address),
  /** One for each maker, by ascending id. */
  parts: z.array(CheckoutPart),
  postage: Money,
  /** With postage: what an order would cost. */
  total: Money,
  /** Digest of this delivery, for the header Expected-Delivery of an order. */
  delivery: z.string(),
})
export type Checkout = z.infer<typeof Checkout>

const ADDRESS = 'Address must be one of yours, or null'
const PLACE = 'Pick-up place must be one of those that are offered, or null'

export const calls = defineCalls({
  'GET /api/checkout/': {
    summary: 'How the own cart reaches its shopper, and what that costs: a part for each maker',
    response: Checkout,
  },
  'PUT /api/checkout/address': {
    summary: 'Send the cart to one of the own addresses; null: to none',
    body: z.object({ address_id: z.nullable(z.int(ADDRESS).check(z.positive(ADDRESS))) }),
    response: Checkout,
  },
  'PUT /api/checkout/sellers/:sellerId': {
    summary:
      'Choose how the pieces of a maker arrive, with a note to the maker. What is missing stays as it is',
    params: z.object({ sellerId: PathId }),
    body: z.object({
      /** Null: by post, where that is possible. */
      pickup_id: z.optional(z.nullable(z.int(PLACE).check(z.positive(PLACE)))),
      note: z.optional(optionalText('Note', NOTE_LENGTH)),
    }),
    response: Checkout,
  },
})
