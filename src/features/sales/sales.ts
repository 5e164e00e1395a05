import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import { fromCents } from '#money'
import { type Detail, details } from '#orders/detail.ts'
import { NO_ORDER } from '#orders/lists.ts'
import { decodeCursor, encodeCursor, fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { ListedSale, Sale, SalesQuery, SalesSums } from './contract.ts'
import { filters, isRunning } from './filters.ts'

/** Lines of an order that its list shows. */
const SHOWN_LINES = 3

/** Parts of the list, one after the other. Each is read in the order of an index. */
interface Part {
  open: boolean
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** What it is sorted by, before the id. */
  at: RawBuilder<unknown>
  after: (at: string, id: string) => RawBuilder<unknown>
}
const parts: Part[] = [
  {
    open: true,
    where: sql`o.is_open and o.ready_by is not null`,
    order: sql`o.ready_by, o.id`,
    at: toMicroseconds(sql`o.ready_by`),
    after: (at, id) => sql`(o.ready_by, o.id) > (${fromMicroseconds(at)}, ${id}::bigint)`,
  },
  // Orders from before there were promises.
  {
    open: true,
    where: sql`o.is_open and o.ready_by is null`,
    order: sql`o.id`,
    at: sql`0`,
    after: (_, id) => sql`o.id > ${id}::bigint`,
  },
  {
    open: false,
    where: sql`not o.is_open`,
    order: sql`o.created_at desc, o.id desc`,
    at: toMicroseconds(sql`o.created_at`),
    after: (at, id) => sql`(o.created_at, o.id) < (${fromMicroseconds(at)}, ${id}::bigint)`,
  },
]

interface Place {
  part: number
  at: string
  id: Id
}

/**
 * A maker's sales: open ones first, the earliest due day first; then the others, newest first. At most `limit` (default 100),
 * after `cursor`.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  maker: Id,
  { limit = LIST_LIMIT, cursor, state, search }: SalesQuery,
): Promise<{ sales: ListedSale[]; next_cursor: string | null; day: string }> {
  const [number, at, id] =
    cursor === undefined ? [] : decodeCursor(cursor, /^([0-2])\.(\d{1,18})\.([1-9]\d{0,15})$/)
  const first = Number(number ?? 0)
  const wanted = state && filters[state]
  const found: Place[] = []
  for (const [part, { open, where, order, at: key, after }] of parts.entries()) {
    if (part < first || found.length > limit || (wanted?.open ?? open) !== open) continue
    const beyond = cursor !== undefined && part === first ? after(at ?? '', id ?? '') : sql`true`
    const { rows } = await sql<Omit<Place, 'part'>>`
      select o.id, ${key}::text as at from orders as o
      where o.seller_id = ${maker} and ${where} and ${wanted?.where ?? sql`true`} and ${searched(search)} and ${beyond}
      order by ${order} limit ${limit + 1 - found.length}
    `.execute(db)
    found.push(...rows.map(row => ({ ...row, part })))
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    sales: await listed(
      db,
      page.map(({ id }) => id),
    ),
    next_cursor: found.length > limit && last ? encodeCursor(last.part, last.at, last.id) : null,
    day: thisDay(),
  }
}

/** SQL: the order or its purchase has this number, or the name of its shopper, or on its address, holds this text. */
function searched(search = ''): RawBuilder<unknown> {
  if (search === '') return sql`true`
  const number = /^#?([1-9]\d{0,14})$/.exec(search)?.[1] ?? null
  const holds = (name: RawBuilder<unknown>) => sql`position(lower(${search}) in lower(${name})) > 0`
  return sql`(
    o.id = ${number}::bigint or o.purchase_id = ${number}::bigint
    or exists (select from users as u where u.id = o.user_id and u.erased_at is null and ${holds(sql`u.first_name || ' ' || u.last_name`)})
    or exists (select from order_addresses as a where a.order_id = o.id and ${holds(sql`a.name`)})
  )`
}

/** Orders by their ids, in this order. */
async function listed(db: Database, ids: Id[]): Promise<ListedSale[]> {
  if (ids.length === 0) return []
  const found = await salesOf(db, sql`o.id = any(${ids}::bigint[])`)
  const sales = new Map(found.map(sale => [sale.id, sale]))
  return ids.flatMap(id => {
    const sale = sales.get(id)
    return sale ? [listedOf(sale)] : []
  })
}

function listedOf({ lines, payment, pickup, ...sale }: Sale): ListedSale {
  const { id, created_at, state, shopper, total, ready_by, late, revision } = sale
  return {
    ...{ id, created_at, state, shopper, total, ready_by, late, revision },
    lines: lines.slice(0, SHOWN_LINES),
    more_lines: Math.max(0, lines.length - SHOWN_LINES),
    unpaid: payment.open,
    pickup_place: pickup?.place ?? null,
  }
}

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

const DAY_LENGTH = '2026-03-31'.length
/** This day in UTC. */
const thisDay = () => new Date().toISOString().slice(0, DAY_LENGTH)

/** The code stays with the shopper. */
function saleOf({ order: { maker: _, pickup, ...order }, revision }: Detail, shopper: string): Sale {
  const isWaiting = order.state === 'open' || order.state === 'part-sent'
  const day = thisDay()
  const late = isWaiting && order.ready_by !== null && order.ready_by.slice(0, DAY_LENGTH) < day
  const place = pickup && { place: pickup.place, hours: pickup.hours }
  return { ...order, pickup: place, shopper, late, revision, day }
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
  const { rows } = await sql<Record<'orders' | 'due' | 'paid' | 'refunded', number>>`
    select count(*) as orders, coalesce(sum(o.total_cents - o.cancelled_cents), 0)::bigint as due,
      coalesce(sum(o.paid_cents), 0)::bigint as paid, coalesce(sum(o.refunded_cents), 0)::bigint as refunded
    from orders as o where o.seller_id = ${maker} and ${isRunning}
  `.execute(db)
  const { orders = 0, due = 0, paid = 0, refunded = 0 } = rows[0] ?? {}
  const open = due - paid + refunded
  return {
    orders,
    due: fromCents(due),
    paid: fromCents(paid),
    refunded: fromCents(refunded),
    open: fromCents(open),
  }
}
