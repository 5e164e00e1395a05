import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { addedAlready } from './contract.ts'
import { missing } from './seller-of.ts'

/** The listing of a seller that an idempotency key has added, deleted or not. */
export async function addedAs(db: Database, seller: Id, idempotencyKey: string): Promise<Id | undefined> {
  return (await rowAddedAs(db, seller, idempotencyKey))?.id
}

/**
 * The listing that a repeated idempotency key has added.
 * @param name of the listing that is sent now
 * @throws Problem 404 if there is none, 422 if it has another name: another piece, in the form of the last one
 */
export async function requireAddedAs(
  db: Database,
  seller: Id,
  idempotencyKey: string,
  name: string,
): Promise<Id> {
  const first = await rowAddedAs(db, seller, idempotencyKey)
  if (!first) throw missing()
  if (first.name !== name) throw new Problem(422, addedAlready(first.name))
  return first.id
}

const rowAddedAs = (db: Database, seller: Id, idempotencyKey: string) =>
  db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('seller_id', '=', seller)
    .where('added_as', '=', idempotencyKey)
    .executeTakeFirst()
