import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

// A paused listing can come back: its seller has retired it, an operator has hidden it, or its seller is suspended.
// It has `deleted_at` too, so every query for listings leaves it out like a deleted one. A listing that is deleted
// for good has `deleted_at` alone.

/** The columns that say why a listing is paused. */
type Reason = 'retired_at' | 'hidden_at' | 'suspended_at'

/** Condition on `products`: not for sale, but not deleted for good either. */
export const isPaused = sql<boolean>`(coalesce(retired_at, hidden_at, suspended_at) is not null)`

/** Condition on `products`: for sale or paused, so not deleted for good. @param alias of the table in the query */
export const isListedOrPaused = (alias = 'products') => {
  const column = (name: 'deleted_at' | Reason) => sql.ref(`${alias}.${name}`)
  const reasons = sql.join([column('retired_at'), column('hidden_at'), column('suspended_at')])
  return sql<boolean>`(${column('deleted_at')} is null or coalesce(${reasons}) is not null)`
}

/** Column values of a listing that is deleted for good. */
export const NOT_PAUSED = { retired_at: null, hidden_at: null, suspended_at: null }

/** SQL: `deleted_at` of a listing after one reason has ended. Null, unless one of the other reasons still holds. */
export const unlessFor = (...others: Reason[]) =>
  sql<Date | null>`case when coalesce(${sql.join(others.map(name => sql.ref(name)))}) is not null then deleted_at end`

/** Pauses a listing: sets the column of the reason, and `deleted_at`. */
export const pause = (db: Database, reason: 'retired_at' | 'hidden_at', id: Id) =>
  db
    .updateTable('products')
    .set({ [reason]: sql`now()`, deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .where('id', '=', id)
    .execute()

/**
 * Locks stock and rating of listings that come back, because the catalogue copies both: a concurrent cancellation or
 * change of a review commits before, or waits.
 */
export async function lockCatalogued(db: Database, ids: Id[]): Promise<void> {
  for (const table of ['stock', 'ratings'] as const)
    await db
      .selectFrom(table)
      .select('product_id')
      .where('product_id', '=', sql<Id>`any(${ids}::bigint[])`)
      .orderBy('product_id')
      .forUpdate()
      .execute()
}
