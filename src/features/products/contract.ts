import * as z from 'zod/mini'
import { Done, defineCalls, Id, idempotent, Moment, Money, PathId, requiredNumber, text } from '#contract'
import { Image } from '#images/contract.ts'
import { hasCents } from '#money'
import { CATEGORIES } from './categories.ts'

export const MAX_PRICE = 999_999.99
export const MAX_STOCK = 1_000_000
export const NAME_LENGTH = 50
export const DESCRIPTION_LENGTH = 255

export const Listing = z.object({
  id: Id,
  name: z.string(),
  category: z.string(),
  description: z.string(),
  price: Money,
  stock: z.number(),
  created_at: Moment,
  seller_id: Id,
  /** The seller's username. */
  seller: z.string(),
  images: z.array(Image),
  /** Mean stars with one decimal, null without reviews. */
  rating: z.nullable(z.number()),
  review_count: z.number(),
  /** Grows with each change of the seller's fields, but not with the stock. */
  version: z.number(),
})
export type Listing = z.infer<typeof Listing>

const Category = text('Category', {
  required: 'Category is required',
  max: [50, 'Category cannot be more than 50 characters'],
}).check(
  z.refine(
    value => (CATEGORIES as readonly string[]).includes(value),
    `Category must be one of: ${CATEGORIES.join(', ')}`,
  ),
)

export const MANY_DECIMALS = 'Price cannot have more than two decimals'
const Price = requiredNumber('Price is required', 'Price must be a number').check(
  z.positive({ error: 'Price must be a positive number', abort: true }),
  z.maximum(MAX_PRICE, { error: 'Price cannot be more than 999,999.99', abort: true }),
  z.refine(hasCents, MANY_DECIMALS),
)

const NO_STOCK = 'Stock must be a positive number'
/** Refusal of a change based on an older version. */
export const CHANGED_MEANWHILE = 'This listing was changed meanwhile'
export const TOO_MUCH_STOCK = 'Stock cannot be more than 1,000,000'
const stock = (minimum: ReturnType<typeof z.positive>) =>
  requiredNumber('Stock is required', 'Stock must be a number').check(
    minimum,
    z.maximum(MAX_STOCK, { error: TOO_MUCH_STOCK, abort: true }),
    z.refine(Number.isInteger, 'Stock must be a whole number'),
  )

/** A listing as its seller writes it. */
export const ListingDraft = z.object({
  name: text('Name', {
    required: 'Name is required',
    max: [NAME_LENGTH, `Name cannot be more than ${NAME_LENGTH} characters`],
  }),
  category: Category,
  description: text('Description', {
    required: 'Description is required',
    max: [DESCRIPTION_LENGTH, `Description cannot be more than ${DESCRIPTION_LENGTH} characters`],
  }),
  price: Price,
  stock: stock(z.positive({ error: NO_STOCK, abort: true })),
})
export type ListingDraft = z.infer<typeof ListingDraft>

export const MAX_HANDLING_DAYS = 180
/** As the column has it. */
export const USUAL_HANDLING_DAYS = 3
const WRONG_DAYS = `Days until it is ready must be a whole number from 1 to ${MAX_HANDLING_DAYS}`
/** How a listing is sent. What is left out stays as it is; in a new listing it is as said here. */
export const Handling = z.object({
  /** One of the seller's own; null, and in a new listing: their default one. */
  postage_profile_id: z.optional(
    z.nullable(z.int('Postage must be the id of a profile').check(z.positive())),
  ),
  /** In a new listing false. */
  made_to_order: z.optional(z.boolean('Made to order must be true or false')),
  /** Most days until it is ready to send; in a new listing 3. */
  handling_days: z.optional(
    z.int(WRONG_DAYS).check(z.minimum(1, WRONG_DAYS), z.maximum(MAX_HANDLING_DAYS, WRONG_DAYS)),
  ),
})
export type Handling = z.infer<typeof Handling>
/** A new listing. */
export const NewListing = z.extend(ListingDraft, Handling.shape)
export type NewListing = z.infer<typeof NewListing>

const wrongStockShown = 'Stock shown must be a whole number, 0 or more'
/**
 * A change of a listing. With `stock_shown`, the stock that the seller saw, only the difference is applied, so that
 * concurrent sales stay sold. Without it the stock is set, as the specification says for a full listing; forms
 * always send it, and clients that edit should too. A stock of 0 can stay, but not be chosen.
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
      // Reported together with the other errors, not after them.
      when: () => true,
    }),
  )
export type ListingChange = z.infer<typeof ListingChange>

const VERSION = 'Expected-Version must be a whole number above 0'
/** Without these headers the listing is replaced unconditionally. */
const ChangeHeaders = z.extend(
  idempotent('Names this sending. With stock_shown, the same key again brings no more pieces.'),
  {
    'expected-version': z.optional(
      z.pipe(
        z
          .string(VERSION)
          .check(
            z.regex(/^[1-9]\d{0,9}$/, VERSION),
            z.describe(
              'The version that the seller saw. Where the listing has another one and other contents: 409, and no change.',
            ),
          ),
        z.transform(Number),
      ),
    ),
  },
)

export const ListingPage = z.object({ products: z.array(Listing), next_cursor: z.nullable(z.string()) })
export type ListingPage = z.infer<typeof ListingPage>

const one = z.object({ id: PathId })

export const calls = defineCalls({
  'GET /api/products/:id': { summary: 'One listing', visibility: 'public', params: one, answer: Listing },
  'POST /api/products/': {
    summary: 'Add a listing',
    headers: idempotent('Names this sending. The same key again is the same listing, with what is sent now.'),
    body: NewListing,
    answer: Listing,
    status: 201,
  },
  'PUT /api/products/:id': {
    summary:
      'Update a listing. With stock_shown, what was sold since stays sold; without it the stock is set',
    params: one,
    headers: ChangeHeaders,
    body: ListingChange,
    answer: Listing,
  },
  'DELETE /api/products/:id': { summary: 'Delete a listing', params: one, answer: Done },
  'POST /api/products/:id/images': {
    summary: 'Add a photo to a listing (multipart, field "image")',
    params: one,
    consumes: 'multipart',
    answer: Image,
    status: 201,
  },
})
