import * as z from 'zod/mini'
import { defineCalls, Id, ListQuery, Money, PathId } from '#contract'
import { Image } from '#images/contract.ts'
import { CATEGORIES } from '#products/categories.ts'
import { Listing, ListingPage } from '#products/contract.ts'
import { Filters, ListingQuery, pricesInOrder, Words } from './query.ts'

const FoundPage = z.extend(ListingPage, {
  /** The corrected query, if no listing has the words as typed. */
  read_as: z.optional(z.string()),
  /** Some words were dropped, because no listing has all. */
  fewer: z.optional(z.boolean()),
})
export type FoundPage = z.infer<typeof FoundPage>

/** An exact count, or a lower bound with `more`. */
const Counted = z.object({ count: z.number(), more: z.boolean() })
export type Counted = z.infer<typeof Counted>

const Counts = z.extend(Counted, {
  /** Ignoring the category filter. */
  categories: z.array(z.extend(Counted, { category: z.enum(CATEGORIES) })),
})
export type Counts = z.infer<typeof Counts>

const Suggestions = z.object({
  listings: z.array(
    z.object({ id: Id, name: z.string(), price: Money, price_varies: z.boolean(), image: z.nullable(Image) }),
  ),
  /** `name` is as on cards: first and last name, or the name of the shop, or the username. */
  makers: z.array(z.object({ username: z.string(), name: z.string() })),
  categories: z.array(z.enum(CATEGORIES)),
})
export type Suggestions = z.infer<typeof Suggestions>

export const calls = defineCalls({
  'GET /api/products/': {
    summary: 'Listings, newest first by default; filtered and searched by the parameters',
    visibility: 'public',
    query: ListingQuery,
    response: FoundPage,
  },
  'GET /api/products/counts': {
    summary:
      'How many listings the filters leave, in all and by category; where there is more than that, it says so',
    visibility: 'public',
    query: Filters.check(pricesInOrder),
    response: Counts,
  },
  'GET /api/products/suggestions': {
    summary: 'Listings, makers and categories for what has been typed so far',
    visibility: 'public',
    query: z.object({ q: Words }),
    response: Suggestions,
  },
  'GET /api/products/current': {
    summary: 'Own listings, newest first',
    query: ListQuery,
    response: ListingPage,
  },
  'GET /api/products/:id/similar': {
    summary: 'Listings like this one: similar words, category or maker',
    visibility: 'public',
    params: z.object({ id: PathId }),
    response: z.object({ products: z.array(Listing) }),
  },
})
