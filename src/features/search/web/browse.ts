import { type LoaderFunctionArgs, redirect } from 'react-router'
import { CATEGORIES } from '#products/categories.ts'
import { PAGE_SIZE } from '#products/web/pageSize.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { SORTS } from '../constants.ts'
import type { Counts, FoundPage } from '../contract.ts'
import { addressOf, PARAMETERS, type Query } from './filterQuery.ts'
import type { RelaxedFilter } from './relaxFilters.ts'

/** A part of a list, and what it was narrowed by. */
export interface Browsed {
  page: FoundPage
  counts: Counts
  query: Query
  /** Where nothing matches: what would help. */
  loosened: RelaxedFilter[]
  /** Why the address asks for nothing that can be. */
  refused?: string
}

const nothing = {
  page: { products: [], next_cursor: null },
  counts: { count: 0, more: false, categories: [] },
  loosened: [],
}

/**
 * The listings that an address asks for. `fixed` is what the page stands for and no parameter changes.
 * @throws a redirect to the one address of what a form asks for: without its empty fields, and without choices that none of
 * our forms offers
 */
export async function browse(
  args: LoaderFunctionArgs,
  fixed: { category?: string; seller?: string } = {},
): Promise<Browsed> {
  const { pathname, searchParams } = new URL(args.request.url)
  const full = [...searchParams].filter(([name, value]) => value.trim() !== '' && isOffered(name, value))
  if (full.length < searchParams.size) throw redirect(addressOf(pathname, Object.fromEntries(full)))
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
  if (!list.answer || !counted.answer) {
    const refused = cursor !== undefined && counted.answer ? NO_SUCH_PART : (problem?.message ?? '')
    return { ...nothing, query, refused }
  }
  const empty = list.answer.products.length === 0 && cursor === undefined
  return {
    page: list.answer,
    counts: counted.answer,
    query,
    // Its script comes where nothing was found, which is seldom.
    loosened: empty
      ? await (await import('./relaxFilters.ts')).relaxFilters(ask, pathname, query, fixed)
      : [],
  }
}

const NO_SUCH_PART = 'This part of the list cannot be found. Press Show to see its beginning.'

/** What can be chosen where there is a choice. */
const OFFERED: Record<string, readonly string[]> = {
  sort: SORTS,
  category: CATEGORIES,
  rating: ['1', '2', '3', '4', '5'],
  in_stock: ['true', 'false'],
}
const isOffered = (name: string, value: string) =>
  !Object.hasOwn(OFFERED, name) || OFFERED[name]?.includes(value)
