import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { isListedOrPaused, lockCatalogued, pause, unlessFor } from './paused.ts'
import { missing } from './seller-of.ts'

// Operators take listings out of the shop, and bring them back. Call these in the transaction of the log entry.

/** A listing that an operator hides or shows. */
export interface Moderated {
  name: string
  seller_id: Id
}

/**
 * Hides a listing. Waits for checkouts that have locked it; later checkouts do not find it.
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
    .where(isListedOrPaused())
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!listing) throw missing()
  return listing
}

/**
 * Takes all listings of a seller out of the shop until the suspension ends, retired and hidden ones too: showing one
 * meanwhile does not bring it back. Call it after `suspend`: then no listing can be added.
 */
export async function pauseAll(db: Database, seller: Id): Promise<void> {
  await db
    .updateTable('products')
    .set({ suspended_at: sql<Date>`now()`, deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .where('id', '=', sql<Id>`any(${await lockAll(db, seller)}::bigint[])`)
    .execute()
}

/** Listings per statement: with thousands, it would exceed the statement timeout. */
const AT_ONCE = 500

/** Ends the suspension of a seller's listings. Hidden and retired ones stay so. */
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
    .where(isListedOrPaused())
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
