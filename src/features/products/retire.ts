import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { CHANGED_MEANWHILE, type Listing } from './contract.ts'
import { find } from './products.ts'
import { forbidden, missing } from './seller-of.ts'

// How a listing leaves the shop, for good or not. A retired one has `deleted_at` too: everything that shows or sells
// listings leaves out deleted ones already.

/**
 * Retires a listing. Its photos, reviews, stock and orders stay. A retired one stays as it is.
 * @param expected the version that the seller saw; undefined: any
 * @throws Problem 404 unknown or deleted, 403 someone else's, 409 for another version
 */
export async function retire(db: Database, seller: Id, id: Id, expected?: number): Promise<void> {
  await transaction(db, async db => {
    const { retired_at, version } = await own(db, seller, id)
    if (retired_at) return
    if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
    const now = sql<Date>`now()`
    await db.updateTable('products').set({ retired_at: now, deleted_at: now }).where('id', '=', id).execute()
  })
}

/**
 * Brings a retired listing back. One that is for sale stays as it is.
 * @param expected the version that the seller saw; undefined: any
 * @throws Problem 404 unknown or deleted, 403 someone else's, 409 for another version
 */
export async function restore(db: Database, seller: Id, id: Id, expected?: number): Promise<Listing> {
  await transaction(db, async db => {
    const { retired_at, version } = await own(db, seller, id)
    if (!retired_at) return
    if (expected !== undefined && version !== expected) throw new Problem(409, CHANGED_MEANWHILE)
    // The catalogue copies the stock and the rating: a cancellation or a change of a review ends before, or comes after.
    await db.selectFrom('stock').select('product_id').where('product_id', '=', id).forUpdate().execute()
    await db.selectFrom('ratings').select('product_id').where('product_id', '=', id).forUpdate().execute()
    await db
      .updateTable('products')
      .set({ retired_at: null, deleted_at: null })
      .where('id', '=', id)
      .execute()
  })
  return find(db, id)
}

/**
 * Deletes a listing from sale, also a retired one; orders keep their lines.
 * @throws Problem 404 unknown or deleted, 403 someone else's
 */
export async function remove(db: Database, seller: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await own(db, seller, id)
    await db
      .updateTable('products')
      // A file may add it again.
      .set({ retired_at: null, deleted_at: sql<Date>`now()`, source_key: null })
      .where('id', '=', id)
      .execute()
  })
}

/** Requires that a listing, for sale or retired, is the user's own. @throws as `retire` does */
export async function assertOwn(db: Database, seller: Id, id: Id): Promise<void> {
  owned(seller, await shelved(db, id).executeTakeFirst())
}

/** Locks a listing, for sale or retired, until the transaction ends. */
const own = async (db: Database, seller: Id, id: Id) =>
  owned(seller, await shelved(db, id).forNoKeyUpdate().executeTakeFirst())

const shelved = (db: Database, id: Id) =>
  db
    .selectFrom('products')
    .select(['seller_id', 'retired_at', 'version'])
    .where('id', '=', id)
    .where(eb => eb.or([eb('deleted_at', 'is', null), eb('retired_at', 'is not', null)]))

/** To others a retired listing is deleted. */
function owned<P extends { seller_id: Id; retired_at: Date | null }>(seller: Id, product: P | undefined): P {
  if (!product || (product.seller_id !== seller && product.retired_at)) throw missing()
  if (product.seller_id !== seller) throw forbidden()
  return product
}
