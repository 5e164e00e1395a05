import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Id } from '#contract'
import * as images from '#images/images.ts'
import { transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { insertPhoto } from '#products/photos.ts'
import { PhotoRefused } from './fetch-file.ts'

export type PhotoDeps = Pick<FastifyInstance, 'db' | 'config' | 'files'> & {
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** A photo that a draft waits for: its row of `draft_pictures`, as it was when it was claimed. */
export interface ClaimedPhoto {
  id: Id
  seller_id: Id
  /** Number of this try of the job, from 1. 0 for a photo of a zip. */
  attempts: number
}

/**
 * Processes a photo that was downloaded or unpacked, and adds it to its draft or listing. One transaction inserts the
 * photo and marks its row as fetched, so it is added once. Files are stored before the row.
 * @returns false if its row, draft or listing is deleted, or another process has claimed it or added it
 * @throws PhotoRefused if it is no picture, or has no room; Problem 503 if the storage or the decoder is overloaded
 */
export async function addPhoto(shop: PhotoDeps, expected: ClaimedPhoto, bytes: Buffer): Promise<boolean> {
  const { db, files, config } = shop
  const uploader = { id: expected.seller_id, quota: config.quota }
  let folder: string | undefined
  try {
    const stored = await images.store(files, bytes)
    folder = stored.folder
    const insert = async (db: PhotoDeps['db']) => {
      const place = await placeOf(db, expected)
      if (!place) return false
      await images.lockAndRequireRoom(db, uploader, place, stored.bytes)
      // Last: another process may have added it while the lock was waited for.
      const row = await db
        .updateTable('draft_pictures')
        .set({ state: 'fetched', reason: null, leased_until: null })
        .where('id', '=', expected.id)
        .where('attempts', '=', expected.attempts)
        .where('state', '!=', 'fetched')
        .returning(['position', 'alt'])
        .executeTakeFirst()
      if (!row) return false
      const addTo = () => images.add(db, stored, expected.seller_id, place, row)
      if ('product_id' in place) await insertPhoto(db, place.product_id, addTo)
      else await addTo()
      return true
    }
    const isAdded = await transaction(db, insert).catch(error => {
      // Its draft may have been published while its lock was waited for: then its place is in the listing.
      if (error instanceof Problem && error.status === 404) return transaction(db, insert)
      throw error
    })
    if (!isAdded) await images.discard(files, folder)
    return isAdded
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    if (folder !== undefined) await images.discard(files, folder)
    // Its draft or listing is deleted.
    if (error.status === 404) return false
    throw new PhotoRefused(error.message, { cause: error })
  }
}

async function placeOf(db: PhotoDeps['db'], { id }: ClaimedPhoto): Promise<images.Place | undefined> {
  const row = await db
    .selectFrom('draft_pictures')
    .select(['draft_id', 'product_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return row.draft_id === null ? { product_id: row.product_id as Id } : { draft_id: row.draft_id }
}
