import type { Id } from '#contract'
import type { PhotoDeps } from '#draft-pictures/add-photo.ts'
import { IN_ZIP, queue } from '#draft-pictures/draft-pictures.ts'
import type { PhotoZip } from '#draft-pictures/photo-zip.ts'
import { awaitedOf, type Planned, type RefusedPhoto, takeIn } from '#draft-pictures/zip-intake.ts'
import { storableFields } from '#drafts/drafts.ts'
import { importedSections, saveImported } from '#drafts/imported.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { listingTexts } from '#products/form-listing.ts'
import { ARCHIVE_KEY } from '#products/photos.ts'
import { addWithin, list } from '#sections/sections.ts'
import type { ImportRow } from './contract.ts'
import { type ArchivedListing, isDocument, readArchive } from './read-archive.ts'

/** Of the text in an archive that a command takes in, bytes. */
const MAX_TEXT = 100 * 2 ** 20
/** Length of a name in the key of a listing: an index holds the key. */
const MAX_KEY = 200

/** A listing of an archive. `documents`: names of its files that are not taken in. */
type ArchiveRow = ImportRow & { documents: string[] }
/** What became of an archive. */
interface ImportedArchive {
  rows: ArchiveRow[]
  refused: RefusedPhoto[]
}

/**
 * Adds the listings of an archive, which a shop has made, as drafts of a maker, with their photos and sections. The
 * same archive again adds nothing twice; photos that were not taken in are.
 * @returns rows by their place in the archive, from 1, and the photos that were not taken in
 * @throws Problem 400 for another zip, 409 for too many drafts or sections, 413 for texts that no draft can hold:
 * then nothing is written
 */
export async function importArchive(shop: PhotoDeps, seller: Id, zip: PhotoZip): Promise<ImportedArchive> {
  const { rows, planned } = await addListings(shop.db, seller, await readArchive(zip, MAX_TEXT))
  return { rows, refused: await takeIn(shop, seller, zip, planned, new AbortController().signal) }
}

/**
 * Adds the listings of an archive, as `importArchive` does.
 * @returns in addition the photos of the zip that are to be taken in
 */
export async function addListings(
  db: Database,
  seller: Id,
  listings: ArchivedListing[],
): Promise<{ rows: ArchiveRow[]; planned: Planned[] }> {
  const keyed = new Map(
    listings.map(listing => [
      `${ARCHIVE_KEY}${listing.id} ${listing.name.slice(0, MAX_KEY).toWellFormed()}`,
      listing,
    ]),
  )
  const saved = await transaction(db, async db => {
    const sections = await sectionsOf(db, seller, keyed)
    const given = [...keyed].map(([key, listing]) => ({
      key,
      imported: { fields: storableFields(fieldsOf(listing, sections.get(key) ?? null)) },
    }))
    const saved = await saveImported(db, seller, given)
    await queue(
      db,
      seller,
      [...keyed].flatMap(([key, { photos }]) => {
        const draft = saved.get(key)?.draft
        const pictures = photos.filter(photo => !isDocument(photo))
        const urls = pictures.map(({ file }) => IN_ZIP + file)
        return draft ? { draft, urls, alts: pictures.map(({ alt }) => alt) } : []
      }),
    )
    return saved
  })
  const rows = [...keyed].map(([key, { name, photos }], index) => {
    const documents = photos.filter(isDocument).map(({ file }) => file)
    return {
      ...{ row: index + 1, name, photos: photos.length - documents.length, documents },
      notes: documents.map(file => `${file} is a document: please add it yourself`),
      outcome: saved.get(key)?.outcome ?? ('twin' as const),
    }
  })
  return { rows, planned: await awaitedOf(db, seller, [...keyed.keys()]) }
}

/**
 * The section of each listing, by its key. Sections are added for new listings only, and a draft that is here keeps the
 * section that an archive gave it: its maker may have renamed or removed it.
 * @throws Problem 409 for too many sections
 */
async function sectionsOf(
  db: Database,
  seller: Id,
  keyed: Map<string, ArchivedListing>,
): Promise<Map<string, Id | null>> {
  const before = await importedSections(db, seller, [...keyed.keys()])
  const named = new Map((await list(db, seller)).map(({ id, name }) => [name, id]))
  const found = new Map<string, Id | null>()
  for (const [key, { section }] of keyed) {
    if (section !== null && !before.has(key) && !named.has(section))
      named.set(section, (await addWithin(db, seller, section)).id)
    found.set(key, before.get(key) ?? named.get(section ?? '') ?? null)
  }
  return found
}

/** The listing as the texts of a form. Its postage profile is one of another shop. */
const fieldsOf = (listing: ArchivedListing, section_id: Id | null) =>
  listingTexts(listing, { ...listing, section_id }, { ...listing, postage_profile_id: null })
