import { shopOf } from '#accounts/web/MakerLink.tsx'
import { categoryAddress } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { selects as ofReviews } from '#reviews/web/loadReviews.ts'
import { calls } from '#search/contract.ts'
import { ofCategory, ofListing, ofMaker, ofShop, pictureOf } from '#social-images/contract.ts'
import type { Head } from '../ui/meta-tags.ts'
import type { InCategory } from './pages/category.route.ts'
import type { loader as productLoader } from './pages/product.route.ts'
import type { SellerFound } from './pages/seller.route.ts'
import * as things from './structured-data.ts'

/** What the list of listings can be asked for, page, order and filters. */
const selects = Object.keys(calls['GET /api/products/'].query.def.shape)

/** The filters of an address: a feed is about what is found, not about which part is looked at in which order. */
const filters = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => selects.includes(name) && !PAGING.includes(name)))
const PAGING = ['cursor', 'limit', 'sort']

const landing: Head = {
  selects,
  picture: () => pictureOf(ofShop),
  feed: (_, query) => filters(query),
  things: (_, at) => things.shop(at),
}

/** What was searched for is nothing to be found by searching. */
const search: Head = { ...landing, listed: false }

const category: Head<InCategory> = {
  address: ({ category }) => categoryAddress(category),
  selects,
  picture: ({ category }) => pictureOf(ofCategory(category)),
  feed: ({ category }, query) => ({ ...filters(query), category }),
  things: ({ category }, at) => [things.trail(at, category)],
}

const product: Head<Awaited<ReturnType<typeof productLoader>>> = {
  address: ({ listing }) => listingPath(listing),
  selects: ofReviews,
  type: 'product',
  picture: ({ listing }) => pictureOf(ofListing(listing)),
  things: ({ listing, shown }, at) => [
    things.piece(at, listing, shown.reviews),
    things.trail(at, listing.category, listing),
  ],
}

/** What a maker's page tells the world outside. Usernames have one address, whatever case was asked for. */
const seller: Head<SellerFound> = {
  address: ({ shop }) => shopOf(shop.username),
  selects,
  type: 'profile',
  picture: ({ shop }) => pictureOf(ofMaker(shop)),
  feed: ({ shop }, query) => ({ ...filters(query), seller: shop.username }),
  things: ({ shop }, at) => [things.profile(at, shop)],
}

/** Path of the feeds of listings, without its ending: see features/feeds/routes.ts. */
export const FEEDS = '/feeds/listings'

/** What public pages tell the world outside, by the paths in routes.tsx. A page that is not here is private. */
export const heads: Record<string, Head> = {
  '/': landing,
  '/search': search,
  '/categories/:slug': category,
  '/products/:productId': product,
  '/products/:productId/:slug': product,
  '/shops/:username': seller,
}
