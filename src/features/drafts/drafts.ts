import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { lockUser } from '#accounts/lock-user.ts'
import { fieldErrors, type Id, type ListQuery } from '#contract'
import * as images from '#images/images.ts'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { addedAs } from '#products/added-as.ts'
import { DRAFTS_AT_ONCE, type Draft, DraftFields, MAX_DRAFTS } from './contract.ts'
import { columns, type Row, view, views } from './views.ts'

/** Refusal of a change based on an older version. */
const CHANGED_MEANWHILE = 'This draft was changed meanwhile'
/** Refusal of a change of a draft that is a listing now. */
const PUBLISHED_MEANWHILE = 'This draft was published meanwhile'

const CURSOR = /^(\d{1,18})\.(\d{1,16})$/

/** A page of a maker's drafts, last changed first. @throws Problem 400 for an invalid cursor */
export async function list(db: Database, seller: Id, { limit = DRAFTS_AT_ONCE, cursor }: ListQuery) {
  const most = Math.min(limit, DRAFTS_AT_ONCE)
  let query = db
    .selectFrom('drafts')
    .select([...columns, sql<string>`${toMicroseconds(sql`changed_at`)}::text`.as('at')])
    .where('seller_id', '=', seller)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most + 1)
  if (cursor !== undefined) {
    const [at, id] = decodeCursor(cursor, CURSOR)
    query = query.where(sql<boolean>`(changed_at, id) < (${fromMicroseconds(at)}, ${id}::bigint)`)
  }
  const rows = await query.execute()
  const { page, next_cursor } = pageOf(rows, most, last => [last.at, last.id])
  return {
    drafts: await views(
      db,
      page.map(({ at: _, ...row }) => row),
    ),
    next_cursor,
    count: await count(db, seller),
  }
}

/** Number of drafts of a maker. */
export async function count(db: Database, seller: Id): Promise<number> {
  const { count } = await db
    .selectFrom('drafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('seller_id', '=', seller)
    .executeTakeFirstOrThrow()
  return count
}

/** One own draft. @throws Problem 404 unknown or someone else's */
export async function find(db: Database, seller: Id, id: Id): Promise<Draft> {
  const row = await own(db, seller, id).executeTakeFirst()
  if (!row) throw missing()
  return view(db, row)
}

/** Query for one draft of a seller. It finds nothing for another seller's. */
export const own = (db: Database, seller: Id, id: Id) =>
  db.selectFrom('drafts').select(columns).where('id', '=', id).where('seller_id', '=', seller)

/**
 * Saves a new draft. With a repeated idempotency key it changes the first one.
 * @throws Problem 409 for too many, or if the first one was changed meanwhile
 */
export function create(
  db: Database,
  seller: Id,
  fields: DraftFields,
  idempotencyKey?: string,
): Promise<Draft> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    const first =
      idempotencyKey === undefined
        ? undefined
        : await db
            .selectFrom('drafts')
            .select('id')
            .where('seller_id', '=', seller)
            .where('added_as', '=', idempotencyKey)
            .executeTakeFirst()
    // Later versions were not saved by the form that repeats itself.
    if (first) return view(db, await change(db, seller, first.id, fields, 1))
    return view(db, await insert(db, seller, fields, idempotencyKey))
  })
}

/** Fields that were not checked by the contract of a call. @throws Problem 413 for texts that no draft can hold */
export function storableFields(fields: DraftFields): DraftFields {
  const [problem] = Object.values(fieldErrors(FieldsOnly, { fields }) ?? {})
  if (problem !== undefined) throw new Problem(413, problem)
  jsonOf(fields)
  return fields
}
const FieldsOnly = z.object({ fields: DraftFields })

/** Largest fields that the constraint `drafts_fields_size` takes, bytes of their JSON in PostgreSQL. */
const MAX_BYTES = 320_000

/** Fields as they are stored. Control characters need six bytes each. @throws Problem 413 for too many bytes */
function jsonOf(fields: DraftFields): string {
  const json = JSON.stringify(fields)
  // PostgreSQL writes a blank after each colon and comma.
  if (Buffer.byteLength(json) + 2 * Object.keys(fields).length > MAX_BYTES)
    throw new Problem(413, 'A draft can have at most 320 kB of text. Please make its texts shorter')
  return json
}

