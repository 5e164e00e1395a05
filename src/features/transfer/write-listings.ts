import { BOM, csvRow } from '#csv'
import { fromCents } from '#money'
import { columnsOf, type EtsyListing, MAX_IMAGES } from './etsy-listing.ts'

const GROUPS = 2

/**
 * Writes listings as Etsy's file with 24 columns, which `readListings` reads back. It holds the first 10 pictures and the
 * first 2 groups of variations of each.
 */
export async function* writeListings(
  listings: AsyncIterable<EtsyListing> | Iterable<EtsyListing>,
): AsyncGenerator<string> {
  yield BOM + csvRow(columnsOf(GROUPS).map(({ name }) => name))
  for await (const listing of listings) yield csvRow(cellsOf(listing))
}

function cellsOf(listing: EtsyListing): (string | number | null)[] {
  const { title, description, price_cents, currency, quantity, tags, materials, skus } = listing
  const images = Array.from({ length: MAX_IMAGES }, (_, index) => listing.images[index] ?? null)
  const variations = Array.from({ length: GROUPS }, (_, index) => listing.variations[index]).flatMap(group =>
    group ? [group.type, group.name, group.values.join(',')] : [null, null, null],
  )
  return [
    ...[title, description, price_cents === null ? null : fromCents(price_cents), currency, quantity],
    // As Etsy writes them.
    ...[tags.join(',').replaceAll(' ', '_'), materials.join(','), ...images, ...variations, skus.join(',')],
  ]
}
