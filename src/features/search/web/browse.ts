import { type LoaderFunctionArgs, redirect } from 'react-router'
import { idIn } from '#id'
import { CATEGORIES } from '#products/categories.ts'
import { type CardListing, cardListings } from '#products/web/card-listing.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { SORTS } from '../constants.ts'
import type { Counts, FoundPage } from '../contract.ts'
import { PARAMETERS, type Query, urlWith } from './filterQuery.ts'
import type { RelaxedFilter } from './relaxFilters.ts'

/** A page of a list with its filters. */
export interface Browsed {
  page: Omit<FoundPage, 'products'> & { products: CardListing[] }
  counts: Counts
  query: Query
  /** If nothing matches: filters to drop. */
  relaxed: RelaxedFilter[]
  /** Message for an invalid query. */
  refused?: string
}

const nothing = {
  page: { products: [], next_cursor: null },
  counts: { count: 0, more: false, categories: [] },
  relaxed: [],
}

/**
 * Listings of an address. `fixed` has filters that the page itself sets.
 * @throws a redirect to the canonical address: without empty fields and unknown choices, or a cursor that nothing follows
 */
export async function browse(
  args: LoaderFunctionArgs,
  fixed: { category?: string; seller?: string } = {},
): Promise<Browsed> {
  const { pathname, searchParams } = new URL(args.request.url)
  const full = [...searchParams].filter(([name, value]) => value.trim() !== '' && isOffered(name, value))
  if (full.length < searchParams.size) throw redirect(urlWith(pathname, Object.fromEntries(full)))
  const query: Query = Object.fromEntries(
    PARAMETERS.flatMap(name => (searchParams.has(name) ? [[name, searchParams.get(name)]] : [])),
  )
  const ask = apiOf(args)
  const { sort: _, cursor, ...filters } = { ...query, ...fixed }
  const [list, counted] = await Promise.all([
    attempt(ask('GET /api/products/', { query: { ...query, ...fixed, limit: PAGE_SIZE } })),
    attempt(ask('GET /api/products/counts', { query: filters })),
  ])
  const problem = list.problem ?? counted.problem
  if (problem && problem.status !== 400) throw problem
  if (!list.response || !counted.response) {
    const refused = cursor !== undefined && counted.response ? NO_SUCH_PART : (problem?.message ?? '')
    return { ...nothing, query, refused }
  }
  const { products } = list.response
  const isEmpty = products.length === 0
  // The pieces of a further page are gone.
  if (isEmpty && cursor !== undefined) throw redirect(urlWith(pathname, { ...query, cursor: undefined }))
  return {
    page: { ...list.response, products: cardListings(products) },
    counts: counted.response,
    query,
    // Loaded only for an empty list, which is rare.
    relaxed: isEmpty
      ? await (await import('./relaxFilters.ts')).relaxFilters(ask, pathname, query, fixed)
      : [],
  }
}

const NO_SUCH_PART = 'This part of the list cannot be found. Press Show to see its beginning.'

/** Valid choices by parameter. */
const OFFERED: Record<string, readonly string[]> = {
  sort: SORTS,
  category: CATEGORIES,
  rating: ['1', '2', '3', '4', '5'],
  in_stock: ['true', 'false'],
}
const isOffered = (name: string, value: string) =>
  name === 'section'
    ? idIn(value) !== undefined
    : !Object.hasOwn(OFFERED, name) || OFFERED[name]?.includes(value)
