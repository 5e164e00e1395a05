import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

const HOURS = 24

/** Stores the file of a maker, instead of an earlier one. @returns its id */
export async function save(db: Database, seller: Id, file: Buffer): Promise<Id> {
  const { id } = await db
    .insertInto('pending_imports')
    .values({ seller_id: seller, file })
    .onConflict(conflict =>
      conflict.column('seller_id').doUpdateSet({ id: sql`nextval('ids')`, file, created_at: sql`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @throws Problem 404 unknown, someone else's, replaced by another file, or older than a day */
export async function find(db: Database, seller: Id, id: Id): Promise<Buffer> {
  const row = await db
    .selectFrom('pending_imports')
    .select('file')
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${HOURS}::int)`)
    .executeTakeFirst()
  if (!row) throw new Problem(404, 'This file is not here any more; please choose it again')
  return row.file
}

/** Before a user is deleted: their file goes. */
export async function erase(db: Database, seller: Id): Promise<void> {
  await db.deleteFrom('pending_imports').where('seller_id', '=', seller).execute()
}

/** Deletes files that are older than a day. */
export async function sweepImports(db: Database): Promise<void> {
  await db
    .deleteFrom('pending_imports')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${HOURS}::int)`)
    .execute()
}
