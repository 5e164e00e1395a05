import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { ListingDraft } from './contract.ts'
import { listingColumns } from './products.ts'

/**
 * Locks every listing of a seller by ascending id: sales that have begun are waited for, and no other begins. Call it
 * before `handOver`.
 */
export async function lockAll(db: Database, seller: Id): Promise<void> {
  await sql`
    select count(*) from (
      select from products where seller_id = ${seller} and deleted_at is null order by id for no key update
    ) as locked
  `.execute(db)
}

/** What stays of a text of an erased listing. */
const ERASED = '–'
/** Orders have the name and the price; the others are chosen from a list, or are numbers. */
const RETAINED: readonly string[] = [
  'p.name',
  'p.category',
  'p.price_cents',
  'p.made_to_order',
  'p.handling_days',
  'p.postage_profile_id',
]
/** Every other field of the seller, emptied. */
const emptied: { [field in Exclude<keyof ListingDraft, 'name' | 'category' | 'price' | 'stock'>]?: string } =
  Object.fromEntries(
    listingColumns
      .filter(column => !RETAINED.includes(column))
      .map(column => [column.replace('p.', ''), ERASED]),
  )

/** Listings of one statement: thousands would take longer than a statement may. */
const AT_ONCE = 1_000

/**
 * Before a user is deleted: their listings leave the shop, and belong to a row without a name. Names and prices stay,
 * since orders have them.
 */
export async function handOver(db: Database, seller: Id, placeholder: Id): Promise<void> {
  for (let changed = AT_ONCE; changed === AT_ONCE; ) {
    const result = await db
      .updateTable('products')
      .set({
        seller_id: placeholder,
        ...emptied,
        added_as: null,
        postage_profile_id: null,
        deleted_at: sql<Date>`coalesce(deleted_at, now())`,
      })
      .where('id', 'in', eb =>
        eb.selectFrom('products').select('id').where('seller_id', '=', seller).orderBy('id').limit(AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    changed = Number(result.numUpdatedRows)
  }
}
