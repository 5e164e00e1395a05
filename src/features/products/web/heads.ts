import { selects as reviews } from '#reviews/web/reviewsOf.ts'
import { ofCategory, ofListing, ofShop, pictureOf } from '#social-images/contract.ts'
import type { Head } from '#ui/meta-tags.ts'
import { categoryAddress } from '../categories.ts'
import { calls } from '../contract.ts'
import { listingPath } from '../slug.ts'
import type { InCategory } from './category.ts'
import type { loader as productLoader } from './product.ts'
import * as things from './things.ts'

/** What the list of listings can be asked for, page, order and filters. */
export const selects = Object.keys(calls['GET /api/products/'].query.def.shape)

export const product: Head<Awaited<ReturnType<typeof productLoader>>> = {
  address: ({ listing }) => listingPath(listing),
  selects: reviews,
  type: 'product',
  picture: ({ listing }) => pictureOf(ofListing(listing)),
  things: ({ listing, shown }, at) => [
    things.piece(at, listing, shown.reviews),
    things.trail(at, listing.category, listing),
  ],
}

/** The filters of an address: a feed is about what is found, not about which part is looked at in which order. */
export const filters = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => selects.includes(name) && !PAGING.includes(name)))
const PAGING = ['cursor', 'limit', 'sort']

export const landing: Head = {
  selects,
  picture: () => pictureOf(ofShop),
  feed: (_, query) => filters(query),
  things: (_, at) => things.shop(at),
}

/** What was searched for is nothing to be found by searching. */
export const search: Head = { ...landing, listed: false }

export const category: Head<InCategory> = {
  address: ({ category }) => categoryAddress(category),
  selects,
  picture: ({ category }) => pictureOf(ofCategory(category)),
  feed: ({ category }, query) => ({ ...filters(query), category }),
  things: ({ category }, at) => [things.trail(at, category)],
}
