import * as z from 'zod/mini'
import { IdInQuery, ListQuery, text } from '#contract'
import { CATEGORIES } from '#products/categories.ts'
import { PRICES_CROSSED, QUERY_LENGTH, SORTS } from './constants.ts'

// Query parameters of lists of listings. Part of the contract.

const priceBound = (name: string) => {
  const message = `${name} must be an amount from 0 to 999,999.99`
  return z.pipe(
    z.string(message).check(z.regex(/^(?:\d{1,6}(?:\.\d{1,2})?|\.\d{1,2})$/, message)),
    z.transform(Number),
  )
}
const oneToFive = 'Rating must be a whole number from 1 to 5'
const trueOrFalse = 'In stock must be true or false'

export const Words = text('Search', {
  required: 'Search for at least one character',
  max: [QUERY_LENGTH, `Search cannot be more than ${QUERY_LENGTH} characters`],
})

/** Filters, all optional. */
export const Filters = z.object({
  /** Words in any inflection, by prefix or misspelled. */
  q: z.optional(Words),
  category: z.optional(z.enum(CATEGORIES, `Category must be one of: ${CATEGORIES.join(', ')}`)),
  /** Username, ignoring case. */
  seller: z.optional(
    text('Seller', { required: 'Seller is required', max: [100, 'There is no such seller'] }),
  ),
  /** Id of a section of a seller's shop. */
  section: z.optional(IdInQuery),
  min: z.optional(priceBound('Minimum price')),
  max: z.optional(priceBound('Maximum price')),
  in_stock: z.optional(
    z.pipe(
      z.enum(['true', 'false'], trueOrFalse),
      z.transform(value => value === 'true'),
    ),
  ),
  /** Minimum of the mean stars as shown. */
  rating: z.optional(z.pipe(z.string(oneToFive).check(z.regex(/^[1-5]$/, oneToFive)), z.transform(Number))),
})
export type Filters = z.infer<typeof Filters>

/** For anything with both prices. */
export const pricesInOrder = z.refine<Pick<Filters, 'min' | 'max'>>(
  ({ min, max }) => min === undefined || max === undefined || min <= max,
  { error: PRICES_CROSSED, path: ['min'] },
)

/** Filters, order and paging. */
export const ListingQuery = z
  .extend(z.extend(ListQuery, Filters.shape), {
    sort: z.optional(z.enum(SORTS, `Sort must be one of: ${SORTS.join(', ')}`)),
  })
  .check(pricesInOrder)
export type ListingQuery = z.infer<typeof ListingQuery>
