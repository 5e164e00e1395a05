import { createHash } from 'node:crypto'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import type { Image } from './contract.ts'
import { imageColumns, imageDto } from './dto.ts'
import { add, discard, isOf, lock, type Place, requireRoom, store, type Uploader } from './images.ts'

/** A file that is uploaded. */
export interface Upload {
  file: Buffer
  /** Idempotency key. */
  key?: string | undefined
}

/**
 * Makes the renditions of a photo (jpeg, png, gif, webp, avif or pdf), stores them, then adds the photo to a
 * listing or a draft. Files before the row: a row never points to missing files, and files without a row are cleaned up.
 * The same file with the same idempotency key is the photo that it added, as long as the place has it.
 * @throws Problem 400 for a file that is not accepted, 404 for a deleted listing or draft, 409 for too many photos or a full
 * quota, 429 for a second document at the same time, 503 while too many uploads wait
 * @param added runs in the transaction that adds the photo
 */
export async function attach(
  db: Database,
  files: Files,
  uploader: Uploader,
  place: Place,
  { file, key }: Upload,
  added?: (db: Database) => Promise<void>,
): Promise<Image> {
  const addedAs = key === undefined ? null : `${key}.${createHash('sha256').update(file).digest('hex')}`
  const before = await findAddedAs(db, place, addedAs)
  if (before) return before
  await requireRoom(db, uploader, place, 0)
  const stored = await store(files, file, uploader)
  try {
    const { image, isRepeated } = await transaction(db, async db => {
      await lock(db, uploader, place)
      const before = await findAddedAs(db, place, addedAs)
      if (before) return { image: before, isRepeated: true }
      await requireRoom(db, uploader, place, stored.bytes)
      const image = await add(db, { ...stored, added_as: addedAs }, uploader.id, place)
      await added?.(db)
      return { image, isRepeated: false }
    })
    if (isRepeated) await discard(files, stored.folder)
    return image
  } catch (error) {
    // Refused. After any other error the row may have been written.
    if (error instanceof Problem) await discard(files, stored.folder)
    throw error
  }
}

/** The photo that an upload added to this place. */
async function findAddedAs(db: Database, place: Place, addedAs: string | null): Promise<Image | undefined> {
  if (addedAs === null) return undefined
  const row = await db
    .selectFrom('images as i')
    .select(['i.id', ...imageColumns])
    .where(isOf(place))
    .where('i.added_as', '=', addedAs)
    .executeTakeFirst()
  return row && imageDto(row)
}
