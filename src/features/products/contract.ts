import * as z from 'zod/mini'
import { Done, defineCalls, expectedVersion, Id, idempotent, Moment, Money, PathId } from '#contract'
import { Image, ONE_PHOTO, PhotoOrder } from '#images/contract.ts'
import { bulkCalls, ShelfQuery } from './bulk-contract.ts'
import { Details, ListingDetails } from './details-contract.ts'
import {
  DESCRIPTION_LENGTH,
  Handling,
  MANY_DECIMALS,
  MAX_HANDLING_DAYS,
  MAX_PRICE,
  MAX_STOCK,
  NAME_LENGTH,
  NO_STOCK,
  RequiredFields,
  STOCK_SEPARATOR,
  stock,
  TOO_MUCH_STOCK,
  USUAL_HANDLING_DAYS,
} from './fields-contract.ts'
import { LISTING_BYTES } from './variations-contract.ts'

export {
  DESCRIPTION_LENGTH,
  Handling,
  MANY_DECIMALS,
  MAX_HANDLING_DAYS,
  MAX_PRICE,
  MAX_STOCK,
  NAME_LENGTH,
  RequiredFields,
  STOCK_SEPARATOR,
  TOO_MUCH_STOCK,
  USUAL_HANDLING_DAYS,
}

/** Refusal of a change based on an older version. */
export const CHANGED_MEANWHILE = 'This listing was changed meanwhile'
/** Refusal of another listing with the idempotency key of an earlier one. @param name of the earlier one */
export const addedAlready = (name: string): string =>
  `${name} was added with this form already. To add another piece, send the form again. To correct ${name}, or to add its photos, go to Your Listings`

/** Own listings as a table, in the form of Etsy's file. */
export const LISTINGS_TABLE = '/api/listings/export.csv'
/** Own listings with their photos. */
export const LISTINGS_ARCHIVE = '/api/listings/export.zip'

export const Listing = z.object({
  id: Id,
  name: z.string(),
  category: z.string(),
  description: z.string(),
  /** With variations the lowest one. */
  price: Money,
  /** Whether some combinations cost more. */
  price_varies: z.boolean(),
  stock: z.number(),
  created_at: Moment,
  seller_id: Id,
  /** The seller's username. */
  seller: z.string(),
  /** Their name as pages show it: first and last name, or the name of their shop, or the username. */
  maker_name: z.string(),
  /** The same with their place: 'Wren Thistledown, Bristol'. */
  maker: z.string(),
  /** Address of the seller's picture, in its smallest size. Null without one. */
  maker_picture: z.nullable(z.string()),
  images: z.array(Image),
  /** Mean stars with one decimal, null without reviews. */
  rating: z.nullable(z.number()),
  review_count: z.number(),
  /** Grows with each change of the seller's fields and photos, but not with the stock. */
  version: z.number(),
})
export type Listing = z.infer<typeof Listing>

/** A listing as its seller writes it. */
export const ListingFields = z.extend(RequiredFields, Details.shape)
export type ListingFields = z.infer<typeof ListingFields>

/** A new listing. */
export const NewListing = z.extend(ListingFields, Handling.shape)
export type NewListing = z.infer<typeof NewListing>

const wrongStockShown = 'Stock shown must be a whole number, 0 or more'
/**
 * A change of a listing. With `stock_shown`, the stock that the seller saw, only the difference is applied: what is sold
 * meanwhile stays sold. Clients that edit should send it; without it the stock is set. A stock of 0 can stay, but not be chosen.
 */
export const ListingChange = z
  .extend(NewListing, {
    id: z.optional(Id),
    stock: stock(z.nonnegative({ error: NO_STOCK, abort: true })),
    stock_shown: z.optional(z.int(wrongStockShown).check(z.nonnegative(wrongStockShown))),
  })
  .check(
    z.refine(({ stock, stock_shown }) => stock !== 0 || stock_shown === 0, {
      error: NO_STOCK,
      path: ['stock'],
      when: () => true, // Reported together with the other errors, not after them.
    }),
  )
