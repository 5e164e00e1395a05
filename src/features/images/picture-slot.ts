import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import type { Image } from './contract.ts'
import * as images from './images.ts'

/** A column that refers to one picture, such as the portrait of a shop. */
interface PictureSlot {
  /** Locks its row until the transaction ends, which serializes changes. @returns the id of its picture */
  lock(db: Database): Promise<Id | null>
  /** Refers to another picture, or to none. */
  set(db: Database, picture: Id | null): Promise<unknown>
}

/**
 * Puts a picture (jpeg, png, gif, webp or avif) into a slot, and deletes the one before with its files.
 * @param owner null for the shop
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function fill(
  db: Database,
  files: Files,
  owner: Id | null,
  bytes: Buffer,
  slot: PictureSlot,
): Promise<Image> {
  const stored = await images.storePicture(files, bytes)
  const [picture, before] = await transaction(db, async db => {
    const before = await slot.lock(db)
    const picture = await images.add(db, stored, owner)
    await slot.set(db, picture.id)
    return [picture, before === null ? undefined : await images.remove(db, before)]
  })
  if (before !== undefined) await images.discard(files, before)
  return picture
}

/** Deletes the picture of a slot with its files. None is no error. */
export async function clear(db: Database, files: Files, slot: PictureSlot): Promise<void> {
  const folder = await transaction(db, async db => {
    const picture = await slot.lock(db)
    if (picture === null) return undefined
    await slot.set(db, null)
    return images.remove(db, picture)
  })
  if (folder !== undefined) await images.discard(files, folder)
}
