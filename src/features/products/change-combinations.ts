import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { pricedAt } from './bulk-change.ts'
import type { BulkChange, Seen } from './bulk-contract.ts'
import { MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'
import { changeUnits, earlierChanges, lockStock } from './stock.ts'
import { variantsOf } from './variants.ts'

// A bulk edit of a listing with variations changes each of its combinations. The caller has locked the listing.

/** Changes the price of each combination. The caller sets the lowest one, and makes the listing another version. */
export async function changePrices(db: Database, id: Id, change: BulkChange): Promise<void> {
  const variants = await variantsOf(db, [id])
  const cents = variants.map(({ price_cents }) => pricedAt(change, price_cents))
  await sql`
    update variants as v set price_cents = new.cents
    from unnest(${variants.map(variant => variant.id)}::bigint[], ${cents}::int[]) as new (id, cents)
    where v.id = new.id
  `.execute(db)
}

/**
 * Adds units to each combination, or sets the stock of each.
 * @param key idempotency key: a repeated one changes nothing
 * @throws Problem 409 if the stock is to be set, and some were sold since it was shown, 400 above the largest stock
 */
export async function changeStocks(
  db: Database,
  seen: Seen,
  { change, amount = 0 }: BulkChange,
  key: string | undefined,
): Promise<void> {
  const left = (await lockStock(db, [seen.id])).get(seen.id) ?? 0
  if ((await earlierChanges(db, seen.id, key)).size > 0) return
  if (change === 'stock_set' && left !== seen.stock)
    throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
  const changes = (await variantsOf(db, [seen.id])).map(variant => ({
    product_id: seen.id,
    variant_id: variant.id,
    units: change === 'stock_set' ? amount - variant.stock : amount,
  }))
  if (changes.reduce((sum, { units }) => sum + units, left) > MAX_STOCK)
    throw new Problem(400, TOO_MUCH_STOCK)
  await changeUnits(db, changes, key)
}
