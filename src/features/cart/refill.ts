import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { shortOf, type Units } from '#products/stock.ts'
import { lock, quantities } from './cart.ts'
import { MAX_LINES, MAX_QUANTITY } from './contract.ts'

/** A line that a cart was filled up with. */
interface Refilled {
  added: number
  in_cart: number
  /** Why the cart holds fewer than are wanted. null: it does not. */
  reason: string | null
}
interface Wanted extends Units {
  /** Of a listing that may be deleted by now. */
  name: string
}

/**
 * Raises the lines of a cart to these quantities, as far as stock and the limits of a cart reach. A line that holds as many
 * already stays as it is, so that doing it again adds nothing.
 * @param ownListings whether the user may buy their own listings
 * @returns product id → what the cart holds
 */
export function refill(
  db: Database,
  userId: Id,
  wanted: Wanted[],
  ownListings: boolean,
): Promise<Map<Id, Refilled>> {
  return transaction(db, async db => {
    await lock(db, userId)
    const held = new Map(
      (await quantities(db, userId)).map(({ product_id, quantity }) => [product_id, quantity]),
    )
    const forSale = await listingsOf(
      db,
      wanted.map(({ product_id }) => product_id),
    )
    const filled = new Map<Id, Refilled>()
    let lines = held.size
    for (const { product_id, quantity, name } of wanted) {
      const listing = forSale.get(product_id)
      const before = held.get(product_id) ?? 0
      let reason = refusalOf(listing, { name, quantity, userId, ownListings })
      let in_cart = before
      if (listing && (ownListings || listing.seller_id !== userId))
        in_cart = Math.max(before, Math.min(quantity, listing.stock, MAX_QUANTITY))
      if (before === 0 && in_cart > 0 && ++lines > MAX_LINES) {
        in_cart = 0
        reason = `Your cart holds ${MAX_LINES} different pieces, which is the most for one order`
      }
      filled.set(product_id, {
        added: in_cart - before,
        in_cart,
        reason: in_cart >= quantity ? null : reason,
      })
    }
    const raised = [...filled].filter(([, { added }]) => added > 0)
    if (raised.length > 0) await raise(db, userId, raised)
    return filled
  })
}

interface Listing {
  seller_id: Id
  stock: number
}

/** Why as many as wanted do not fit, in general. */
function refusalOf(
  listing: Listing | undefined,
  {
    name,
    quantity,
    userId,
    ownListings,
  }: { name: string; quantity: number; userId: Id; ownListings: boolean },
): string | null {
  if (!listing) return `${name} is no longer for sale`
  if (!ownListings && listing.seller_id === userId) return `${name} is your own listing`
  if (listing.stock < quantity) return shortOf(name, listing.stock)
  return quantity > MAX_QUANTITY ? `At most ${MAX_QUANTITY} of ${name} fit into a cart` : null
}

async function listingsOf(db: Database, ids: Id[]): Promise<Map<Id, Listing>> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.id', 'p.seller_id', 's.quantity as stock'])
    .where('p.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('p.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, ...listing }) => [id, listing]))
}

/** Writes the lines of a locked cart, with the present prices. */
async function raise(db: Database, userId: Id, lines: [Id, Refilled][]): Promise<void> {
  await sql`
    insert into cart_lines (user_id, product_id, quantity, added_price_cents)
    select ${userId}, p.id, line.quantity, p.price_cents
    from unnest(${lines.map(([id]) => id)}::bigint[], ${lines.map(([, { in_cart }]) => in_cart)}::int[])
      as line (product_id, quantity)
    join products as p on p.id = line.product_id
    order by p.id
    on conflict on constraint cart_lines_one_each do update
      set quantity = excluded.quantity, added_price_cents = excluded.added_price_cents
  `.execute(db)
}
