import { sql } from 'kysely'
import * as cart from '#cart/cart.ts'
import { MAX_LINES } from '#cart/contract.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueing } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { lockForSale, returnStock, type Sold, takingStock } from '#products/stock.ts'
import { EMPTY_CART, NOT_PENDING, type Order } from './contract.ts'
import { orders, type Row, requireOwnOrders, view } from './lists.ts'
import { assertExpected, assertSameOrder, type Expected, totalOf } from './preconditions.ts'

/** `repeated`: placed before, with the same idempotency key. */
type Placed = Order & { repeated?: true }

/**
 * Places one order from the whole cart, or changes nothing. Locks, always in this order: the cart, its lines, the
 * listings, their stock, each by ascending id. The same idempotency key returns its first order.
 * @throws Problem 400 for an empty cart; 409 for too many lines, for short lines, or with the new total if a
 * precondition fails; 422 for the key of an order with other contents
 */
export function place(db: Database, userId: Id, expected: Expected = {}): Promise<Placed> {
  return transaction(db, db => placeOrder(db, userId, expected))
}

async function placeOrder(db: Database, userId: Id, expected: Expected): Promise<Placed> {
  await cart.lock(db, userId)
  const known = expected.key && (await placedWith(db, userId, expected.key))
  if (known) {
    assertSameOrder(known, expected, await cart.quantities(db, userId))
    return { ...known, repeated: true }
  }
  const lines = await cart.takeLines(db, userId)
  if (lines.length === 0) throw new Problem(400, EMPTY_CART)
  if (lines.length > MAX_LINES) throw new Problem(409, TOO_LONG)
  const sold = await lockForSale(db, lines)
  assertExpected(sold, expected)
  return record(db, userId, expected.key, sold)
}

/** Carts of older versions may be longer. */
const TOO_LONG = `An order has at most ${MAX_LINES} different pieces; remove some from your cart first`

/** Inserts the order with its lines, and takes its stock. The total is a sum of integer cents. */
async function record(db: Database, userId: Id, key: string | undefined, lines: Sold[]): Promise<Order> {
  const column = <K extends keyof Sold>(name: K) => lines.map(line => line[name])
  // One statement, to keep the stock locks short.
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
    written as (
      insert into order_lines (order_id, product_id, name, price_cents, quantity)
      select placed.id, product_id, name, price_cents, quantity from placed cross join sold
    ),
    taken as (${takingStock(sql`placed`, sql`sold`)}),
    letters as (${queueing(sql`(
      select 'order-received' as kind, id as subject, ${userId}::bigint as recipient, false as notify from placed
      union select 'sold', placed.id, p.seller_id, true from placed cross join sold
        join products as p on p.id = sold.product_id where p.seller_id <> ${userId}
    )`)})
    select * from placed
  `.execute(db)
  const [order] = rows
  if (!order) throw new Error('an order was written, and nothing came back')
  return view({ ...order, lines })
}

async function placedWith(db: Database, userId: Id, key: string): Promise<Order | undefined> {
  const row = await orders(db)
    .where('o.user_id', '=', userId)
    .where('o.idempotency_key', '=', key)
    .executeTakeFirst()
  return row && view(row)
}

/**
 * Cancels an order and gives its stock back, exactly once: of concurrent calls, one changes the status and goes on.
 * @throws Problem 404 unknown or someone else's, 409 no longer pending
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
    await returnStock(db, id, lines)
    await queueing(sql`(
      select 'order-cancelled' as kind, ${id}::bigint as subject, ${userId}::bigint as recipient, false as notify
      union select 'sale-cancelled', ${id}, seller_id, true from products
        where id = any(${lines.map(line => line.product_id)}::bigint[]) and seller_id <> ${userId}
    )`).execute(db)
  })
}
