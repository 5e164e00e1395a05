import type { Readable } from 'node:stream'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { zipArchive } from '#platform/storage/zip-archive.ts'
import { listingsOfSeller, type OwnListing, type PhotoFile } from './own-listings.ts'
import { ARCHIVED_DETAILS, isDocument } from './read-archive.ts'

/** A photo of the archive: its file, and its name there. */
interface Photo extends PhotoFile {
  name: string
}

/**
 * A zip of the listings of a seller: `listings.json`, then their photos in `photos/`, with the names that the first file says. It
 * is made while it is read: a page of listings is in memory. A photo that is deleted meanwhile is left out.
 */
export function listingArchive(db: Database, files: Files, seller: Id): Readable {
  const lastModified = new Date()
  async function* entries() {
    // The archive is written in order: after its text all photos are known.
    const photos: Photo[] = []
    yield { name: 'listings.json', input: textOf(db, seller, photos), lastModified }
    for (const { folder, file, name } of photos) {
      const found = await files.open(folder, file)
      if (found) yield { name, input: found.stream, lastModified }
    }
  }
  return zipArchive(entries())
}

/** The listings as JSON, a piece at a time. Sections are said by their names: another shop has other numbers. */
async function* textOf(db: Database, seller: Id, photos: Photo[]): AsyncGenerator<string> {
  yield '{"format":1,"listings":['
  let separator = '\n'
  for await (const listing of listingsOfSeller(db, seller)) {
    const own = listing.photos.map((photo, index) => ({ ...photo, name: nameOf(listing.id, index, photo) }))
    photos.push(...own)
    yield separator +
      JSON.stringify({ ...written(listing), photos: own.map(({ name, alt }) => ({ file: name, alt })) })
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** What its seller wrote, by the names of the API. */
const written = (listing: OwnListing) => ({
  ...{ id: listing.id, name: listing.name, category: listing.category, description: listing.description },
  ...{ price: listing.price, stock: listing.stock, section: listing.section },
  ...Object.fromEntries(ARCHIVED_DETAILS.map(name => [name, listing[name]])),
  variations: {
    variations: listing.variations.variations,
    combinations: listing.variations.combinations.map(({ id: _, photo, ...combination }) => ({
      ...combination,
      photo: placeOf(listing.photos, photo),
    })),
  },
  ...{ made_to_order: listing.made_to_order, handling_days: listing.handling_days },
})

/** The place of a photo among the pictures: documents are not taken in. */
function placeOf(photos: PhotoFile[], photo: number | null): number | null {
  const shown = photo === null ? undefined : photos[photo - 1]
  if (!shown || isDocument(shown)) return null
  return photos.slice(0, photo ?? 0).filter(file => !isDocument(file)).length
}

const nameOf = (id: Id, index: number, { file }: PhotoFile) =>
  `photos/${id}-${index + 1}.${file.split('.').at(-1)}`