export type ListingChange = z.infer<typeof ListingChange>

/** Without these headers the listing is replaced unconditionally. */
const ChangeHeaders = z.extend(
  idempotent('Names this sending. With stock_shown, the same key again brings no more pieces.'),
  {
    'expected-version': expectedVersion(
      'Where the listing has another one and other contents: 409, and no change.',
    ),
  },
)

export const ListingPage = z.object({ products: z.array(Listing), next_cursor: z.nullable(z.string()) })
export type ListingPage = z.infer<typeof ListingPage>

/** A listing as its seller sees it among their own. */
export const ShelfListing = z.extend(Listing, {
  /** The first of these that is true. Away: its seller is on holiday. */
  state: z.enum(['suspended', 'hidden', 'retired', 'sold-out', 'away', 'for-sale']),
  /** Id of the decision that hides or suspends it. Null if neither does. */
  notice_id: z.nullable(Id),
  /** Whether its combinations have prices and stock of their own. */
  is_varied: z.boolean(),
  /** Units that were ordered, without the cancelled ones. */
  sold: z.number(),
})
export type ShelfListing = z.infer<typeof ShelfListing>
export const ShelfPage = z.object({ products: z.array(ShelfListing), next_cursor: z.nullable(z.string()) })
export type ShelfPage = z.infer<typeof ShelfPage>

const one = z.object({ id: PathId })

/** Listings that lack something: how many, and the first five. */
const LackingSafety = z.object({
  count: z.number(),
  first: z.array(z.object({ id: Id, name: z.string() })),
})
export type LackingSafety = z.infer<typeof LackingSafety>

export const calls = defineCalls({
  'GET /api/products/:id': { summary: 'One listing', visibility: 'public', params: one, response: Listing },
  'GET /api/products/:id/details': {
    summary: 'What else its seller says of a listing: story, tags, materials, size, section',
    visibility: 'public',
    params: one,
    response: ListingDetails,
  },
  'GET /api/products/lacking-safety': {
    summary: 'Own listings for sale that lack what operators require of product safety',
    response: LackingSafety,
  },
  'GET /api/products/shelf': {
    summary: 'Own listings, hidden ones too, or the retired ones, filtered and sorted',
    query: ShelfQuery,
    response: ShelfPage,
  },
  ...bulkCalls,
  'POST /api/products/': {
    summary: 'Add a listing',
    headers: idempotent(
      'Names this sending. The same key again is the same listing, with what is sent now; 422 for another name.',
    ),
    body: NewListing,
    response: Listing,
    status: 201,
    maxBytes: LISTING_BYTES,
  },
  'PUT /api/products/:id': {
    summary:
      'Update a listing. With stock_shown, what was sold since stays sold; without it the stock is set',
    params: one,
    headers: ChangeHeaders,
    body: ListingChange,
    response: Listing,
    maxBytes: LISTING_BYTES,
  },
  'POST /api/products/:id/retire': {
    summary: 'Retire a listing: deleted for everybody, until its seller brings it back',
    params: one,
    response: Done,
  },
  'POST /api/products/:id/restore': {
    summary: 'Bring a retired listing back, with its address, reviews, photos and stock',
    params: one,
    response: Listing,
  },
  'DELETE /api/products/:id': { summary: 'Delete a listing', params: one, response: Done },
  'POST /api/products/:id/images': {
    summary: 'Add a photo to a listing (multipart, field "image")',
    params: one,
    headers: idempotent(ONE_PHOTO),
    consumes: 'multipart',
    response: Image,
    status: 201,
  },
  'PUT /api/products/:id/images': {
    summary: 'Order the photos of a listing, with their alt texts; those that are left out are removed',
    params: one,
    headers: z.object({
      'expected-version': expectedVersion(
        'Where the listing has another one and other photos: 409, and no change.',
      ),
    }),
    body: PhotoOrder,
    response: Listing,
  },
})
