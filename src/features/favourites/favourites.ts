import { sql } from 'kysely'
import { lockUser } from '#accounts/lock-user.ts'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { ListingPage } from '#products/contract.ts'
import { listings, view } from '#products/products.ts'
import { sellerOf } from '#products/seller-of.ts'
import { MAX_FAVOURITES, TOO_MANY } from './contract.ts'

/** A user's favourites that are not deleted, last saved first. @throws Problem 400 for an invalid cursor */
export async function list(
  db: Database,
  userId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery,
): Promise<ListingPage> {
  let query = listings(db)
    .innerJoin('favourites as f', 'f.product_id', 'p.id')
    .select(sql<string>`${toMicroseconds(sql`f.created_at`)}::text`.as('at'))
    .where('f.user_id', '=', userId)
    .orderBy('f.created_at', 'desc')
    .orderBy('f.product_id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const [at, id] = decodeCursor(cursor, /^(\d{1,18})\.([1-9]\d{0,15})$/)
    query = query.where(sql<boolean>`(f.created_at, f.product_id) < (${fromMicroseconds(at)}, ${id}::bigint)`)
  }
  const rows = await query.execute()
  const { page, next_cursor } = pageOf(rows, limit, last => [last.at, last.id])
  return {
    products: page.map(({ at: _, ...row }) => view(row)),
    next_cursor,
  }
}

/** Ids of a user's favourites that are not deleted. One bounded index scan. */
export async function ids(db: Database, userId: Id): Promise<Id[]> {
  const rows = await savedListings(db, userId).select('f.product_id').execute()
  return rows.map(row => row.product_id)
}

const savedListings = (db: Database, userId: Id) =>
  db
    .selectFrom('favourites as f')
    .innerJoin('products as p', 'p.id', 'f.product_id')
    .where('f.user_id', '=', userId)
    .where('p.deleted_at', 'is', null)

/** Saves a listing; a saved one stays unchanged. @throws Problem 404 for no such listing, 409 for too many */
export async function save(db: Database, userId: Id, productId: Id): Promise<void> {
  await transaction(db, async db => {
    await sellerOf(db, productId)
    // Serializes the saves of a user, so that the count is exact.
    await lockUser(db, userId)
    const added = await db
      .insertInto('favourites')
      .values({ user_id: userId, product_id: productId })
      .onConflict(conflict => conflict.doNothing())
      .returning('product_id')
      .executeTakeFirst()
    if (!added) return
    const { count } = await savedListings(db, userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count > MAX_FAVOURITES) throw new Problem(409, TOO_MANY)
  })
}

/** Removes a favourite; one that is not saved is no error. @throws Problem 404 if the listing never existed */
export async function remove(db: Database, userId: Id, productId: Id): Promise<void> {
  const removed = await db
    .deleteFrom('favourites')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .returning('product_id')
    .executeTakeFirst()
  if (!removed) await sellerOf(db, productId)
}