/** Inserts a draft. The caller has locked the drafts of its maker. @throws Problem 409 for too many */
export async function insert(
  db: Database,
  seller: Id,
  fields: DraftFields,
  idempotencyKey?: string,
): Promise<Row> {
  if ((await count(db, seller)) >= MAX_DRAFTS) throw new Problem(409, TOO_MANY)
  return db
    .insertInto('drafts')
    .values({ seller_id: seller, fields: jsonOf(fields), added_as: idempotencyKey ?? null })
    .returning(columns)
    .executeTakeFirstOrThrow()
}
const TOO_MANY = `You have ${MAX_DRAFTS.toLocaleString('en-US')} drafts, which is the most. Publish or delete one first`

/**
 * Replaces the fields of a draft. Equal fields are no change: a retry has them.
 * @param expected the version that the maker saw. Undefined overwrites any
 * @throws Problem 404 unknown or someone else's, 409 if another version has other fields, or it was published, 413 too large
 */
export const save = (db: Database, seller: Id, id: Id, fields: DraftFields, expected?: number) =>
  transaction(db, async db => view(db, await change(db, seller, id, fields, expected)))

async function change(
  db: Database,
  seller: Id,
  id: Id,
  fields: DraftFields,
  expected: number | undefined,
): Promise<Row> {
  const before = await own(db, seller, id).forNoKeyUpdate().executeTakeFirst()
  if (!before) {
    const published = await addedAs(db, seller, listingKey(id))
    throw published === undefined ? missing() : new Problem(409, PUBLISHED_MEANWHILE)
  }
  if (isDeepStrictEqual(before.fields, JSON.parse(JSON.stringify(fields)))) return before
  requireVersion(before, expected)
  return db
    .updateTable('drafts')
    .set({ fields: jsonOf(fields), version: before.version + 1, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The idempotency key of the listing that a draft becomes. Clients cannot send one with a blank. */
export const listingKey = (id: Id) => `draft ${id}`

/** @throws Problem 409 if another version is expected */
function requireVersion({ version }: Row, expected: number | undefined): void {
  if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
}

/**
 * Deletes a draft. @param expected as in `save` @returns folders of its photos, whose files the caller deletes
 * @throws Problem 404 unknown or someone else's, 409 for another version
 */
export function remove(db: Database, seller: Id, id: Id, expected?: number): Promise<string[]> {
  return transaction(db, async db => {
    const draft = await own(db, seller, id).forUpdate().executeTakeFirst()
    if (!draft) throw missing()
    requireVersion(draft, expected)
    const folders = await images.removeOfDrafts(db, [id])
    await db.deleteFrom('drafts').where('id', '=', id).execute()
    return folders
  })
}

/** Before a user is deleted: their drafts go. @returns folders of their photos, whose files the caller deletes */
export async function erase(db: Database, seller: Id): Promise<string[]> {
  const ids = await db.selectFrom('drafts').select('id').where('seller_id', '=', seller).execute()
  const folders = await images.removeOfDrafts(
    db,
    ids.map(({ id }) => id),
  )
  await db.deleteFrom('drafts').where('seller_id', '=', seller).execute()
  return folders
}

/** Drafts of a maker after this one, oldest first, for the download of their data. Each may have 300 kB. */
export const listAfter = (db: Database, seller: Id, after: Id) =>
  db
    .selectFrom('drafts')
    .select([...columns, 'created_at', 'source_key', 'imported'])
    .where('seller_id', '=', seller)
    .where('id', '>', after)
    .orderBy('id')
    .limit(DRAFTS_AT_ONCE)
    .execute()

/** @throws Problem 404 unless it is the maker's draft */
export async function requireOwn(db: Database, seller: Id, id: Id): Promise<void> {
  if (!(await own(db, seller, id).executeTakeFirst())) throw missing()
}

/** Problem 404 for an unknown draft. Returned, not thrown. */
export const missing = () => new Problem(404, 'There is no such draft')
