import type { Id } from '#contract'
import { chunks } from '#platform/async/chunks.ts'
import type { Database } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'

/** Pictures that the database is asked about at a time. */
const SWEPT = 500
/** Pictures whose files are removed at the same time. */
const REMOVED = 16

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes stored folders that are older than a day and belong to no photo: uploads that were cut off.
 * `files` must be those of this database alone, or photos of another shop look like that too.
 */
export async function sweepFiles(db: Database, files: Files): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS)
  for await (const folders of chunks(files.list(yesterday), SWEPT)) {
    const rows = await db.selectFrom('images').select('folder').where('folder', 'in', folders).execute()
    const kept = new Set(rows.map(({ folder }) => folder))
    for (const folder of folders) if (!kept.has(folder)) await files.remove(folder)
  }
}

/**
 * Removes the photos and documents of deleted listings: the files first, then the row, so that what is out of reach now
 * is tried again.
 * @param which one listing, those deleted since a time, or all
 * @throws Problem 503 where the files are out of reach
 */
export async function removeOfDeleted(
  db: Database,
  files: Files,
  which: { listing?: Id; since?: Date } = {},
): Promise<void> {
  const { listing, since } = which
  for (;;) {
    const found = await db
      .selectFrom('images as i')
      .innerJoin('products as p', 'p.id', 'i.product_id')
      .select(['i.id', 'i.folder'])
      .where('p.deleted_at', 'is not', null)
      .$if(listing !== undefined, query => query.where('p.id', '=', listing as Id))
      .$if(since !== undefined, query => query.where('p.deleted_at', '>', since as Date))
      .limit(REMOVED)
      .execute()
    if (found.length === 0) return
    await Promise.all(found.map(({ folder }) => files.remove(folder)))
    const ids = found.map(({ id }) => id)
    await db.deleteFrom('images').where('id', 'in', ids).execute()
  }
}

/** Removes what is left of listings that were deleted today. Cheap enough for every half minute. */
export const removeOfDeletedToday = (db: Database, files: Files): Promise<void> =>
  removeOfDeleted(db, files, { since: new Date(Date.now() - DAY_MS) })

/** Measures the photos whose bytes are not known: an older version stored them. */
export async function measure(db: Database, files: Files): Promise<void> {
  for (let last = 0; ; ) {
    const found = await db
      .selectFrom('images')
      .select(['id', 'folder'])
      .where('bytes', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(SWEPT)
      .execute()
    if (found.length === 0) return
    for (const { id, folder } of found) {
      const bytes = (await files.contents(folder)).reduce((sum, { size }) => sum + size, 0)
      await db.updateTable('images').set({ bytes }).where('id', '=', id).execute()
      last = id
    }
  }
}
