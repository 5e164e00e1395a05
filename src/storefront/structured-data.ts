import type {
  BreadcrumbList,
  ListItem,
  Organization,
  Product,
  ProductGroup,
  ProfilePage,
  QuantitativeValue,
  Review,
  SearchAction,
  WebSite,
} from 'schema-dts'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { type Brand, iconPath } from '#brand'
import type { Image } from '#images/contract.ts'
import type { ListingPostage } from '#postage/contract.ts'
import { type Category, categoryPath } from '#products/categories.ts'
import { combinationName } from '#products/combination-name.ts'
import type { Listing } from '#products/contract.ts'
import type { ListingDetails } from '#products/details-contract.ts'
import { listingPath } from '#products/slug.ts'
import type { Variations } from '#products/variations-contract.ts'
import type { Review as ListedReview } from '#reviews/contract.ts'
import type { Shop } from '#sellers/contract.ts'
import { listingShare, shareImagePath } from '#social-images/contract.ts'
import { offer } from './structured-offer.ts'

/**
 * Structured data (schema.org) for search engines. Addresses are absolute: `origin` is the shop's. Properties:
 * https://developers.google.com/search/docs/appearance/structured-data.
 */

/** Maximum number of reviews of a listing. */
const MAX_REVIEWS = 3

/** The shop and its search. */
export const site = (origin: string, brand: Brand): [Organization & object, WebSite & object] => {
  const { name, description } = brand
  const search: SearchAction & { 'query-input': string } = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search?q={words}` },
    'query-input': 'required name=words',
  }
  return [
    {
      '@type': 'Organization',
      name,
      description,
      url: `${origin}/`,
      logo: origin + iconPath(brand, 'icon-512.png'),
    },
    { '@type': 'WebSite', name, description, url: `${origin}/`, potentialAction: search },
  ]
}

/** A listing with its offer and reviews. */
export function product(
  origin: string,
  listing: Listing,
  details: ListingDetails,
  reviews: readonly ListedReview[],
  postage: ListingPostage,
  shop: Brand,
): (Product | ProductGroup) & object {
  const { id, name, description, category, images, rating, review_count } = listing
  const photos = images.filter(({ width }) => width !== null).map(({ url }) => origin + url)
  return {
    name,
    description,
    category,
    url: origin + listingPath(listing),
    brand: { '@type': 'Brand', name: listing.maker_name },
    ...(details.variations.combinations.length > 0
      ? variantsOf(origin, listing, details.variations, postage)
      : { '@type': 'Product' as const, sku: String(id), offers: offer(origin, listing, postage) }),
    ...detailsOf(details),
    image: photos.length > 0 ? photos : [origin + shareImagePath(listingShare(listing), shop)],
    ...(rating === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: rating,
            reviewCount: review_count,
            ...STARS,
          },
          review: reviews.slice(0, MAX_REVIEWS).map(reviewOf),
        }),
  }
}

/** Materials, weight and size of a listing, and the words that its seller has chosen. */
function detailsOf({ title, tags, materials, weight_grams, dimensions }: ListingDetails): object {
  const sides = { depth: dimensions?.length_mm, width: dimensions?.width_mm, height: dimensions?.height_mm }
  return {
    ...(title === '' ? {} : { alternateName: title }),
    ...(tags.length === 0 ? {} : { keywords: tags.join(', ') }),
    ...(materials.length === 0 ? {} : { material: materials }),
    ...(weight_grams === null ? {} : { weight: measured(weight_grams, 'GRM') }),
    ...Object.fromEntries(
      Object.entries(sides).flatMap(([side, length]) => (length ? [[side, measured(length, 'MMT')]] : [])),
    ),
  }
}
/** @param unitCode UN/CEFACT: 'GRM' gram, 'MMT' millimetre */
const measured = (value: number, unitCode: string): QuantitativeValue & object => ({
  '@type': 'QuantitativeValue',
  value,
  unitCode,
})

/** Maximum number of combinations of a listing: a page stays small. */
const MAX_VARIANTS = 30

/** The combinations of a listing with variations: https://developers.google.com/search/docs/appearance/structured-data/product-variants */
function variantsOf(
  origin: string,
  listing: Listing,
  { variations, combinations }: Variations,
  postage: ListingPostage,
): ProductGroup & object {
  return {
    '@type': 'ProductGroup',
    productGroupID: String(listing.id),
    variesBy: variations.map(({ title }) => title),
    hasVariant: combinations.slice(0, MAX_VARIANTS).map(({ id, options, price, stock, sku, photo }) => ({
      '@type': 'Product',
      name: `${listing.name}, ${combinationName(options)}`,
      sku: sku || String(id),
      ...pictureOf(origin, listing.images[(photo ?? 0) - 1]),
      additionalProperty: options.map((value, n) => ({
        '@type': 'PropertyValue',
        name: variations[n]?.title ?? '',
        value,
      })),
      offers: offer(origin, { ...listing, price, stock }, postage),
    })),
  }
}

/** Documents have no picture. */
const pictureOf = (origin: string, image: Image | undefined) =>
  image?.width ? { image: origin + image.url } : {}

const STARS = { bestRating: 5, worstRating: 1 } as const

const reviewOf = ({ review, stars, first_name, last_name, createdAt }: ListedReview): Review => ({
  '@type': 'Review',
  author: { '@type': 'Person', name: `${first_name} ${last_name}` },
  datePublished: createdAt,
  reviewBody: review,
  reviewRating: { '@type': 'Rating', ratingValue: stars, ...STARS },
})

/** Breadcrumbs from the landing page to a category, and to a listing of it. */
export function breadcrumbs(
  origin: string,
  { name }: Brand,
  category: string,
  listing?: Listing,
): BreadcrumbList & object {
  const steps = [
    { name, path: '/' },
    { name: category, path: categoryPath(category as Category) },
    ...(listing ? [{ name: listing.name, path: listingPath(listing) }] : []),
  ]
  const items = steps.map(
    ({ name, path }, index): ListItem => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    }),
  )
  return { '@type': 'BreadcrumbList', itemListElement: items }
}

/** A seller's page. */
export const profilePage = (
  origin: string,
  { username, display_name, words, picture, member_since }: Shop,
): ProfilePage & object => ({
  '@type': 'ProfilePage',
  dateCreated: member_since,
  mainEntity: {
    '@type': 'Person',
    name: display_name,
    alternateName: username,
    url: origin + shopPath(username),
    ...(words ? { description: words } : {}),
    ...(picture?.width ? { image: origin + picture.url } : {}),
  },
})
