import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { changedQuestions } from './answer-rules.ts'
import { MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'
import type { Answer } from './questions-contract.ts'
import { isVaried, questionsSql, variantsOf } from './variants.ts'
import { shortOf } from './variation-text.ts'

/** Units of a listing that are taken or given back. */
export interface Units {
  product_id: Id
  /** The combination, where the listing has variations. */
  variant_id?: Id | null
  quantity: number
}

/** A line at the moment of sale. `price_cents` is integer cents. */
export type Sold<Line extends Units = Units> = Line & {
  name: string
  price_cents: number
}

/**
 * Locks all lines for a sale. Call it in a transaction that a Problem rolls back, and that ends with `takingStock`.
 * Locks by ascending id, so that concurrent sales never deadlock. The lock of a listing's stock is also that of its combinations.
 * Lines of one combination share its stock.
 * @throws Problem 409 naming each line that is short or deleted, or whose answers do not fit the questions any more
 */
export async function lockForSale<Line extends Units & { answers: Answer[] }>(
  db: Database,
  lines: Line[],
): Promise<Sold<Line>[]> {
  const ids = lines.map(line => line.product_id)
  // A shared lock: sales run concurrently, but no seller changes or deletes the listing meanwhile.
  const listings = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', 'p.name', 'p.price_cents', 'p.deleted_at', 's.quantity as stock'])
    .select([questionsSql.as('questions'), isVaried.as('is_varied')])
    .where('p.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .orderBy('p.id')
    .forShare('p')
    .forUpdate('s')
    .execute()
  const variants = lines.some(({ variant_id }) => variant_id) ? await variantsOf(db, ids) : []
  const sold: Sold<Line>[] = []
  const problems: string[] = []
  const taken = unitsByItem(lines)
  for (const line of lines) {
    const listing = listings.find(row => row.id === line.product_id)
    const variant = variants.find(({ id }) => id === line.variant_id)
    const item = line.variant_id ? variant : listing
    const left = item?.stock ?? 0
    if (!listing || listing.deleted_at)
      problems.push(`${listing?.name ?? 'A listing'} is no longer available`)
    else if (!item || left < (taken.get(stockItemId(line)) ?? 0))
      problems.push(shortOf(listing.name, variant?.options, left))
    else {
      const { name } = listing
      const changed = changedQuestions(name, listing, line)
      if (changed) problems.push(changed)
      sold.push({ ...line, name, price_cents: item.price_cents })
    }
  }
  // Of two lines of one listing, the same.
  const errors = [...new Set(problems)]
  if (errors[0] !== undefined) throw new Problem(409, errors[0], { errors })
  return sold
}

/** The stock item of a line, an id of the whole shop: its combination, or its listing if that has none. */
const stockItemId = ({ product_id, variant_id }: Units): Id => variant_id ?? product_id

/** Units of each stock item in all its lines. */
function unitsByItem(lines: Units[]): Map<Id, number> {
  const units = new Map<Id, number>()
  for (const line of lines) units.set(stockItemId(line), (units.get(stockItemId(line)) ?? 0) + line.quantity)
  return units
}

/** SQL fragment that takes locked units from stock. @param lines a relation with order_id, product_id, variant_id and quantity */
export const takingStock = (lines: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into stock_ledger (product_id, variant_id, units, reason, order_id)
  select product_id, variant_id, -sum(quantity), 'sale', order_id from ${lines} as line group by product_id, variant_id, order_id`

/**
 * Returns the units of cancelled lines to stock, by ascending id, up to the maximum stock. Units of stock items that
 * are not for sale any more are not returned: of a removed combination, or of a listing that has variations now.
 * @param event the cancellation, which gives back each line once
 */
export async function returnStock(
  db: Database,
  lines: Units[],
  { order_id, event_id }: { order_id: Id; event_id: Id },
): Promise<void> {
  const ids = lines.map(({ product_id }) => product_id)
  const stock = await lockStock(db, ids)
  const sellable = await sellableItems(db, ids)
  const units = unitsByItem(lines)
  const items = new Map(lines.map(line => [stockItemId(line), line]))
  const back = [...items].map(([item, { product_id, variant_id = null }]) => {
    const left = stock.get(product_id) ?? 0
    const returned = sellable.has(item) ? Math.min(units.get(item) ?? 0, MAX_STOCK - left) : 0
    stock.set(product_id, left + returned)
    return { product_id, variant_id, units: returned }
  })
  await insertEntries(db, back, { reason: 'cancel', order_id, event_id })
}

/** Ids of the combinations of listings, and of the listings that have none. */
async function sellableItems(db: Database, ids: Id[]): Promise<Set<Id>> {
  const variants = await variantsOf(db, ids)
  const varied = new Set(variants.map(({ product_id }) => product_id))
  return new Set([...variants.map(({ id }) => id), ...ids.filter(id => !varied.has(id))])
}

/** Opens the stock ledger of a new listing. @param idempotencyKey of the sending that adds it */
export function openStock(db: Database, id: Id, quantity: number, idempotencyKey?: string): Promise<void> {
  return insertEntries(db, [{ product_id: id, units: quantity }], {
    reason: 'opening',
    sent_as: idempotencyKey ?? null,
  })
}

/** Adds units to stock that the caller has locked, or takes them. @param idempotencyKey names the change */
export async function changeUnits(
  db: Database,
  changes: { product_id: Id; variant_id: Id | null; units: number }[],
  idempotencyKey: string | undefined,
): Promise<void> {
  const sent_as = idempotencyKey ?? null
  // Less first: the sum is never above the largest stock.
  const [less, more] = [changes.filter(({ units }) => units < 0), changes.filter(({ units }) => units > 0)]
  if (less.length > 0) await insertEntries(db, less, { reason: 'correction', sent_as })
  if (more.length > 0) await insertEntries(db, more, { reason: 'restock', sent_as })
}

/** The stock that a seller wants, and the one they saw. */
export interface Restock {
  target: number
  /** The stock that the seller saw. Undefined overwrites any. */
  shown?: number | undefined
  /** Idempotency key: a repeated one does not add stock again. */
  idempotencyKey?: string | undefined
}

/**
 * Sets the stock of a listing that the caller has locked. With `shown` only the difference is applied, so that sales
 * since then stay.
 * @throws Problem 409 if more were sold than would be left, 400 above the largest stock
 */
export async function restock(
  db: Database,
  id: Id,
  { target, shown, idempotencyKey }: Restock,
): Promise<void> {
  const left = (await lockStock(db, [id])).get(id) ?? 0
  const earlier = await earlierChanges(db, id, idempotencyKey)
  // Of combinations too, which this key may have removed.
  const changed = [...earlier.values()].reduce((sum, units) => sum + units, 0)
  const units = target - (shown === undefined ? left : shown + changed)
  if (left + units < 0) throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
  if (left + units > MAX_STOCK) throw new Problem(400, TOO_MUCH_STOCK)
  await changeUnits(db, [{ product_id: id, variant_id: null, units }], idempotencyKey)
}

/** Changes of stock that this idempotency key has already made: units by combination, null for a listing without variations. */
export async function earlierChanges(
  db: Database,
  id: Id,
  idempotencyKey: string | undefined,
): Promise<Map<Id | null, number>> {
  if (idempotencyKey === undefined) return new Map()
  const rows = await db
    .selectFrom('stock_ledger')
    .select(['variant_id', sql<number>`sum(units)::int`.as('units')])
    .where('product_id', '=', id)
    .where('sent_as', '=', idempotencyKey)
    .groupBy('variant_id')
    .execute()
  return new Map(rows.map(row => [row.variant_id, row.units]))
}

/** Locks the stock of listings by ascending id, until the transaction ends. @returns product id → units */
export async function lockStock(db: Database, ids: Id[]): Promise<Map<Id, number>> {
  const rows = await db
    .selectFrom('stock')
    .select(['product_id', 'quantity'])
    .where('product_id', '=', sql<Id>`any(${ids}::bigint[])`)
    .orderBy('product_id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.product_id, row.quantity]))
}

/**
 * Inserts rows into the stock ledger. The caller has locked the stock, or is about to open it. A trigger sums them
 * up in `stock`, which nothing else may change.
 */
async function insertEntries(
  db: Database,
  lines: { product_id: Id; variant_id?: Id | null; units: number }[],
  why:
    | { reason: 'opening' | 'restock' | 'correction'; sent_as: string | null }
    | { reason: 'cancel'; order_id: Id; event_id: Id },
): Promise<void> {
  const { reason, order_id, event_id, sent_as } = { order_id: null, event_id: null, sent_as: null, ...why }
  // Arrays: a statement has at most 65,535 parameters.
  await sql`
    insert into stock_ledger (product_id, variant_id, units, reason, order_id, event_id, sent_as)
    select product_id, variant_id, units, ${reason}::text, ${order_id}::bigint, ${event_id}::bigint, ${sent_as}::text
    from unnest(
      ${lines.map(line => line.product_id)}::bigint[], ${lines.map(line => line.variant_id ?? null)}::bigint[],
      ${lines.map(line => line.units)}::int[]
    ) as line (product_id, variant_id, units)
  `.execute(db)
}
