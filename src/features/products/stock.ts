import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { MAX_STOCK, TOO_MUCH_STOCK } from './contract.ts'

/** What is taken from stock or given back to it. */
export interface Units {
  product_id: Id
  quantity: number
}

/** A listing as it is at the moment of sale. `price_cents` is integer cents. */
export interface Sold extends Units {
  name: string
  price_cents: number
}

/**
 * Locks all lines for a sale, or says which are short. Belongs into a transaction, which the caller rolls back by
 * letting the Problem pass, and ends with `takingStock`. Listings are locked by ascending id, so that concurrent sales
 * never deadlock.
 * @throws Problem 409 naming each line that is short or gone
 */
export async function lockForSale(db: Database, lines: Units[]): Promise<Sold[]> {
  const ids = lines.map(line => line.product_id)
  // The listing is shared with other sales, but no seller changes price or name, or deletes it, until this one is done.
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

/**
 * The part of a statement that takes what is locked, and the order that it is taken for.
 * @param order a relation with the id of the order, which the same statement may write
 * @param lines a relation with product_id and quantity
 */
export const takingStock = (
  order: RawBuilder<unknown>,
  lines: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into stock_ledger (product_id, units, reason, order_id)
  select line.product_id, -line.quantity, 'sale', placed.id from ${order} as placed cross join ${lines} as line`

/**
 * Gives back what an order took, by ascending id as it was taken. A piece that would exceed the largest stock stays
 * at it.
 */
export async function giveBack(db: Database, orderId: Id, lines: Units[]): Promise<void> {
  const stock = await lockStock(
    db,
    lines.map(line => line.product_id),
  )
  const back = lines.map(({ product_id, quantity }) => ({
    product_id,
    units: Math.min(quantity, MAX_STOCK - (stock.get(product_id) ?? 0)),
  }))
  await enter(db, back, { reason: 'cancel', order_id: orderId })
}

/** Opens the books of a new listing with what there is of it. @param sentAs the sending that it came with */
export function openStock(db: Database, id: Id, quantity: number, sentAs?: string): Promise<void> {
  return enter(db, [{ product_id: id, units: quantity }], { reason: 'opening', sent_as: sentAs ?? null })
}

/** What a seller says of the stock, and beside which one. */
export interface Restock {
  wanted: number
  /** The stock that the seller saw; undefined: it is to be as wanted, whatever there is. */
  shown?: number | undefined
  /** The sending that it comes with: what it brought before is not brought again. */
  sentAs?: string | undefined
}

/**
 * Sets the stock of a listing that the caller has locked. With `shown` only the difference to it is applied, so that no sale
 * since then is undone.
 * @throws Problem 409 where more were sold than would be left, 400 where it would exceed the largest stock
 */
export async function restock(db: Database, id: Id, { wanted, shown, sentAs }: Restock): Promise<void> {
  const left = (await lockStock(db, [id])).get(id) ?? 0
  const units = wanted - (shown === undefined ? left : shown + (await broughtBy(db, id, sentAs)))
  if (left + units < 0) throw new Problem(409, `Some were sold meanwhile: ${left} left in stock`)
  if (left + units > MAX_STOCK) throw new Problem(400, TOO_MUCH_STOCK)
  if (units !== 0)
    await enter(db, [{ product_id: id, units }], {
      reason: units > 0 ? 'restock' : 'correction',
      sent_as: sentAs ?? null,
    })
}

/** Units that came, or negative: went, with this sending already. */
async function broughtBy(db: Database, id: Id, sentAs: string | undefined): Promise<number> {
  if (sentAs === undefined) return 0
  const { units } = await db
    .selectFrom('stock_ledger')
    .select(sql<number>`coalesce(sum(units), 0)::int`.as('units'))
    .where('product_id', '=', id)
    .where('sent_as', '=', sentAs)
    .executeTakeFirstOrThrow()
  return units
}

/** Locks the stock of listings by ascending id, until the transaction ends. @returns listing → units in stock */
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
 * Writes rows into the books, whose stock the caller has locked or is about to open. A trigger adds them up in `stock`,
 * which nothing else may change.
 */
async function enter(
  db: Database,
  lines: { product_id: Id; units: number }[],
  why:
    | { reason: 'opening' | 'restock' | 'correction'; sent_as: string | null }
    | { reason: 'cancel'; order_id: Id },
): Promise<void> {
  const { reason, order_id, sent_as } = { order_id: null, sent_as: null, ...why }
  // Two arrays, however many lines: a statement takes at most 65,535 parameters.
  await sql`
    insert into stock_ledger (product_id, units, reason, order_id, sent_as)
    select product_id, units, ${reason}::text, ${order_id}::bigint, ${sent_as}::text
    from unnest(
      ${lines.map(line => line.product_id)}::bigint[], ${lines.map(line => line.units)}::int[]
    ) as line (product_id, units)
  `.execute(db)
}

/** Words for a line that asks for more than there is. */
export const shortOf = (name: string, stock: number): string =>
  stock === 0 ? `${name} is sold out` : `Only ${stock} of ${name} left in stock`
