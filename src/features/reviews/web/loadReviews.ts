import { type Ask, attempt } from '#ui/api-client.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import type { OwnReview, Review } from '../contract.ts'
import { SORTS, type Sort } from '../sorts.ts'

/** Review data of a product page. */
export interface LoadedReviews {
  reviews: Review[]
  /** Number of reviews with 1 to 5 stars. */
  counts: number[]
  /** The viewer's own review, also a hidden one. Null without one. */
  own: OwnReview | null
  sort: Sort
  /** The star filter. */
  stars: number | undefined
  /** Cursor of the next page. */
  next: string | null
}

/** Query parameters of a product page that select reviews. */
export const selects = ['sort', 'stars', 'cursor'] as const

/** The query of the part of the reviews that an address shows: '?sort=…&stars=…&cursor=…', empty for the first one. */
export function partIn(search: string): string {
  const names: string[] = [...selects, 'before']
  const query = [...new URLSearchParams(search)].filter(([name]) => names.includes(name))
  return query.length > 0 ? `?${new URLSearchParams(query)}` : ''
}

/** Query of an address. Invalid values are ignored. */
function filtersOf(params: URLSearchParams) {
  const stars = params.get('stars') ?? ''
  return {
    sort: SORTS.find(sort => sort === params.get('sort')) ?? 'newest',
    stars: /^[1-5]$/.test(stars) ? Number(stars) : undefined,
    cursor: params.get('cursor') ?? undefined,
  }
}

/** The calls for the first page of reviews, for a prefetch. */
export const firstPage = (productId: number | string) => ({
  params: { productId },
  query: { limit: PAGE_SIZE + 1, sort: undefined, stars: undefined, cursor: undefined },
})

/** The page of reviews that an address selects. */
export async function loadReviews(
  ask: Ask,
  productId: number | string,
  search: URLSearchParams,
): Promise<LoadedReviews> {
  const { sort, stars, cursor } = filtersOf(search)
  const { params, query } = firstPage(productId)
  const order = sort === 'newest' ? undefined : sort
  const list = (cursor?: string) =>
    ask('GET /api/reviews/:productId/reviews', { params, query: { ...query, sort: order, stars, cursor } })
  const [found, histogram, own] = await Promise.all([
    cursor === undefined ? list() : listFrom(cursor, list),
    ask('GET /api/reviews/:productId/histogram', { params }),
    ask('GET /api/reviews/:productId/own', { params }),
  ])
  const reviews = found.slice(0, PAGE_SIZE)
  const next = found.length > PAGE_SIZE ? (reviews.at(-1)?.cursor ?? null) : null
  return { reviews, counts: histogram.stars, own: own[0] ?? null, sort, stars, next }
}

/** From a cursor, or from the beginning if it is none of the shop's. */
async function listFrom(cursor: string, list: (cursor?: string) => Promise<Review[]>): Promise<Review[]> {
  const { response, problem } = await attempt(list(cursor))
  if (problem && problem.status !== 400) throw problem
  return response ?? list()
}
