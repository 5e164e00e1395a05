import { sql } from 'kysely'
import type { Id } from '#contract'
import { arrange, isArranged, placedPhotos } from '#images/arrange.ts'
import { type PlacedPhoto, placesAfter } from '#images/contract.ts'
import * as images from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { CHANGED_MEANWHILE } from './contract.ts'
import { own } from './products.ts'

/** After a change of its photos a listing has another version, so that a form with the former ones is noticed. */
export async function photosChanged(db: Database, id: Id): Promise<void> {
  await db.updateTable('products').set({ version: sql`version + 1` }).where('id', '=', id).execute()
}

/**
 * Combinations keep their photos in a new order, and a place that has none yet.
 * @param places of all photos, by their former ones
 */
async function followPhotos(db: Database, id: Id, places: (number | null)[]): Promise<void> {
  await sql`
    update variants set photo = (${places}::smallint[])[photo]
    where product_id = ${id} and photo <= ${places.length}
  `.execute(db)
}

/** Beginning of the source key of a listing from an archive of another shop. */
export const ARCHIVE_KEY = 'archive '

/**
 * Adds a photo that comes late, perhaps in front of others: combinations keep theirs. Not those of an archive, which name the
 * places of all photos, also of those that are on their way.
 * @param add inserts its row
 */
export async function insertPhoto(db: Database, id: Id, add: () => Promise<unknown>): Promise<void> {
  const before = await placedPhotos(db, { product_id: id })
  await add()
  const { source_key } = await db
    .selectFrom('products')
    .select('source_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!source_key?.startsWith(ARCHIVE_KEY))
    await followPhotos(db, id, placesAfter(before, await placedPhotos(db, { product_id: id })))
  await photosChanged(db, id)
}

/** What a seller makes of the photos of a listing. */
interface Arrangement {
  photos: PlacedPhoto[]
  /** The version that the seller saw. Undefined overwrites any. */
  expected: number | undefined
}

/**
 * Gives the photos of a listing their order and alt texts. Those that are not named are deleted, with their files.
 * @throws Problem 404 unknown, 403 someone else's, 400 for a photo of another listing, 409 if another version has other
 * photos
 */
export async function arrangePhotos(
  db: Database,
  files: Files,
  seller: Id,
  id: Id,
  { photos, expected }: Arrangement,
): Promise<void> {
  const folders = await transaction(db, async db => {
    const { version } = await own(db, seller, id)
    const stored = await placedPhotos(db, { product_id: id })
    // A retry or a double click.
    if (isArranged(stored, photos)) return []
    if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
    const gone = await arrange(db, stored, photos)
    await followPhotos(db, id, placesAfter(stored, photos))
    await photosChanged(db, id)
    return gone
  })
  for (const folder of folders) await images.discard(files, folder)
}
