import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { fromCents } from '#money'
import { type Detail, dayOf, details } from '#orders/detail.ts'
import { NO_ORDER } from '#orders/lists.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Sale, SalesSums } from './contract.ts'
import { balance, isUnsettled } from './filters.ts'

/** Orders as their maker sees them, newest first. @param where SQL about `o`, a row of orders */
export async function salesOf(db: Database, where: RawBuilder<unknown>, limit?: number): Promise<Sale[]> {
  const found = await details(db, where, limit)
  const ids = [...new Set(found.map(({ shopper_id }) => shopper_id))]
  const shoppers = await db
    .selectFrom('users')
    .select(['id', sql<string>`first_name || ' ' || last_name`.as('name')])
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('erased_at', 'is', null)
    .execute()
  const names = new Map(shoppers.map(({ id, name }) => [id, name]))
  return found.map(detail => saleOf(detail, names.get(detail.shopper_id) ?? ''))
}

/** The code stays with the shopper. */
function saleOf({ order: { pickup, ...order }, revision }: Detail, shopper: string): Sale {
  const place = pickup && { place: pickup.place, hours: pickup.hours }
  return { ...order, pickup: place, shopper, revision, day: dayOf(Date.now()) }
}

/** A maker's order. @throws Problem 404 unknown or someone else's */
export async function find(db: Database, maker: Id, id: Id): Promise<Sale> {
  const [sale] = await salesOf(db, sql`o.id = ${id} and o.seller_id = ${maker}`, 1)
  if (!sale) throw new Problem(404, NO_ORDER)
  return sale
}

/** @throws Problem 404 unless it is the user's sale, in any state */
export async function requireOwnSale(db: Database, maker: Id, id: Id): Promise<void> {
  const order = await db
    .selectFrom('orders')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', maker)
    .executeTakeFirst()
  if (!order) throw new Problem(404, NO_ORDER)
}

/** Amounts of a maker's orders that are open or not settled, integer cents until they leave. */
export async function sums(db: Database, maker: Id): Promise<SalesSums> {
  const { rows } = await sql<Record<'orders' | 'due' | 'paid' | 'refunded' | 'open' | 'owed', number>>`
    select count(*) as orders, coalesce(sum(o.total_cents - o.cancelled_cents), 0)::bigint as due,
      coalesce(sum(o.paid_cents), 0)::bigint as paid, coalesce(sum(o.refunded_cents), 0)::bigint as refunded,
      coalesce(sum(${balance}), 0)::bigint as open, coalesce(sum(greatest(-(${balance}), 0)), 0)::bigint as owed
    from orders as o where o.seller_id = ${maker} and ${isUnsettled}
  `.execute(db)
  const { orders = 0, due = 0, paid = 0, refunded = 0, open = 0, owed = 0 } = rows[0] ?? {}
  return {
    orders,
    due: fromCents(due),
    paid: fromCents(paid),
    refunded: fromCents(refunded),
    open: fromCents(open),
    owed: fromCents(owed),
  }
}

/** Any maker's order, for operators. @throws Problem 404 unknown */
export async function findForOperator(db: Database, id: Id): Promise<Sale> {
  const [sale] = await salesOf(db, sql`o.id = ${id}`, 1)
  if (!sale) throw new Problem(404, NO_ORDER)
  return sale
}
