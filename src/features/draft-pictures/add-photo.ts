import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Id } from '#contract'
import * as images from '#images/images.ts'
import { transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { PhotoRefused } from './fetch-file.ts'

export type PhotoDeps = Pick<FastifyInstance, 'db' | 'config' | 'files'> & {
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** A picture that is to come, as its row was when it was claimed. */
export interface ClaimedPhoto {
  id: Id
  seller_id: Id
  /** Number of this try, from 1; 0: nobody has tried. */
  attempts: number
}

/**
 * Makes the renditions of a picture that has come, stores them, and adds the photo in one transaction with the state of its row,
 * so that it is added once. Files before the row, as of an upload.
 * @returns false if nobody waits for it any more: its draft is deleted, or another process has it
 * @throws NotFetched if it is no picture, or has no room; Problem 503 if the storage or the decoder has no time
 */
export async function addPhoto(shop: PhotoDeps, expected: ClaimedPhoto, bytes: Buffer): Promise<boolean> {
  const { db, files, config } = shop
  const uploader = { id: expected.seller_id, quota: config.quota }
  let folder: string | undefined
  try {
    const stored = await images.store(files, bytes)
    folder = stored.folder
    const isAdded = await transaction(db, async db => {
      const place = await placeOf(db, expected)
      if (!place) return false
      await images.assertRoom(db, uploader, place, stored.bytes)
      // Last, and with its place: a draft may have been published while its lock was waited for.
      const row = await db
        .updateTable('draft_pictures')
        .set({ state: 'fetched', reason: null, leased_until: null })
        .where('id', '=', expected.id)
        .where('attempts', '=', expected.attempts)
        .where('state', '!=', 'fetched')
        .where('draft_id', 'is not distinct from', 'draft_id' in place ? place.draft_id : null)
        .returning(['position', 'alt'])
        .executeTakeFirst()
      if (row) await images.add(db, stored, expected.seller_id, place, row)
      return row !== undefined
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
