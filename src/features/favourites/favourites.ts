import { sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, encodeCursor, fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { ListingPage } from '#products/contract.ts'
import { listings, sellerOf, view } from '#products/products.ts'
import { MAX_FAVOURITES, TOO_MANY } from './contract.ts'

/** A person's favourites that are not deleted, the last saved first. @throws Problem 400 for a cursor that no list gave out */
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
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    products: page.map(({ at: _, ...row }) => view(row)),
    next_cursor: rows.length > limit && last ? encodeCursor(last.at, last.id) : null,
  }
}

/** Ids of a person's favourites that are not deleted. One index scan of at most as many as they may keep. */
export async function ids(db: Database, userId: Id): Promise<Id[]> {
  const rows = await kept(db, userId).select('f.product_id').execute()
  return rows.map(row => row.product_id)
}

const kept = (db: Database, userId: Id) =>
  db
    .selectFrom('favourites as f')
    .innerJoin('products as p', 'p.id', 'f.product_id')
    .where('f.user_id', '=', userId)
    .where('p.deleted_at', 'is', null)

/** Saves a listing; one that is saved already stays as it is. @throws Problem 404 for no such listing, 409 for too many */
export async function save(db: Database, userId: Id, productId: Id): Promise<void> {
  await transaction(db, async db => {
    await sellerOf(db, productId)
    // One favourite of a person after the other, so that the count holds.
    await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    const added = await db
      .insertInto('favourites')
      .values({ user_id: userId, product_id: productId })
      .onConflict(conflict => conflict.doNothing())
      .returning('product_id')
      .executeTakeFirst()
    if (!added) return
    const { count } = await kept(db, userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count > MAX_FAVOURITES) throw new Problem(409, TOO_MANY)
  })
}

/** Takes a listing out; one that is not saved is no error. @throws Problem 404 where there never was such a listing */
export async function remove(db: Database, userId: Id, productId: Id): Promise<void> {
  const removed = await db
    .deleteFrom('favourites')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .returning('product_id')
    .executeTakeFirst()
  if (!removed) await sellerOf(db, productId)
}
