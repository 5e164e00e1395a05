import type { Id } from '#contract'
import { describe } from '#images/arrange.ts'
import type { Image } from '#images/contract.ts'
import * as images from '#images/images.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'

/** A picture of a seller: the portrait, or the wide photo above their page. */
export type Kind = 'image_id' | 'banner_id'

/**
 * Replaces a picture of the seller (jpeg, png, gif, webp or avif) and deletes the old files.
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function set(
  db: Database,
  files: Files,
  userId: Id,
  bytes: Buffer,
  kind: Kind = 'image_id',
): Promise<Image> {
  const stored = await images.storePortrait(files, bytes)
  const [picture, before] = await transaction(db, async db => {
    const before = await lock(db, userId, kind)
    const picture = await images.add(db, stored, userId)
    await db
      .updateTable('shops')
      .set({ [kind]: picture.id })
      .where('user_id', '=', userId)
      .execute()
    return [picture, before === null ? undefined : await images.remove(db, before)]
  })
  if (before !== undefined) await images.discard(files, before)
  return picture
}

/** Deletes a picture of the seller, with its files. */
export async function remove(db: Database, files: Files, userId: Id, kind: Kind): Promise<void> {
  const folder = await transaction(db, async db => {
    const picture = await lock(db, userId, kind)
    return picture === null ? undefined : images.remove(db, picture)
  })
  if (folder !== undefined) await images.discard(files, folder)
}

/** Says what the wide photo shows; nothing without one. In the caller's transaction. */
export async function describeBanner(db: Database, userId: Id, alt: string): Promise<void> {
  const banner = await lock(db, userId, 'banner_id')
  if (banner !== null) await describe(db, banner, alt)
}

/** Locks the seller's row until the transaction ends, which serializes picture changes. @returns the picture's id */
async function lock(db: Database, userId: Id, kind: Kind): Promise<Id | null> {
  await db
    .insertInto('shops')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const shop = await db
    .selectFrom('shops')
    .select(`${kind} as picture`)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return shop.picture
}
