import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'

/** Units of a listing that are taken or given back. */
export interface Units {
  product_id: Id
  quantity: number
}

/** A listing at the moment of sale. `price_cents` is integer cents. */
export interface Sold extends Units {
  name: string
  price_cents: number
}

/**
 * Locks all lines for a sale. Call it in a transaction that a Problem rolls back, and that ends with `takingStock`.
 * Locks by ascending id, so that concurrent sales never deadlock.
 * @throws Problem 409 naming each line that is short or deleted
 */
export async function lockForSale(db: Database, lines: Units[]): Promise<Sold[]> {
  const ids = lines.map(line => line.product_id)
  // A shared lock: sales run concurrently, but no seller changes or deletes the listing meanwhile.
  const listings = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', 'p.name', 'p.price_cents', 'p.deleted_at', 's.quantity as stock'])
    .where('p.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .orderBy('p.id')
    .forShare('p')
    .forUpdate('s')
    .execute()
  const sold: Sold[] = []
  const errors: string[] = []
  for (const { product_id, quantity } of lines) {
    const listing = listings.find(row => row.id === product_id)
    const left = listing?.stock ?? 0
    if (!listing || listing.deleted_at) errors.push(`${listing?.name ?? 'A listing'} is no longer available`)
    else if (left < quantity) errors.push(shortOf(listing.name, left))
    else sold.push({ product_id, quantity, name: listing.name, price_cents: listing.price_cents })
  }
  if (errors[0] !== undefined) throw new Problem(409, errors[0], { errors })
  return sold
}

/** SQL fragment that takes locked units from stock. @param lines a relation with order_id, product_id and quantity */
export const takingStock = (lines: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into stock_ledger (product_id, units, reason, order_id)
  select product_id, -quantity, 'sale', order_id from ${lines} as line`

/**
 * Gives back units of an order, by ascending id. Stock above the maximum is cut to it.
 * @param event the cancellation, which gives back each line once
 */
export async function returnStock(
  db: Database,
  lines: Units[],
  { order_id, event_id }: { order_id: Id; event_id: Id },
): Promise<void> {
  const stock = await lockStock(
    db,
    lines.map(line => line.product_id),
  )
  const back = lines.map(({ product_id, quantity }) => ({
    product_id,
    units: Math.min(quantity, MAX_STOCK - (stock.get(product_id) ?? 0)),
  }))
  await insertEntries(db, back, { reason: 'cancel', order_id, event_id })
}

/** Opens the stock ledger of a new listing. @param */
export function openStock(db: Database, id: Id, quantity: number, idempotencyKey?: string): Promise<void> {
  return insertEntries(db, [{ product_id: id, units: quantity }], {
    reason: 'opening',
    sent_as: idempotencyKey ?? null,
  })
}

/** The stock that a seller wants, and the one they saw. */
export interface Restock {
  target: number
  /** The stock that the seller saw; undefined: sets the stock unconditionally. */
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
  const units = target - (shown === undefined ? left : shown + (await earlierChange(db, id, idempotencyKey)))
  if (left + units < 0) throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
  if (left + units > MAX_STOCK) throw new Problem(400, TOO_MUCH_STOCK)
  if (units !== 0)
    await insertEntries(db, [{ product_id: id, units }], {
      reason: units > 0 ? 'restock' : 'correction',
      sent_as: idempotencyKey ?? null,
    })
}

/** Change of stock that this idempotency key has already made. */
async function earlierChange(db: Database, id: Id, idempotencyKey: string | undefined): Promise<number> {
  if (idempotencyKey === undefined) return 0
  const { units } = await db
    .selectFrom('stock_ledger')
    .select(sql<number>`coalesce(sum(units), 0)::int`.as('units'))
    .where('product_id', '=', id)
    .where('sent_as', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  return units
}

/** Locks the stock of listings by ascending id, until the transaction ends. @returns product id → units */
async function lockStock(db: Database, ids: Id[]): Promise<Map<Id, number>> {
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
  lines: { product_id: Id; units: number }[],
  why:
    | { reason: 'opening' | 'restock' | 'correction'; sent_as: string | null }
    | { reason: 'cancel'; order_id: Id; event_id: Id },
): Promise<void> {
  const { reason, order_id, event_id, sent_as } = { order_id: null, event_id: null, sent_as: null, ...why }
  // Two arrays: a statement has at most 65,535 parameters.
  await sql`
    insert into stock_ledger (product_id, units, reason, order_id, event_id, sent_as)
    select product_id, units, ${reason}::text, ${order_id}::bigint, ${event_id}::bigint, ${sent_as}::text
    from unnest(
      ${lines.map(line => line.product_id)}::bigint[], ${lines.map(line => line.units)}::int[]
    ) as line (product_id, units)
  `.execute(db)
}

/** Message for a line above the stock. */
export const shortOf = (name: string, stock: number): string =>
  stock === 0 ? `${name} is sold out` : `Only ${stock} of ${name} left in stock`
