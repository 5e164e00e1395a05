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
 * Hides a listing from everybody. A checkout that has begun ends before; a later one does not find it.
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

/**
 * Takes what a seller has out of the shop, also what is retired or hidden: whatever of it comes back, comes when the suspension
 * ends. Call it after `suspend`: then nothing is added any more.
 */
export async function pauseAll(db: Database, seller: Id): Promise<void> {
  await db
    .updateTable('products')
    .set({ suspended_at: sql<Date>`now()`, deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .where('id', '=', sql<Id>`any(${await lockAll(db, seller)}::bigint[])`)
    .execute()
}

/** Listings of one statement: thousands would take longer than a statement may. */
const AT_ONCE = 500

/** Brings back what `pauseAll` has taken out. What is hidden or retired stays so. */
export async function resumeAll(db: Database, seller: Id): Promise<void> {
  const ids = await lockAll(db, seller)
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    await lockCatalogued(db, some)
    await db
      .updateTable('products')
      .set({ suspended_at: null, deleted_at: unlessFor('retired_at', 'hidden_at') })
      .where('id', '=', sql<Id>`any(${some}::bigint[])`)
      .where('suspended_at', 'is not', null)
      .execute()
  }
}

/** Locks the listings of a seller that are not deleted for good, by ascending id, as checkouts do. */
async function lockAll(db: Database, seller: Id): Promise<Id[]> {
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('seller_id', '=', seller)
    .where(eb => eb.or([eb('deleted_at', 'is', null), isPaused]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
