import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { RequiredFields } from './contract.ts'
import { NO_DETAILS, written } from './details.ts'
import { isListedOrPaused, isPaused, NOT_PAUSED } from './paused.ts'
import { listingColumns } from './products.ts'

/**
 * Locks every listing of a seller by ascending id. Waits for sales that have begun; new sales, and sellers who bring
 * back a paused listing, wait. Call it before `anonymize`.
 */
export async function lockAll(db: Database, seller: Id): Promise<void> {
  await sql`
    select count(*) from (
      select from products where seller_id = ${seller} and ${isListedOrPaused()}
      order by id for no key update
    ) as locked
  `.execute(db)
}

/** Replaces the required texts of an erased listing. */
const ERASED = '–'
/** Orders have the name and the price; the category is chosen from a list. */
const RETAINED: readonly string[] = ['p.name', 'p.category', 'p.price_cents']
/** Every other required field, emptied. */
const emptied: {
  [field in Exclude<keyof RequiredFields, 'name' | 'category' | 'price' | 'stock'>]?: string
} = Object.fromEntries(
  listingColumns
    .filter(column => !RETAINED.includes(column))
    .map(column => [column.replace('p.', ''), ERASED]),
)

/**
 * Replaces the option names of combinations by their ids, after a '·', with which no option begins: '58' could be the size of
 * another one. Orders have the names, as answers.
 */
async function anonymizeVariants(db: Database, seller: Id): Promise<void> {
  await sql`
    update variants set options = array['·' || id], sku = '', photo = null, deleted_at = coalesce(deleted_at, now())
    where product_id in (select id from products where seller_id = ${seller} order by id limit ${AT_ONCE})
  `.execute(db)
}

/** Listings per statement: with thousands, it would exceed the statement timeout. */
const AT_ONCE = 1_000

/**
 * Before a user is deleted: takes their listings out of the shop, and moves them to the placeholder account. Names
 * and prices stay, since orders have them.
 */
export async function anonymize(db: Database, seller: Id, placeholder: Id): Promise<void> {
  for (let changed = AT_ONCE; changed === AT_ONCE; ) {
    await anonymizeVariants(db, seller)
    const result = await db
      .updateTable('products')
      .set({
        seller_id: placeholder,
        ...emptied,
        ...written(NO_DETAILS),
        added_as: null,
        source_key: null,
        postage_profile_id: null,
        // A paused listing counts as deleted from now on: until now its photos were not swept.
        deleted_at: sql<Date>`case when ${isPaused} then now() else coalesce(deleted_at, now()) end`,
        ...NOT_PAUSED,
      })
      .where('id', 'in', eb =>
        eb.selectFrom('products').select('id').where('seller_id', '=', seller).orderBy('id').limit(AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    changed = Number(result.numUpdatedRows)
  }
}
