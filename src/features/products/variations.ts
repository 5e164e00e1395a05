import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Id } from '#contract'
import { toCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type ListingChange, MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'
import type { Question } from './questions-contract.ts'
import { changeUnits, earlierChanges, lockStock, restock } from './stock.ts'
import { type Variant, variantsOf } from './variants.ts'
import type { NewVariations } from './variations-contract.ts'

/** The price of a listing with these combinations, as a column: their lowest one. Without any its own price stays. */
export function lowestPrice(variations: NewVariations | undefined): { price_cents?: number } {
  const prices = variations?.combinations.map(({ price }) => toCents(price)) ?? []
  return prices.length > 0 ? { price_cents: Math.min(...prices) } : {}
}

/** The variations of a new listing: no stock of it was shown. */
export const ofNew = ({ variations, combinations }: NewVariations): NewVariations => ({
  variations,
  combinations: combinations.map(combination => ({ ...combination, stock_shown: 0 })),
})

/**
 * Whether these combinations equal those of the listing, apart from stock. True without `variations`, which changes
 * none.
 */
export const hasCombinations = (variants: Variant[], variations: NewVariations | undefined): boolean =>
  variations === undefined ||
  isDeepStrictEqual(
    variants.map(({ options, price_cents, sku, photo }) => ({ options, price_cents, sku, photo })),
    variations.combinations.map(({ price, options, sku, photo = null }) => ({
      ...{ options, price_cents: toCents(price), sku, photo },
    })),
  )

interface StockChange {
  stored: { price_cents: number; variations: unknown }
  input: ListingChange
  idempotencyKey: string | undefined
}

/**
 * Changes the stock of a locked listing, or its combinations with theirs.
 * @returns `changed_at`, which makes a new version, if combinations have changed
 */
export async function changeStock(
  db: Database,
  id: Id,
  { stored, input, idempotencyKey }: StockChange,
): Promise<{ changed_at?: Date }> {
  const { stock, stock_shown, variations } = input
  const isVaried = (stored.variations as unknown[]).length > 0
  if (!isVaried && !variations?.combinations.length) {
    await restock(db, id, { target: stock, shown: stock_shown, idempotencyKey })
    return {}
  }
  if (!variations) {
    requireUnchanged(stored, input, (await lockStock(db, [id])).get(id) ?? 0)
    return {}
  }
  const isSame = hasCombinations(await variantsOf(db, [id]), variations)
  await saveVariations(db, { id, isVaried, stock, stock_shown }, variations, idempotencyKey)
  return isSame ? {} : { changed_at: new Date() }
}

/**
 * Requires different titles, which identify the answers. @throws Problem 400 if a variation and a question have the
 * same
 */
export function requireDistinctTitles({
  variations,
  questions,
}: {
  variations: unknown
  questions: unknown
}): void {
  const titles = [...(variations as Question[]), ...(questions as Question[])].map(({ title }) => title)
  if (new Set(titles).size === titles.length) return
  throw new Problem(400, SAME_TITLE)
}
const SAME_TITLE = 'A variation and a question must have different names'

/**
 * Requires that the form of a listing with variations leaves price and stock unchanged: each combination has its own.
 * @throws Problem 400 with messages by field
 */
function requireUnchanged(
  before: { price_cents: number },
  input: { price: number; stock: number; stock_shown?: number | undefined },
  stock: number,
): void {
  const fields = {
    ...(toCents(input.price) === before.price_cents ? {} : { price: OF_EACH('price') }),
    ...(input.stock === (input.stock_shown ?? stock) ? {} : { stock: OF_EACH('stock') }),
  }
  const errors = Object.values(fields)
  if (errors[0] !== undefined) throw new Problem(400, errors[0], { errors, fields })
}
const OF_EACH = (what: string) => `This listing has variations: change the ${what} of each combination`

/** A listing whose combinations are replaced. */
interface Before {
  id: Id
  /** Whether it had variations. */
  isVaried: boolean
  /** The new stock if no variations are left, and the total stock that the seller saw. */
  stock: number
  stock_shown?: number | undefined
}

/**
 * Replaces the combinations of a listing that the caller has locked. With `stock_shown` only the difference is
 * applied. The stock of removed combinations is taken out.
 * @param idempotencyKey a repeated one does not add stock again
 * @throws Problem 409 if more were sold than would be left, or if any were sold and the combinations are new ones;
 * 400 above the largest stock
 */
export async function saveVariations(
  db: Database,
  { id, isVaried, stock, stock_shown: sumShown }: Before,
  { combinations }: NewVariations,
  idempotencyKey: string | undefined,
): Promise<void> {
  const left = (await lockStock(db, [id])).get(id) ?? 0
  const before = await variantsOf(db, [id])
  const staying = new Set(combinations.map(({ options }) => JSON.stringify(options)))
  const gone = before.filter(({ options }) => !staying.has(JSON.stringify(options)))
  if (gone.length > 0)
    await db
      .updateTable('variants')
      .set({ deleted_at: sql<Date>`now()` })
      .where('id', '=', sql<Id>`any(${gone.map(variant => variant.id)}::bigint[])`)
      .execute()
  const ids = await upsert(db, id, combinations)
  const earlier = await earlierChanges(db, id, idempotencyKey)
  const had = new Map(before.map(variant => [variant.id, variant.stock]))
  const changed = [...earlier.values()].reduce((sum, units) => sum + units, 0)
  // New combinations replace others, or the listing itself. Units sold since the page was loaded cannot be assigned
  // to them: the seller has to count again.
  const isReplaced = ids.some(id => !had.has(id)) && (!isVaried || gone.length > 0)
  if (isReplaced && sumShown !== undefined) {
    // Units sold of combinations that stay. Each has its own `stock_shown`.
    const soldOfOthers = combinations.map(({ stock_shown }, n) => {
      const id = ids[n] as Id
      const stock = had.get(id)
      return stock === undefined || stock_shown === undefined
        ? 0
        : stock_shown + (earlier.get(id) ?? 0) - stock
    })
    const sold = sumShown + changed - left - soldOfOthers.reduce((sum, units) => sum + units, 0)
    if (sold > 0) throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
  }
  const changes: { product_id: Id; variant_id: Id | null; units: number }[] = gone.map(variant => ({
    ...{ product_id: id, variant_id: variant.id, units: -variant.stock },
  }))
  for (const [n, combination] of combinations.entries()) {
    const variant_id = ids[n] as Id
    const stock = had.get(variant_id) ?? 0
    const { stock_shown } = combination
    const units =
      combination.stock - (stock_shown === undefined ? stock : stock_shown + (earlier.get(variant_id) ?? 0))
    if (stock + units < 0)
      throw new Problem(409, `Some were sold meanwhile: ${stock} of ${combination.options.join(', ')} left`)
    changes.push({ product_id: id, variant_id, units })
  }
  // The stock of the listing itself ends when it gets variations, and begins when it loses them.
  if (!isVaried && combinations.length > 0) changes.push({ product_id: id, variant_id: null, units: -left })
  if (isVaried && combinations.length === 0) {
    const units = sumShown === undefined ? stock : stock - (sumShown + changed) + left
    if (units < 0) throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
    changes.push({ product_id: id, variant_id: null, units })
  }
  const total = changes.reduce((sum, { units }) => sum + units, left)
  if (total > MAX_STOCK) throw new Problem(400, TOO_MUCH_STOCK)
  await changeUnits(db, changes, idempotencyKey)
  await deleteUnused(db, id)
}

/** Deletes the rows of removed combinations that no stock entry, cart or order refers to. */
async function deleteUnused(db: Database, product: Id): Promise<void> {
  await sql`
    delete from variants as v where v.product_id = ${product} and v.deleted_at is not null
      and not exists (select from stock_ledger where variant_id = v.id)
      and not exists (select from cart_lines where variant_id = v.id)
      and not exists (select from order_lines where variant_id = v.id)
  `.execute(db)
}

/** Inserts combinations, or updates those with the same options, deleted ones too. @returns their ids, in the same order */
async function upsert(db: Database, product: Id, combinations: NewVariations['combinations']): Promise<Id[]> {
  if (combinations.length === 0) return []
  const rows = await db
    .insertInto('variants')
    .values(
      combinations.map(({ options, price, sku, photo = null }, position) => ({
        ...{ product_id: product, options, position, price_cents: toCents(price), sku, photo },
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['product_id', 'options']).doUpdateSet(eb => ({
        position: eb.ref('excluded.position'),
        price_cents: eb.ref('excluded.price_cents'),
        sku: eb.ref('excluded.sku'),
        photo: eb.ref('excluded.photo'),
        deleted_at: null,
      })),
    )
    .returning(['id', 'position'])
    .execute()
  return rows.sort((a, b) => a.position - b.position).map(({ id }) => id)
}
