import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { type Image, MAX_IMAGES, NOT_A_PICTURE, TOO_MANY } from './contract.ts'
import type { DocumentUploader } from './documents.ts'
import { imageColumns, imageDto, photoOrder } from './dto.ts'
import { fullQuota, MIN_COUNTED_BYTES, usedBy } from './quota.ts'
import { makeRenditions, type Renditions } from './renditions.ts'
import { detectFormat } from './sniff.ts'

/** The user who uploads. */
export interface Uploader extends DocumentUploader {
  /** Maximum bytes of all their files. Undefined without a limit. */
  quota?: number | undefined
}

/** Whose photo it is. */
export type Place = { product_id: Id } | { draft_id: Id }
/** Whether a row of `images` is a photo of this place. */
export const isOf = (place: Place) =>
  'draft_id' in place
    ? sql<boolean>`draft_id = ${place.draft_id}`
    : sql<boolean>`product_id = ${place.product_id}`

/**
 * Locks a place, and checks that it has room for one more photo. Call it in the transaction that adds the photo.
 * @param bytes of all files of the photo
 * @throws Problem 404 for a deleted listing or draft, 409 for too many photos or a full quota
 */
export async function lockAndRequireRoom(
  db: Database,
  uploader: Uploader,
  place: Place,
  bytes: number,
): Promise<void> {
  await lock(db, uploader, place)
  await requireRoom(db, uploader, place, bytes)
}

/**
 * Serializes by user, so that the quota is exact, and by place, so that the number of photos is.
 * @throws Problem 404 for a deleted listing or draft
 */
export async function lock(db: Database, uploader: Uploader, place: Place): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota:${uploader.id}`}, 0))`.execute(db)
  await lockPlace(db, place)
}

/** @throws Problem 404 if it is deleted */
async function lockPlace(db: Database, place: Place): Promise<void> {
  if ('draft_id' in place) {
    const { draft_id } = place
    const draft = await db
      .selectFrom('drafts')
      .select('id')
      .where('id', '=', draft_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!draft) throw new Problem(404, 'There is no such draft')
    return
  }
  const listing = await db
    .selectFrom('products')
    .select('id')
    .where('id', '=', place.product_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!listing) throw new Problem(404, 'There is no such listing')
}

type Stored = Omit<Renditions, 'files'> & {
  folder: string
  /** Size of all files. */
  bytes: number
}

/** Makes and stores the renditions. The cleanup job deletes them unless `add` follows. */
export async function store(files: Files, bytes: Buffer, uploader?: Uploader): Promise<Stored> {
  return storeRenditions(files, await makeRenditions(bytes, uploader))
}

/** As `store`, for renditions that are made. */
export async function storeRenditions(
  files: Files,
  { files: made, ...picture }: Renditions,
): Promise<Stored> {
  const size = made.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { ...picture, folder: await files.put(made), bytes: size }
}

/**
 * As `store`, for a picture outside of listings: of a seller, a page or the brand. Documents are refused.
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function storePicture(files: Files, bytes: Buffer): Promise<Stored> {
  const format = detectFormat(bytes)
  if (bytes.length > 0 && (!format || format === 'pdf')) throw new Problem(400, NOT_A_PICTURE)
  return store(files, bytes)
}

/**
 * Inserts a stored image: of a listing, of a draft, or (without a place) of a seller or the shop (no owner), who refer to it.
 * @param arranged its position among the photos of the place, from 1, and its alt text; undefined: the last, without one
 */
export async function add(
  db: Database,
  stored: Stored & { added_as?: string | null },
  owner: Id | null,
  place?: Place,
  arranged?: { position: number; alt: string },
): Promise<Image> {
  const widths = sql<number[]>`${stored.widths}::int[]`
  const values = {
    ...stored,
    owner_id: owner,
    ...place,
    widths,
    ...arranged,
  }
  const { id } = await db.insertInto('images').values(values).returning('id').executeTakeFirstOrThrow()
  return imageDto({ ...stored, id, alt: arranged?.alt ?? '' })
}

/** Deletes an image. @returns its folder, whose files the caller deletes after the commit */
export async function remove(db: Database, id: Id): Promise<string> {
  return (await db.deleteFrom('images').where('id', '=', id).returning('folder').executeTakeFirstOrThrow())
    .folder
}

/** Moves the photos of a draft to the listing that it becomes. */
export async function publish(db: Database, draft: Id, listing: Id): Promise<void> {
  await db
    .updateTable('images')
    .set({ draft_id: null, product_id: listing })
    .where('draft_id', '=', draft)
    .execute()
}

/** Photos of drafts or of listings in their order. @returns id of the draft or listing → its photos */
export async function photosOf(
  db: Database,
  place: 'draft_id' | 'product_id',
  ids: Id[],
): Promise<Map<Id, Image[]>> {
  const rows = await db
    .selectFrom('images as i')
    .select(['i.id', `i.${place} as place`, ...imageColumns])
    .where(`i.${place}`, '=', sql<Id>`any(${ids}::bigint[])`)
    .orderBy(photoOrder)
    .execute()
  const grouped = Map.groupBy(rows, ({ place }) => place as Id)
  return new Map([...grouped].map(([id, rows]) => [id, rows.map(imageDto)]))
}

/** Deletes photos of drafts. @returns their folders, whose files the caller deletes */
export async function removeOfDrafts(db: Database, drafts: Id[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('images')
    .where('draft_id', '=', sql<Id>`any(${drafts}::bigint[])`)
    .returning('folder')
    .execute()
  return rows.map(({ folder }) => folder)
}

/** Before a user is deleted: their photos name no owner. They go with the listings. */
export async function disown(db: Database, owner: Id): Promise<void> {
  await db.updateTable('images').set({ owner_id: null }).where('owner_id', '=', owner).execute()
}

/**
 * Checks that there is room for one more photo. Exact only while `lock` holds.
 * @param bytes of all its files
 * @throws Problem 409 for too many photos, or a full quota
 */
export async function requireRoom(
  db: Database,
  { id, quota }: Uploader,
  place: Place,
  bytes: number,
): Promise<void> {
  const { count } = await db
    .selectFrom('images')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(isOf(place))
    .executeTakeFirstOrThrow()
  if (count >= MAX_IMAGES) throw new Problem(409, TOO_MANY)
  if (quota !== undefined && (await usedBy(db, id)) + Math.max(bytes, MIN_COUNTED_BYTES) > quota)
    throw new Problem(409, fullQuota(quota))
}

/** Deletes the files of a deleted image. If that fails, the cleanup job does it later. */
export async function discard(files: Files, folder: string): Promise<void> {
  await files.remove(folder).catch(() => {})
}
