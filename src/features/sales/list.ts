import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import { idIn } from '#id'
import { dayOf } from '#orders/detail.ts'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import type { ListedSale, Sale, SalesQuery } from './contract.ts'
import { filters } from './filters.ts'
import { salesOf } from './sales.ts'

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
export const parts: Part[] = [
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
    // As in the index.
    order: sql`o.ready_by, o.id`,
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

/** The orders of a part of the list. @param conditions further ones about `o`, a row of orders */
export function rowsOf(
  maker: Id,
  { where, order, at }: Part,
  conditions: RawBuilder<unknown>[],
  limit: number,
) {
  return sql<Omit<Place, 'part'>>`
    select o.id, ${at}::text as at from orders as o
    where o.seller_id = ${maker} and ${where} and ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${limit}
  `
}

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
  const [began, at, id] =
    cursor === undefined ? [] : decodeCursor(cursor, /^([0-2])\.(\d{1,18})\.([1-9]\d{0,15})$/)
  const first = Number(began ?? 0)
  const wanted = state && filters[state]
  const found: Place[] = []
  for (const [number, part] of parts.entries()) {
    if (number < first || found.length > limit || (wanted?.open ?? part.open) !== part.open) continue
    const beyond = cursor !== undefined && number === first ? part.after(at ?? '', id ?? '') : sql`true`
    const conditions = [wanted?.where ?? sql`true`, searched(search), beyond]
    const { rows } = await rowsOf(maker, part, conditions, limit + 1 - found.length).execute(db)
    found.push(...rows.map(row => ({ ...row, part: number })))
  }
  const { page, next_cursor } = pageOf(found, limit, last => [last.part, last.at, last.id])
  return {
    sales: await listed(
      db,
      page.map(({ id }) => id),
    ),
    next_cursor,
    day: dayOf(Date.now()),
  }
}

/** SQL: the order or its purchase has this number, or the name of its shopper, or on its address, holds this text. */
export function searched(search = ''): RawBuilder<unknown> {
  if (search === '') return sql`true`
  const number = idIn(search.replace(/^#/, '')) ?? null
  const holds = (name: RawBuilder<unknown>) => sql`position(lower(${search}) in lower(${name})) > 0`
  // Not exists, for which PostgreSQL may read all users and addresses here (a hashed subplan).
  return sql`(
    o.id = ${number}::bigint or o.purchase_id = ${number}::bigint
    or (select ${holds(sql`u.first_name || ' ' || u.last_name`)} from users as u where u.id = o.user_id and u.erased_at is null)
    or (select ${holds(sql`a.name`)} from order_addresses as a where a.order_id = o.id)
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
  const { id, created_at, state, shopper, total, ready_by, late } = sale
  return {
    ...{ id, created_at, state, shopper, total, ready_by, late },
    lines: lines.slice(0, SHOWN_LINES),
    more_lines: Math.max(0, lines.length - SHOWN_LINES),
    due: payment.due,
    unpaid: payment.open,
    pickup_place: pickup?.place ?? null,
  }
}
