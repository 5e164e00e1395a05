import { toCents } from '#money'
import type { Listing } from '#products/contract.ts'
import type { ListingDetails } from '#products/details-contract.ts'
import type { WrittenVariations } from '#products/variations-contract.ts'
import { CURRENCY, type EtsyListing } from './etsy-listing.ts'

type Written = Pick<Listing, 'name' | 'description' | 'price' | 'stock'> &
  Pick<ListingDetails, 'title' | 'story' | 'tags' | 'materials'> & { variations: WrittenVariations }

/** Etsy's file has commas between options and between SKUs. */
const withoutCommas = (text: string) => text.replaceAll(/\s*,/g, ';')

/**
 * A listing as Etsy's file has it: with its whole title and its story, where it has them. `importedDraft` suggests name and
 * description of these again.
 * @param images addresses of its pictures, the cover first
 */
export function exportedListing(listing: Written, images: string[]): EtsyListing {
  const { name, description, price, stock, title, story, tags, materials } = listing
  const { variations, combinations } = listing.variations
  return {
    title: title || name,
    description: story || description,
    price_cents: toCents(price),
    currency: CURRENCY,
    quantity: stock,
    ...{ tags, materials, images },
    variations: variations.map(({ title, options }) => ({
      ...{ type: 'Custom Property', name: title, values: options.map(withoutCommas) },
    })),
    skus: combinations.map(({ sku }) => withoutCommas(sku)).filter(sku => sku !== ''),
  }
}
