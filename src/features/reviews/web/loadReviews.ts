import type { Ask } from '#ui/api-client.ts'
import type { Review } from '../contract.ts'
import { SORTS, type Sort } from '../sorts.ts'

/** How many reviews a page shows before it offers more. */
const PAGE_SIZE = 24

/** What a product page shows of what people say of the piece. */
export interface Shown {
  reviews: Review[]
  /** How many gave one star, how many two, up to five. */
  counts: number[]
  /** The own review, none for a visitor. */
  own: Review | null
  sort: Sort
  /** Only reviews of so many stars are shown. */
  stars: number | undefined
  /** Where the list goes on. */
  next: string | null
}

/** Parameters of a product's address that choose among its reviews. */
export const selects = ['sort', 'stars', 'cursor'] as const

/** What an address asks of the reviews. What it cannot ask counts as not asked. */
function askedOf(params: URLSearchParams) {
  const stars = params.get('stars') ?? ''
  return {
    sort: SORTS.find(sort => sort === params.get('sort')) ?? 'newest',
    stars: /^[1-5]$/.test(stars) ? Number(stars) : undefined,
    cursor: params.get('cursor') ?? undefined,
  }
}

/** The calls for the first look at the reviews of a listing, as they are asked for early. */
export const firstLook = (productId: number | string) => ({
  params: { productId },
  query: { limit: PAGE_SIZE + 1, sort: undefined, stars: undefined, cursor: undefined },
})

/** The part of the reviews that an address asks for. */
export async function loadReviews(
  ask: Ask,
  productId: number | string,
  search: URLSearchParams,
): Promise<Shown> {
  const { sort, stars, cursor } = askedOf(search)
  const { params, query } = firstLook(productId)
  const order = sort === 'newest' ? undefined : sort
  const [found, histogram, own] = await Promise.all([
    ask('GET /api/reviews/:productId/reviews', { params, query: { ...query, sort: order, stars, cursor } }),
    ask('GET /api/reviews/:productId/histogram', { params }),
    ask('GET /api/reviews/:productId/own', { params }),
  ])
  const reviews = found.slice(0, PAGE_SIZE)
  const next = found.length > PAGE_SIZE ? (reviews.at(-1)?.cursor ?? null) : null
  return { reviews, counts: histogram.stars, own: own[0] ?? null, sort, stars, next }
}
