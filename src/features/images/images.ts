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
import { fullQuota, LEAST_BYTES, usedBy } from './quota.ts'
import { detectFormat } from './sniff.ts'

/** Whose upload it is. */
export interface Sender extends DocumentSender {
  /** Bytes that all their photos and documents may take; undefined: as many as they like. */
  quota?: number | undefined
}

/**
 * Makes the renditions of a photo (bytes of a jpeg, png, gif, webp, avif or pdf), stores them, then adds the photo to a listing.
 * The files come first: a row never points at nothing, and files without a row are swept away.
 * @throws Problem 400 for a file that is not accepted, 404 where the listing is gone, 409 for too many photos or a full
 * quota, 429 for a second document at the same time, 503 while too many are under way
 */
export async function attach(
  db: Database,
  files: Files,
  sender: Sender,
  productId: Id,
  bytes: Buffer,
): Promise<Image> {
  await roomFor(db, sender, productId, 0)
  const stored = await store(files, bytes, sender)
  try {
    return await transaction(db, async db => {
      // One photo of a person after the other, so that their quota holds, and one of a listing, so that the count does.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${sender.id}`}, 0))`.execute(db)
      const listing = await db
        .selectFrom('products')
        .select('id')
        .where('id', '=', productId)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!listing) throw new Problem(404, 'There is no such listing')
      await roomFor(db, sender, productId, stored.bytes)
      return add(db, stored, sender.id, productId)
    })
  } catch (error) {
    // Refused after all. Of any other failure nobody knows whether the row was written.
    if (error instanceof Problem) await discard(files, stored.folder)
    throw error
  }
}

type Stored = Omit<Prepared, 'files'> & {
  folder: string
  /** Of all files together. */
  bytes: number
}

/** Makes the renditions of a picture and stores them. They are swept away unless `add` follows. */
async function store(files: Files, bytes: Buffer, sender?: Sender): Promise<Stored> {
  const { files: made, ...picture } = await prepared(bytes, sender)
  const size = made.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { ...picture, folder: await files.put(made), bytes: size }
}

/**
 * As for a listing, but for a person: nothing that they send is kept as it came, so a document is refused.
 * @throws Problem 400 for a file that is not accepted, 503 while too many are under way
 */
export async function storePortrait(files: Files, bytes: Buffer): Promise<Stored> {
  const format = detectFormat(bytes)
  if (bytes.length > 0 && (!format || format === 'pdf')) throw new Problem(400, NO_PORTRAIT)
  return store(files, bytes)
}

/** Adds a stored picture of a person: to a listing, or for whoever keeps its id. */
export async function add(db: Database, stored: Stored, owner: Id, productId: Id | null): Promise<Image> {
  const widths = sql<number[]>`${stored.widths}::int[]`
  const values = { ...stored, owner_id: owner, product_id: productId, widths }
  const { id } = await db.insertInto('images').values(values).returning('id').executeTakeFirstOrThrow()
  return imageDto({ ...stored, id })
}

/** Whether a picture has this folder; all who ask at the same time share the query. */
export const hasFolder = batchLookups(async (db, folders) => {
  const rows = await db.selectFrom('images').select('folder').where('folder', 'in', folders).execute()
  return new Map(rows.map(({ folder }) => [folder, true]))
})

/** Takes a picture away. @returns its folder, whose files the caller removes once that is certain */
export async function remove(db: Database, id: Id): Promise<string> {
  return (await db.deleteFrom('images').where('id', '=', id).returning('folder').executeTakeFirstOrThrow())
    .folder
}

/** What is too much by its beginning is refused before the rest has arrived. @throws Problem 400 */
export function rejectEarly(beginning: Buffer): void {
  try {
    refuseByBeginning(beginning)
  } catch (error) {
    throw asProblem(error)
  }
}

const prepared = (bytes: Buffer, sender?: Sender): Promise<Prepared> =>
  prepare(bytes, sender).catch(error => {
    throw asProblem(error)
  })

const asProblem = (error: unknown) =>
  error instanceof Refused ? new Problem(400, error.message, { cause: error }) : error

/** Lets so many more bytes of a person pass. @throws Problem 409 */
async function roomFor(db: Database, { id, quota }: Sender, productId: Id, bytes: number): Promise<void> {
  const { taken } = await db
    .selectFrom('images')
    .select(eb => eb.fn.countAll<number>().as('taken'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  if (taken >= MAX_IMAGES) throw new Problem(409, `A listing can have at most ${MAX_IMAGES} photos`)
  if (quota !== undefined && (await usedBy(db, id)) + Math.max(bytes, LEAST_BYTES) > quota)
    throw new Problem(409, fullQuota(quota))
}

/** Removes the files of a picture that is taken away. Those that are out of reach now are swept away later. */
export async function discard(files: Files, folder: string): Promise<void> {
  await files.remove(folder).catch(() => {})
}
