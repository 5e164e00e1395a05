import { sql } from 'kysely'
import type { Id } from '#contract'
import { batchLookups } from '#platform/database/batch.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { type Image, MAX_IMAGES, NO_PORTRAIT } from './contract.ts'
import type { DocumentSender } from './documents.ts'
import { imageDto } from './dto.ts'
import { type Prepared, prepare, Refused, refuseByBeginning } from './pictures.ts'
import { fullQuota, MIN_COUNTED_BYTES, usedBy } from './quota.ts'
import { detectFormat } from './sniff.ts'

/** The user who uploads. */
export interface Sender extends DocumentSender {
  /** Maximum bytes of all their files; undefined: no limit. */
  quota?: number | undefined
}

/**
 * Makes the renditions of a photo (jpeg, png, gif, webp, avif or pdf), stores them, then adds the photo to a
 * listing. Files before the row: a row never points to missing files, and files without a row are cleaned up.
 * @throws Problem 400 for a file that is not accepted, 404 for a deleted listing, 409 for too many photos or a full
 * quota, 429 for a second document at the same time, 503 while too many uploads wait
 */
export async function attach(
  db: Database,
  files: Files,
  sender: Sender,
  productId: Id,
  bytes: Buffer,
): Promise<Image> {
  await assertQuota(db, sender, productId, 0)
  const stored = await store(files, bytes, sender)
  try {
    return await transaction(db, async db => {
      // Serializes by user, so that the quota is exact, and by listing, so that the number of photos is.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${sender.id}`}, 0))`.execute(db)
      const listing = await db
        .selectFrom('products')
        .select('id')
        .where('id', '=', productId)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!listing) throw new Problem(404, 'There is no such listing')
      await assertQuota(db, sender, productId, stored.bytes)
      return add(db, stored, sender.id, productId)
    })
  } catch (error) {
    // Refused. After any other error the row may have been written.
    if (error instanceof Problem) await discard(files, stored.folder)
    throw error
  }
}

type Stored = Omit<Prepared, 'files'> & {
  folder: string
  /** Size of all files. */
  bytes: number
}

/** Makes and stores the renditions. The cleanup job deletes them unless `add` follows. */
async function store(files: Files, bytes: Buffer, sender?: Sender): Promise<Stored> {
  const { files: made, ...picture } = await prepared(bytes, sender)
  const size = made.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { ...picture, folder: await files.put(made), bytes: size }
}

/**
 * As for a listing, but for a user; documents are refused.
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function storePortrait(files: Files, bytes: Buffer): Promise<Stored> {
  const format = detectFormat(bytes)
  if (bytes.length > 0 && (!format || format === 'pdf')) throw new Problem(400, NO_PORTRAIT)
  return store(files, bytes)
}

/** Inserts a stored image: of a listing, or of a seller who refers to its id. */
export async function add(db: Database, stored: Stored, owner: Id, productId: Id | null): Promise<Image> {
  const widths = sql<number[]>`${stored.widths}::int[]`
  const values = { ...stored, owner_id: owner, product_id: productId, widths }
  const { id } = await db.insertInto('images').values(values).returning('id').executeTakeFirstOrThrow()
  return imageDto({ ...stored, id })
}

/** Whether an image has this folder; concurrent lookups share a query. */
export const hasFolder = batchLookups(async (db, folders) => {
  const rows = await db.selectFrom('images').select('folder').where('folder', 'in', folders).execute()
  return new Map(rows.map(({ folder }) => [folder, true]))
})

/** Deletes an image. @returns its folder, whose files the caller deletes after the commit */
export async function remove(db: Database, id: Id): Promise<string> {
  return (await db.deleteFrom('images').where('id', '=', id).returning('folder').executeTakeFirstOrThrow())
    .folder
}

/** Before a user is deleted: their photos name no owner. They go with the listings. */
export async function disown(db: Database, owner: Id): Promise<void> {
  await db.updateTable('images').set({ owner_id: null }).where('owner_id', '=', owner).execute()
}

/** Refuses an upload by its first bytes, before the rest has arrived. @throws Problem 400 */
export function rejectEarly(beginning: Buffer): void {
  try {
    refuseByBeginning(beginning)
  } catch (error) {
    throw toProblem(error)
  }
}

const prepared = (bytes: Buffer, sender?: Sender): Promise<Prepared> =>
  prepare(bytes, sender).catch(error => {
    throw toProblem(error)
  })

const toProblem = (error: unknown) =>
  error instanceof Refused ? new Problem(400, error.message, { cause: error }) : error

/** Checks the quota for more bytes. @throws Problem 409 */
async function assertQuota(db: Database, { id, quota }: Sender, productId: Id, bytes: number): Promise<void> {
  const { count } = await db
    .selectFrom('images')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_IMAGES) throw new Problem(409, `A listing can have at most ${MAX_IMAGES} photos`)
  if (quota !== undefined && (await usedBy(db, id)) + Math.max(bytes, MIN_COUNTED_BYTES) > quota)
    throw new Problem(409, fullQuota(quota))
}

/** Deletes the files of a deleted image. If that fails, the cleanup job does it later. */
export async function discard(files: Files, folder: string): Promise<void> {
  await files.remove(folder).catch(() => {})
}
