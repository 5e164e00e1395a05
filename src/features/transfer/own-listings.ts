import type { Id } from '#contract'
import { imageFiles } from '#images/dto.ts'
import type { Database } from '#platform/database/database.ts'
import { detailColumns, detailsIn } from '#products/details.ts'
import { handlingColumns } from '#products/handling.ts'
import { isListedOrPaused } from '#products/paused.ts'
import { everyListing, view } from '#products/products.ts'
import { variantsOf } from '#products/variants.ts'

/** Listings in memory at a time. */
const PAGE = 100

/** The one file of a photo that is taken out: the widest picture, or the document. */
export interface PhotoFile {
  folder: string
  file: string
  alt: string
}

/** The listings of a seller, paused ones too but none that is deleted for good, in the order of their numbers, a page at a time. */
export async function* listingsOfSeller(db: Database, seller: Id) {
  for (let after = 0, more = true; more; ) {
    const rows = await everyListing(db)
      .leftJoin('sections as c', 'c.id', 'p.section_id')
      .select([...detailColumns, ...handlingColumns, 'c.name as section'])
      .where('p.seller_id', '=', seller)
      .where('p.id', '>', after)
      .where(isListedOrPaused('p'))
      .orderBy('p.id')
      .limit(PAGE)
      .execute()
    const variants = await variantsOf(
      db,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const own = variants.filter(({ product_id }) => product_id === row.id)
      const details = detailsIn(row, own)
      // The row has them as they are stored.
      const { variations } = details
      yield { ...details, ...view(row), variations, photos: row.images.flatMap(fileOf) }
    }
    after = rows.at(-1)?.id ?? after
    more = rows.length === PAGE
  }
}

type Yielded<G> = G extends AsyncGenerator<infer Y> ? Y : never
export type OwnListing = Yielded<ReturnType<typeof listingsOfSeller>>

function fileOf(image: { folder: string; kind: string; widths: number[]; alt: string }): PhotoFile[] {
  const file = imageFiles(image).at(-1)
  return file === undefined ? [] : [{ folder: image.folder, file, alt: image.alt }]
}
