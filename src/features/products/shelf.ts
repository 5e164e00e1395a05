import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import type { SHELF_SORTS, ShelfQuery } from './bulk-contract.ts'
import type { ShelfListing, ShelfPage } from './contract.ts'
import { everyListing, view } from './products.ts'
import { isVaried } from './variants.ts'

// A seller's own listings. A few thousand at most, so all of them are filtered and sorted.

type Sort = (typeof SHELF_SORTS)[number]
interface Order {
  by: RawBuilder<unknown>
  /** What it sorts by, an integer, for cursors. */
  key: RawBuilder<unknown>
  /** Whether a row comes after a cursor. */
  after: (key: string, id: string) => RawBuilder<boolean>
}

const rising = (column: RawBuilder<unknown>): Order => ({
  by: sql`${column}, p.id`,
  key: column,
  after: (key, id) => sql`(${column}, p.id) > (${key}::bigint, ${id}::bigint)`,
})
const price = sql`p.price_cents`
const orders: Record<Sort, Order> = {
  newest: {
    by: sql`p.created_at desc, p.id desc`,
    key: toMicroseconds(sql`p.created_at`),
    after: (at, id) => sql`(p.created_at, p.id) < (${fromMicroseconds(at)}, ${id}::bigint)`,
  },
  stock: rising(sql`s.quantity`),
  price_asc: rising(price),
  price_desc: {
    by: sql`p.price_cents desc, p.id desc`,
    key: price,
    after: (cents, id) => sql`(p.price_cents, p.id) < (${cents}::bigint, ${id}::bigint)`,
  },
}

/** Which of a seller's listings. */
type Filter = Pick<ShelfQuery, 'retired' | 'name' | 'sold_out'>

/** State of `products as p` with `stock as s` and its seller's `shops as m`. */
const state = sql<ShelfListing['state']>`case
  when p.suspended_at is not null then 'suspended'
  when p.hidden_at is not null then 'hidden'
  when p.retired_at is not null then 'retired'
  when s.quantity = 0 then 'sold-out'
  when ${isAway('m')} then 'away'
  else 'for-sale' end`

/** The newest decision that hides or suspends `products as p`. */
const notice = sql<Id | null>`case
  when p.suspended_at is not null
    then (select max(l.id) from operator_log as l where l.person_id = p.seller_id and l.action = 'person-suspended')
  when p.hidden_at is not null
    then (select max(l.id) from operator_log as l where l.product_id = p.id and l.action = 'listing-hidden')
  end`

const sold = sql<number>`(
  select coalesce(sum(l.quantity - l.cancelled), 0)::int from order_lines as l where l.product_id = p.id)`

/**
 * Own listings that match, at most `limit` (default 100), after `cursor`. Those that are hidden or suspended are among them.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(db: Database, seller: Id, query: ShelfQuery): Promise<ShelfPage> {
  const { limit = LIST_LIMIT, cursor, sort = 'newest' } = query
  const { by, key, after } = orders[sort]
  const [last, id] =
    cursor === undefined
      ? []
      : decodeCursor(cursor, new RegExp(`^${sort}${String.raw`\.(\d{1,16})`.repeat(2)}$`))
  const rows = await everyListing(db)
    .select(sql<string>`${key}`.as('key'))
    .select([state.as('state'), notice.as('notice_id'), sold.as('sold'), isVaried.as('is_varied')])
    .where(matching(seller, query, isListed))
    .$if(last !== undefined && id !== undefined, found => found.where(after(last ?? '', id ?? '')))
    .orderBy(by)
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = pageOf(rows, limit, last => [sort, String(last.key), last.id])
  return {
    products: page.map(({ key: _, state, notice_id, sold, is_varied, ...row }) => ({
      ...view(row),
      ...{ state, notice_id, sold, is_varied },
    })),
    next_cursor,
  }
}

/** Ids of own listings that match and can be changed, newest first. @param most how many at most */
export async function idsMatching(db: Database, seller: Id, filter: Filter, most: number): Promise<Id[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select('p.id')
    .where(matching(seller, filter, sql`p.deleted_at is null`))
    .orderBy(orders.newest.by)
    .limit(most)
    .execute()
  return rows.map(row => row.id)
}

/** Condition on `products as p`: not deleted, and not retired. */
const isListed = sql`(p.deleted_at is null
  or p.retired_at is null and coalesce(p.hidden_at, p.suspended_at) is not null)`

/** Condition on `products as p` with `stock as s`. @param listed which ones, without those that are retired */
function matching(
  seller: Id,
  { retired, name, sold_out }: Filter,
  listed: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const conditions = [
    sql`p.seller_id = ${seller}`,
    retired ? sql`p.retired_at is not null` : listed,
    ...(sold_out ? [sql`s.quantity = 0`] : []),
    ...(name === undefined
      ? []
      : [sql`strpos(plain_words(concat_ws(' ', p.name, p.title)), plain_words(${name})) > 0`]),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
