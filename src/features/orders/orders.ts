import { sql } from 'kysely'
import * as cart from '#cart/cart.ts'
import { MAX_LINES } from '#cart/contract.ts'
import type { Id } from '#contract'
import { type Database, retryOnConflict, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { giveBack, lockForSale, lockingForSale, type Sold, takingStock } from '#products/stock.ts'
import { EMPTY_CART, NOT_PENDING, type Order } from './contract.ts'
import { orders, type Row, requireOwnOrders, view } from './lists.ts'
import { assertExpected, assertSameOrder, canonicalItems, type Expected, totalOf } from './preconditions.ts'

/** `repeated`: it had been placed before, by the same key. */
type Placed = Order & { repeated?: true }

/**
 * Places one order from the whole cart, or changes nothing. The order keeps each line's name and price as they are
 * now. Locks, always in this order: the cart, its lines, the listings, their stock, each by ascending id. The same key
 * again returns the order it placed before.
 * @throws Problem 400 for an empty cart, 409 for too long a one, naming the lines that are short, or with the new total where that or the
 * cart is no longer what was agreed to, 422 for the key of an order with other contents
 */
export async function place(db: Database, userId: Id, agreed: Expected = {}): Promise<Placed> {
  return (
    (await retryOnConflict(() => placeAtOnce(db, userId, agreed))) ??
    transaction(db, db => placeOrRefuse(db, userId, agreed))
  )
}

/**
 * Places an order in one statement, so that others wait for its stock as shortly as can be.
 * @returns nothing, and has changed nothing, where anything at all is in the way
 */
async function placeAtOnce(db: Database, userId: Id, agreed: Expected): Promise<Order | undefined> {
  const { key = null, total = null, items } = agreed
  const seen = items ? canonicalItems(items) : null
  const { rows } = await sql<Omit<Row, 'lines'> & Sold>`
    with ${cart.lockingLines(userId)},
    sold as (${lockingForSale(sql`line`)}),
    sum as (
      select sum(price_cents::bigint * quantity) as total_cents from sold
      having count(*) between 1 and ${MAX_LINES} and count(*) = (select count(*) from line)
        and (${total}::bigint is null or sum(price_cents::bigint * quantity) = ${total}::bigint)
        and (${seen}::text is null or string_agg(product_id || 'x' || quantity, ' ' order by product_id) = ${seen}::text)
    ),
    placed as (
      insert into orders (user_id, total_cents, idempotency_key) select ${userId}, total_cents, ${key}::text from sum
      on conflict on constraint orders_once_per_key do nothing
      returning id, status, total_cents, created_at
    ),
    emptied as (${cart.deleteLinesSql(sql`placed`)}),
    written as (${WRITING_LINES}),
    taken as (${takingStock(sql`placed`, sql`sold`)})
    select placed.*, sold.* from placed cross join sold order by product_id
  `.execute(db)
  const lines = rows.map(({ product_id, quantity, name, price_cents }) => ({
    product_id,
    quantity,
    name,
    price_cents,
  }))
  const [first] = rows
  if (!first) return undefined
  const { id, status, total_cents, created_at } = first
  return view({ id, status, total_cents, created_at, lines })
}

/** Places an order step by step, or tells what is in the way. */
async function placeOrRefuse(db: Database, userId: Id, agreed: Expected): Promise<Placed> {
  await cart.lock(db, userId)
  const known = agreed.key && (await placedWith(db, userId, agreed.key))
  if (known) {
    assertSameOrder(known, agreed, await cart.quantities(db, userId))
    return { ...known, repeated: true }
  }
  const lines = await cart.takeLines(db, userId)
  if (lines.length === 0) throw new Problem(400, EMPTY_CART)
  if (lines.length > MAX_LINES) throw new Problem(409, TOO_LONG)
  const sold = await lockForSale(db, lines)
  assertExpected(sold, agreed)
  return record(db, userId, agreed.key, sold)
}

/** Carts were not always bounded. */
const TOO_LONG = `An order has at most ${MAX_LINES} different pieces; remove some from your cart first`

/** Writes the order with its lines, and takes its stock. The total is a sum of integer cents. */
async function record(db: Database, userId: Id, key: string | undefined, lines: Sold[]): Promise<Order> {
  const column = <K extends keyof Sold>(name: K) => lines.map(line => line[name])
  // One statement: others wait for the stock that is locked meanwhile.
  const { rows } = await sql<Omit<Row, 'lines'>>`
    with sold as (
      select * from unnest(
        ${column('product_id')}::bigint[], ${column('quantity')}::int[], ${column('name')}::text[],
        ${column('price_cents')}::int[]
      ) as line (product_id, quantity, name, price_cents)
    ),
    placed as (
      insert into orders (user_id, total_cents, idempotency_key) values (${userId}, ${totalOf(lines)}, ${key ?? null})
      returning id, status, total_cents, created_at
    ),
    written as (${WRITING_LINES}),
    taken as (${takingStock(sql`placed`, sql`sold`)})
    select * from placed
  `.execute(db)
  const [order] = rows
  if (!order) throw new Error('an order was written, and nothing came back')
  return view({ ...order, lines })
}

/** The part of a statement that writes the lines of the order `placed`, which are `sold`. */
const WRITING_LINES = sql`
  insert into order_lines (order_id, product_id, name, price_cents, quantity)
  select placed.id, product_id, name, price_cents, quantity from placed cross join sold`

async function placedWith(db: Database, userId: Id, key: string): Promise<Order | undefined> {
  const row = await orders(db)
    .where('o.user_id', '=', userId)
    .where('o.idempotency_key', '=', key)
    .executeTakeFirst()
  return row && view(row)
}

/**
 * Cancels an order and gives its stock back, exactly once: of many at the same time one changes the status,
 * and only that one goes on. @throws Problem 404 unknown or someone else's, 409 no longer pending
 */
export function cancel(db: Database, userId: Id, id: Id): Promise<void> {
  return transaction(db, async db => {
    const cancelled = await db
      .updateTable('orders')
      .set({ status: 'Cancelled', cancelled_at: sql`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('status', '=', 'Pending')
      .returning('id')
      .executeTakeFirst()
    if (!cancelled) {
      await requireOwnOrders(db, userId, id)
      throw new Problem(409, NOT_PENDING)
    }
    const lines = await db
      .selectFrom('order_lines')
      .select(['product_id', 'quantity'])
      .where('order_id', '=', id)
      .execute()
    await giveBack(db, id, lines)
  })
}
