import { sql } from 'kysely'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { type Database, transaction } from '#server/database/database.ts'
import type { Files } from '#server/files/files.ts'
import { inParts } from '#server/parts.ts'
import { type Image, MAX_IMAGES, NO_PORTRAIT } from './contract.ts'
import { recognise } from './inspect.ts'
import { type Prepared, prepare, Refused, refuseByBeginning } from './pictures.ts'
import { imageView } from './view.ts'

/**
 * Makes the renditions of a photo (bytes of a jpeg, png, gif or pdf), stores them, then adds the photo to a listing.
 * The files come first: a row never points at nothing, and files without a row are swept away.
 * @throws Problem 400 for a file that is not accepted, 409 for too many photos, 503 while too many are under way
 */
export async function attach(db: Database, files: Files, productId: Id, bytes: Buffer): Promise<Image> {
  await roomFor(db, productId)
  const stored = await store(files, bytes)
  return transaction(db, async db => {
    // One photo of a listing after the other, so that the count holds.
    await db.selectFrom('products').select('id').where('id', '=', productId).forNoKeyUpdate().execute()
    await roomFor(db, productId)
    return add(db, stored, productId)
  })
}

type Stored = Omit<Prepared, 'files'> & { folder: string }

/** Makes the renditions of a picture and stores them. They are swept away unless `add` follows. */
async function store(files: Files, bytes: Buffer): Promise<Stored> {
  const { files: renditions, ...picture } = await prepared(bytes)
  return { ...picture, folder: await files.put(renditions) }
}

/**
 * As for a listing, but for a person: nothing that they send is kept as it came, so a document is refused.
 * @throws Problem 400 for a file that is not accepted, 503 while too many are under way
 */
export async function storePortrait(files: Files, bytes: Buffer): Promise<Stored> {
  const format = recognise(bytes)
  if (bytes.length > 0 && (!format || format === 'pdf')) throw new Problem(400, NO_PORTRAIT)
  return store(files, bytes)
}

/** Adds a stored picture: to a listing, or for whoever keeps its id. */
export async function add(db: Database, stored: Stored, productId: Id | null): Promise<Image> {
  const values = { ...stored, product_id: productId, widths: sql<number[]>`${stored.widths}::int[]` }
  const { id } = await db.insertInto('images').values(values).returning('id').executeTakeFirstOrThrow()
  return imageView({ ...stored, id })
}

/** Takes a picture away. @returns its folder, whose files the caller removes once that is certain */
export async function remove(db: Database, id: Id): Promise<string> {
  return (await db.deleteFrom('images').where('id', '=', id).returning('folder').executeTakeFirstOrThrow())
    .folder
}

/** What is too much by its beginning is refused before the rest has arrived. @throws Problem 400 */
export function look(beginning: Buffer): void {
  try {
    refuseByBeginning(beginning)
  } catch (error) {
    throw asProblem(error)
  }
}

const prepared = (bytes: Buffer): Promise<Prepared> =>
  prepare(bytes).catch(error => {
    throw asProblem(error)
  })

const asProblem = (error: unknown) =>
  error instanceof Refused ? new Problem(400, error.message, { cause: error }) : error

async function roomFor(db: Database, productId: Id): Promise<void> {
  const { taken } = await db
    .selectFrom('images')
    .select(eb => eb.fn.countAll<number>().as('taken'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  if (taken >= MAX_IMAGES) throw new Problem(409, `A listing can have at most ${MAX_IMAGES} photos`)
}

/** Removes the files of a picture that is taken away. Those that are out of reach now are swept away later. */
export async function discard(files: Files, folder: string): Promise<void> {
  await files.remove(folder).catch(() => {})
}

/** Folders that the database is asked about at a time. */
const SWEPT = 500

/**
 * Removes stored folders that are older than a day and belong to no photo: uploads that were cut off.
 * `files` must be those of this database alone, or photos of another shop look like that too.
 */
export async function sweepFiles(db: Database, files: Files): Promise<void> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
  for await (const folders of inParts(files.list(yesterday), SWEPT)) {
    const rows = await db.selectFrom('images').select('folder').where('folder', 'in', folders).execute()
    const kept = new Set(rows.map(({ folder }) => folder))
    for (const folder of folders) if (!kept.has(folder)) await files.remove(folder)
  }
}
