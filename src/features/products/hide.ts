import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { isPaused, lockCatalogued, pause, unlessFor } from './paused.ts'
import { missing } from './seller-of.ts'

// How those who run the shop take listings out of it, and bring them back. Call these in the transaction of the log.

/** A listing that an operator hides or shows. */
export interface Moderated {
  name: string
  seller_id: Id
}

/**
 * Hides a listing from everybody; its seller still sees it. A checkout that has begun ends before; a later one does not find it.
 * @throws Problem 404 unknown or deleted, 409 if it is hidden already
 */
export async function hide(db: Database, id: Id): Promise<Moderated> {
  const { hidden_at, ...listing } = await lock(db, id)
  if (hidden_at) throw new Problem(409, 'This listing is hidden already')
  await pause(db, 'hidden_at', id)
  return listing
}

/**
 * Shows a hidden listing again, with its address, reviews, photos and stock. One that its seller has retired meanwhile stays
 * retired.
 * @throws Problem 404 unknown or deleted, 409 if it is not hidden
 */
export async function show(db: Database, id: Id): Promise<Moderated> {
  const { hidden_at, ...listing } = await lock(db, id)
  if (!hidden_at) throw new Problem(409, 'This listing is not hidden')
  await lockCatalogued(db, [id])
  await db
    .updateTable('products')
    .set({ hidden_at: null, deleted_at: unlessFor('retired_at', 'suspended_at') })
    .where('id', '=', id)
    .execute()
  return listing
}

async function lock(db: Database, id: Id) {
  const listing = await db
    .selectFrom('products')
    .select(['name', 'seller_id', 'hidden_at'])
    .where('id', '=', id)
    .where(eb => eb.or([eb('deleted_at', 'is', null), isPaused]))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!listing) throw missing()
  return listing
}

/** Hides what a seller has for sale. Call it after `suspend`: then nothing is added any more. */
export async function pauseAll(db: Database, seller: Id): Promise<void> {
  const ids = await lockMatching(db, seller, 'deleted_at')
  await db
    .updateTable('products')
    .set({ suspended_at: sql<Date>`now()`, deleted_at: sql<Date>`now()` })
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .execute()
}

/** Brings back what `pauseAll` has hidden. One that an operator has hidden stays hidden. */
export async function resumeAll(db: Database, seller: Id): Promise<void> {
  const ids = await lockMatching(db, seller, 'suspended_at')
  await lockCatalogued(db, ids)
  await db
    .updateTable('products')
    .set({ suspended_at: null, deleted_at: unlessFor('retired_at', 'hidden_at') })
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .execute()
}

/** Locks listings of a seller by ascending id, as checkouts do. @param column those for sale, or those that are suspended */
async function lockMatching(db: Database, seller: Id, column: 'deleted_at' | 'suspended_at'): Promise<Id[]> {
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('seller_id', '=', seller)
    .where(column, column === 'deleted_at' ? 'is' : 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
