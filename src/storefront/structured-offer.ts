import type { Offer, OfferShippingDetails } from 'schema-dts'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { twoDecimals } from '#money'
import type { ListingPostage } from '#postage/contract.ts'
import { ELSEWHERE, EU } from '#postage/rates.ts'
import type { Listing } from '#products/contract.ts'
import { listingPath } from '#products/slug.ts'

/** ISO 4217. */
const CURRENCY = 'USD'

/** The offer of a listing, or of one of its combinations, with postage. @param origin of the shop, without a slash at the end */
export const offer = (origin: string, listing: Listing, postage: ListingPostage): Offer => ({
  '@type': 'Offer',
  url: origin + listingPath(listing),
  price: twoDecimals(listing.price),
  priceCurrency: CURRENCY,
  // While the maker is on holiday, nothing can be ordered.
  availability:
    listing.stock > 0 && !postage.away ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
  itemCondition: 'https://schema.org/NewCondition',
  seller: { '@type': 'Person', name: listing.maker_name, url: origin + shopPath(listing.seller) },
  ...shippingOf(postage),
})

/** Maximum number of countries of a listing. */
const MAX_COUNTRIES = 10

/** Postage to the countries that have a price of their own; others are left out, since there is no word for them. */
function shippingOf(postage: ListingPostage): Pick<Offer & object, 'shippingDetails'> {
  const { rates, handling_days, made_to_order } = postage
  const handlingTime = daysOf(made_to_order ? handling_days : 1, handling_days)
  const shippingDetails = rates
    .filter(({ destination }) => destination !== EU && destination !== ELSEWHERE)
    .slice(0, MAX_COUNTRIES)
    .map(
      ({ destination, first, days_min, days_max }): OfferShippingDetails => ({
        '@type': 'OfferShippingDetails',
        shippingRate: { '@type': 'MonetaryAmount', value: twoDecimals(first), currency: CURRENCY },
        shippingDestination: { '@type': 'DefinedRegion', addressCountry: destination },
        deliveryTime: {
          '@type': 'ShippingDeliveryTime',
          handlingTime,
          transitTime: daysOf(days_min, days_max),
        },
      }),
    )
  return shippingDetails.length > 0 ? { shippingDetails } : {}
}

const daysOf = (minValue: number, maxValue: number) =>
  // 'DAY': UN/CEFACT, as Google reads it.
  ({ '@type': 'QuantitativeValue', minValue, maxValue, unitCode: 'DAY' }) as const
