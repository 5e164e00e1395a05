import { shopPath } from '#accounts/web/MakerLink.tsx'
import { categoryPath } from '#products/categories.ts'
import { listingPath } from '#products/slug.ts'
import { selects as ofReviews } from '#reviews/web/loadReviews.ts'
import { calls } from '#search/contract.ts'
import { directoryCalls } from '#sellers/directory-contract.ts'
import { categoryShare, homeShare, listingShare, pictureOf, sellerShare } from '#social-images/contract.ts'
import type { Head } from '../ui/meta-tags.ts'
import type { InCategory } from './pages/category.route.ts'
import type { loader as productLoader } from './pages/product.route.ts'
import type { SellerFound } from './pages/seller.route.ts'
import * as jsonLd from './structured-data.ts'

/** Parameters of lists: filters, order and paging. */
const selects = Object.keys(calls['GET /api/products/'].query.def.shape)

/** The filters of an address, for its feed: order and paging do not matter. */
const filters = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => selects.includes(name) && !PAGING.includes(name)))
const PAGING = ['cursor', 'limit', 'sort']

const landing: Head = {
  selects,
  picture: (_, brand) => pictureOf(homeShare(brand), brand),
  feed: (_, query) => filters(query),
  structuredData: (_, origin, brand) => jsonLd.site(origin, brand),
}

/** Search engines should not list search results. */
const search: Head = { ...landing, listed: false }

const category: Head<InCategory> = {
  address: ({ category }) => categoryPath(category),
  selects,
  picture: ({ category }, brand) => pictureOf(categoryShare(category), brand),
  feed: ({ category }, query) => ({ ...filters(query), category }),
  structuredData: ({ category }, origin, brand) => [jsonLd.breadcrumbs(origin, brand, category)],
}

const product: Head<Awaited<ReturnType<typeof productLoader>>> = {
  address: ({ listing }) => listingPath(listing),
  selects: ofReviews,
  type: 'product',
  picture: ({ listing }, brand) => pictureOf(listingShare(listing), brand),
  structuredData: ({ listing, details, shown, postage }, origin, brand) => [
    jsonLd.product(origin, listing, details, shown.reviews, postage, brand),
    jsonLd.breadcrumbs(origin, brand, listing.category, listing),
  ],
}

/** Meta tags of a seller's page. Its address has the username's own case. */
const seller: Head<SellerFound> = {
  address: ({ shop }) => shopPath(shop.username),
  selects,
  type: 'profile',
  picture: ({ shop }, brand) => pictureOf(sellerShare(shop), brand),
  feed: ({ shop }, query) => ({ ...filters(query), seller: shop.username }),
  structuredData: ({ shop }, origin) => [jsonLd.profilePage(origin, shop)],
}

/** A page about the shop. */
const about: Head = { picture: (_, brand) => pictureOf(homeShare(brand), brand) }

/** The directory of makers. */
const makers: Head = {
  selects: Object.keys(directoryCalls['GET /api/makers'].query.def.shape),
  picture: (_, brand) => pictureOf(homeShare(brand), brand),
}

/** Path of the feeds of listings, without extension: see features/feeds/routes.ts. */
export const FEEDS = '/feeds/listings'

/** Meta tags of public pages, by the paths in routes.tsx. Other pages are private. */
export const heads: Record<string, Head> = {
  '/': landing,
  '/search': search,
  '/categories/:slug': category,
  '/products/:productId': product,
  '/products/:productId/:slug': product,
  '/shops/:username': seller,
  '/:slug': about,
  '/makers': makers,
}
