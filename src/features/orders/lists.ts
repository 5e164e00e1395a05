import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { fromCents } from '#money'
import { readCursor, unknownCursor } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import type { Answer } from '#products/questions-contract.ts'
import type { Order, OrderItem, OrderQuery, Purchase } from './contract.ts'
import { linePicture } from './line-picture.ts'
import { PAGE_LINES } from './paging.ts'

/**
 * A user's pending orders, newest first: at most `limit` (default 100), after `cursor`; with `id` only that one.
 * Fewer if they have many lines: one more than fits on a page of PAGE_LINES.
 * @throws Problem 400 for a cursor that is none of their orders, 404 for such an `id`
 */
export async function pending(
  db: Database,
  userId: Id,
  { limit = LIST_LIMIT, cursor, id }: OrderQuery = {},
): Promise<Order[]> {
  let query = db
    .selectFrom('orders as o')
    .select(['o.id', 'o.created_at'])
    .select(eb =>
      eb
        .selectFrom('order_lines as l')
        .select(count => count.fn.countAll().as('lines'))
        .whereRef('l.order_id', '=', 'o.id')
        .as('lines'),
    )
    .where('o.user_id', '=', userId)
    .where('o.status', '=', 'Pending')
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit)
  if (id !== undefined) query = query.where('o.id', '=', id)
  if (cursor !== undefined) {
    const [last = ''] = readCursor(cursor, /^([1-9]\d{0,15})$/)
    query = query.where(sql<boolean>`(o.created_at, o.id) < ${await positionOf(db, userId, last)}`)
  }
  // Adds up the lines of all orders but this one and the previous one: one order more than fits is read, for the next
  // cursor.
  const page = db.selectFrom(query.as('c')).select([
    'c.id',
    sql<number>`sum(c.lines) over (order by c.created_at desc, c.id desc
      rows between unbounded preceding and 2 preceding)`.as('before'),
  ])
  const found = await orders(db, linePicture)
    .select(makerOfOrder.as('maker'))
    .innerJoin(page.as('p'), 'p.id', 'o.id')
    .where(sql<boolean>`coalesce(p.before, 0) < ${PAGE_LINES}`)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .execute()
  if (id !== undefined && found.length === 0) await requireOwnOrders(db, userId, id)
  return found.map(view)
}

export const NO_ORDER = 'There is no such order'

/** @throws Problem 404 unless it is the user's order, in any status */
export async function requireOwnOrders(db: Database, userId: Id, id: Id): Promise<void> {
  const order = await db
    .selectFrom('orders')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!order) throw new Problem(404, NO_ORDER)
}

/**
 * Lines of all orders of a user, with cancelled ones, newest order first: at most `limit` (default 100), after
 * `cursor`.
 * @throws Problem 400 for a cursor that is none of their lines
 */
export async function items(
  db: Database,
  userId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery = {},
): Promise<OrderItem[]> {
  let query = db
    .selectFrom('order_lines as l')
    .innerJoin('orders as o', 'o.id', 'l.order_id')
    .select(['l.order_id', 'l.product_id', 'l.quantity', 'l.line'])
    .where('o.user_id', '=', userId)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .orderBy('l.product_id')
    .orderBy('l.line')
    .limit(limit)
  if (cursor !== undefined) {
    const [order = '', listing = '', line = '1'] = readCursor(
      cursor,
      /^([1-9]\d{0,15})\.([1-9]\d{0,15})(?:\.([1-9]\d{0,2}))?$/,
    )
    // The index finds the order; its lines up to the cursor are filtered.
    query = query
      .where(sql<boolean>`(o.created_at, o.id) <= ${await positionOf(db, userId, order)}`)
      .where(
        sql<boolean>`(o.id <> ${order}::bigint or (l.product_id, l.line) > (${listing}::bigint, ${line}::int))`,
      )
  }
  const rows = await query.execute()
  return rows.map(({ line, ...item }) => ({ ...item, ...(line > 1 ? { line } : {}) }))
}

/** Sort key of a user's order, for a row comparison. */
async function positionOf(db: Database, userId: Id, id: string): Promise<RawBuilder<unknown>> {
  const order = await db
    .selectFrom('orders')
    // As text: JavaScript's dates would lose the microseconds.
    .select(sql<string>`created_at::text`.as('at'))
    .where('id', '=', sql<Id>`${id}::bigint`)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!order) throw unknownCursor()
  return sql`(${order.at}::timestamptz, ${id}::bigint)`
}

/** SQL: the name of the maker of `orders as o`; null if the account was deleted. */
const makerOfOrder = sql<string | null>`(
  select ${makerName} from users as u left join shops as m on m.user_id = u.id where u.id = o.seller_id and u.erased_at is null)`

/** Orders with their lines. @param picture SQL: address of a small picture of a line `l`. Default: none */
export function orders(db: Database, picture: RawBuilder<string | null> = sql`null::text`) {
  return db
    .selectFrom('orders as o')
    .select(['o.id', 'o.purchase_id', 'o.status', 'o.total_cents', 'o.postage_cents', 'o.created_at'])
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('order_lines as l')
          .select(['l.product_id', 'l.name', 'l.price_cents', 'l.quantity', 'l.answers'])
          .select(picture.as('image_url'))
          .whereRef('l.order_id', '=', 'o.id')
          .orderBy('l.product_id')
          .orderBy('l.line'),
      ).as('lines'),
    )
}
type Found = Awaited<ReturnType<ReturnType<typeof orders>['executeTakeFirstOrThrow']>>
type Line = Omit<Found['lines'][number], 'image_url'> & { image_url?: string | null }
/** An order with its lines; in lists with their pictures, and the name of its maker. */
export type Row = Omit<Found, 'lines'> & { lines: Line[]; maker?: string | null }

/** Answers where there are any. */
const answersOf = (answers: unknown): { answers?: Answer[] } =>
  Array.isArray(answers) && answers.length > 0 ? { answers } : {}

/** An order as the API returns it. */
const view = ({ id, status, total_cents, postage_cents, created_at, maker, lines }: Row): Order => ({
  id,
  status,
  total: fromCents(total_cents),
  ...(postage_cents > 0 ? { postage: fromCents(postage_cents) } : {}),
  created_at: created_at.toISOString(),
  ...(maker ? { maker } : {}),
  products_ordered: lines.map(({ product_id, name, price_cents, quantity, answers, image_url }) => ({
    ...{ id: product_id, name, price: fromCents(price_cents), quantity },
    ...answersOf(answers),
    ...(image_url ? { image_url } : {}),
  })),
})

/** The orders of one purchase, by ascending id, as the API returns them: the order itself, or the sums of several. */
export function purchaseOf(rows: Row[]): Purchase {
  const [first, ...others] = rows
  if (!first) throw new Error('a purchase has no orders')
  if (others.length === 0) return view(first)
  const sum = (name: 'total_cents' | 'postage_cents') => rows.reduce((cents, row) => cents + row[name], 0)
  const lines = rows.flatMap(row => row.lines).sort((a, b) => a.product_id - b.product_id)
  const whole = view({
    ...first,
    total_cents: sum('total_cents'),
    postage_cents: sum('postage_cents'),
    lines,
  })
  return { ...whole, orders: rows.map(view) }
}
