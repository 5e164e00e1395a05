import { sql } from 'kysely'
import type { Id } from '#contract'
import { chunks } from '#platform/async/chunks.ts'
import type { Database } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'

/** Images per query. */
const PAGE = 500
/** Images whose files are deleted concurrently. */
const CONCURRENT = 16

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Deletes stored folders older than a day without an image row: aborted uploads. `files` must belong to this
 * database alone, or other shops' images look orphaned.
 */
export async function sweepFiles(db: Database, files: Files): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS)
  for await (const folders of chunks(files.list(yesterday), PAGE)) {
    const rows = await db.selectFrom('images').select('folder').where('folder', 'in', folders).execute()
    const used = new Set(rows.map(({ folder }) => folder))
    for (const folder of folders) if (!used.has(folder)) await files.remove(folder)
  }
}

/**
 * Deletes the images of deleted listings, but not of those that can come back: files before the row, so that a
 * failure is retried.
 * @param which one listing, those of a seller, those deleted since a time, or all
 * @throws Problem 503 if the storage is unavailable
 */
export async function removeOfDeleted(
  db: Database,
  files: Files,
  which: { listing?: Id; seller?: Id; since?: Date } = {},
): Promise<void> {
  const { listing, seller, since } = which
  for (;;) {
    const found = await db
      .selectFrom('images as i')
      .innerJoin('products as p', 'p.id', 'i.product_id')
      .select(['i.id', 'i.folder'])
      .where('p.deleted_at', 'is not', null)
      // One that can come back keeps them.
      .where(sql<boolean>`coalesce(p.retired_at, p.hidden_at, p.suspended_at) is null`)
      .$if(listing !== undefined, query => query.where('p.id', '=', listing as Id))
      .$if(seller !== undefined, query => query.where('p.seller_id', '=', seller as Id))
      .$if(since !== undefined, query => query.where('p.deleted_at', '>', since as Date))
      .limit(CONCURRENT)
      .execute()
    if (found.length === 0) return
    await Promise.all(found.map(({ folder }) => files.remove(folder)))
    const ids = found.map(({ id }) => id)
    await db.deleteFrom('images').where('id', 'in', ids).execute()
  }
}

/** Deletes images of listings deleted in the last day. Runs every minute. */
export const removeOfDeletedToday = (db: Database, files: Files): Promise<void> =>
  removeOfDeleted(db, files, { since: new Date(Date.now() - DAY_MS) })

/** Fills in missing sizes of images that an older version stored. */
export async function backfillSizes(db: Database, files: Files): Promise<void> {
  for (let last = 0; ; ) {
    const found = await db
      .selectFrom('images')
      .select(['id', 'folder'])
      .where('bytes', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    if (found.length === 0) return
    for (const { id, folder } of found) {
      const bytes = (await files.contents(folder)).reduce((sum, { size }) => sum + size, 0)
      await db.updateTable('images').set({ bytes }).where('id', '=', id).execute()
      last = id
    }
  }
}
