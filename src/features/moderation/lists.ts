import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import { idIn } from '#id'
import { photosOf } from '#images/images.ts'
import { fromCents } from '#money'
import { decodeCursor, encodeCursor, pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { isListedOrPaused } from '#products/paused.ts'
import { isLate } from '#sales/filters.ts'
import type { Search } from './operate-contract.ts'
import type { ListingRow, OrderRow, PersonRow, ReviewRow } from './rows-contract.ts'

// Lists for operators, newest first: by descending id, since ids are given out in order.

/** Which rows. */
interface Which extends Search {
  /** Only these. */
  ids?: Id[]
  /** Only hidden listings, or reviews that are hidden or whose reply is, or suspended people. */
  hidden?: boolean | undefined
}

/** A page of a list. */
interface Page<R> {
  rows: R[]
  next_cursor: string | null
}

/** Of how many of the newest rows words are searched at once: reading all of a large shop would take too long. */
const SEARCHED = 20_000

const beforeOf = ({ cursor }: Which) =>
  cursor === undefined ? undefined : decodeCursor(cursor, /^row\.([1-9]\d{0,15})$/)[0]

/** SQL: the rows of a table that are looked at, with its name. */
function source(
  which: Which,
  table: 'products' | 'reviews' | 'users' | 'orders',
  name: 'p' | 'r' | 'u' | 'o',
) {
  if (!which.q) return sql`${sql.table(table)} as ${sql.table(name)}`
  return sql`(${newest(which, table, sql`*`)}) as ${sql.table(name)}`
}

const newest = (which: Which, table: string, columns: RawBuilder<unknown>) => {
  const before = beforeOf(which)
  return sql`select ${columns} from ${sql.table(table)} where ${before === undefined ? sql`true` : sql`id < ${before}::bigint`} order by id desc limit ${SEARCHED}`
}

/** SQL: a condition on a row, which has an id and some columns that are searched. */
function matching(which: Which, id: RawBuilder<unknown>, searched: RawBuilder<unknown>) {
  const { q, ids } = which
  const before = beforeOf(which)
  const conditions = [
    ...(ids ? [sql`${id} = any(${ids}::bigint[])`] : []),
    ...(before === undefined ? [] : [sql`${id} < ${before}::bigint`]),
    ...(q ? [sql`strpos(plain_words(${searched}), plain_words(${q})) > 0`] : []),
  ]
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`
}

const rowLimit = ({ ids, limit = LIST_LIMIT }: Which) => (ids ? Math.max(1, ids.length) : limit + 1)

/** SQL: the name of the shop of a user, by a column with their id; null: it has none. */
const shopNameOf = (user: string) => sql`(select name from shops where user_id = ${sql.ref(user)})`

/** What is searched: a number alone is the id, also as '#7'. */
function byId(which: Which): Which {
  const id = idIn(which.q?.replace(/^#/, ''))
  return id === undefined ? which : { ...which, q: undefined, ids: [Number(id)] }
}

/** A page of rows. Where words were searched in the newest rows alone, the next page goes on below them. */
async function paged<R extends { id: Id }>(
  db: Database,
  rows: R[],
  which: Which,
  table: string,
): Promise<Page<R>> {
  const { limit = LIST_LIMIT } = which
  const { page, next_cursor } = pageOf(rows, limit, last => ['row', last.id])
  if (next_cursor !== null || !which.q) return { rows: page, next_cursor }
  const { rows: searched } = await sql<{ id: Id | null; count: number }>`
    select min(id) as id, count(*)::int as count from (${newest(which, table, sql`id`)}) as newest
  `.execute(db)
  const [end] = searched
  const isAll = (end?.count ?? 0) < SEARCHED
  return { rows: page, next_cursor: isAll ? null : encodeCursor('row', end?.id ?? 0) }
}

/** Listings that are not deleted for good. One more than a page, to know whether there is a next. */
export async function listingRows(db: Database, which: Which): Promise<ListingRow[]> {
  const searched = sql`concat_ws(' ', p.name, p.title, p.description, u.username, ${shopNameOf('p.seller_id')})`
  const { rows } = await sql<Omit<ListingRow, 'created_at' | 'images'> & { created_at: Date }>`
    select p.id, p.name, p.description, p.seller_id, u.username as seller, u.suspended_at is not null as seller_suspended, p.created_at,
      case when p.hidden_at is not null then 'hidden' when p.suspended_at is not null then 'suspended'
        when p.retired_at is not null then 'retired' else 'listed' end as state,
      (select count(*)::int from reports as r where r.product_id = p.id and r.review_id is null and r.answered_by is null) as open_reports
    from ${source(which, 'products', 'p')} join users as u on u.id = p.seller_id
    where ${matching(which, sql`p.id`, searched)} and ${isListedOrPaused('p')}
      and (${which.hidden !== true} or p.hidden_at is not null)
    order by p.id desc limit ${rowLimit(which)}
  `.execute(db)
  const photos = await photosOf(
    db,
    'product_id',
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({
    ...row,
    created_at: row.created_at.toISOString(),
    images: photos.get(row.id) ?? [],
  }))
}

/** SQL: number of open reports about a row of `reviews as r`, or about its reply. */
const reportsOf = (what: 'review' | 'reply') =>
  sql`(select count(*)::int from reports as t where t.review_id = r.id and t.of_reply = ${what === 'reply'} and t.answered_by is null)`

/** Reviews with their replies, hidden ones too. */
export async function reviewRows(db: Database, which: Which): Promise<ReviewRow[]> {
  const searched = sql`concat_ws(' ', r.review, r.reply, p.name, u.username)`
  const { rows } = await sql<Omit<ReviewRow, 'created_at'> & { created_at: Date }>`
    select r.id, r.product_id, p.name as listing, p.deleted_at is null as is_listed, case when u.erased_at is null then u.username end as author, r.stars, r.review, r.created_at,
      r.hidden_at is not null as hidden,
      ${reportsOf('review')} as open_reports,
      case when r.reply is not null then json_build_object('text', r.reply, 'maker', m.username,
        'is_suspended', m.suspended_at is not null, 'hidden', r.reply_hidden_at is not null, 'open_reports', ${reportsOf('reply')}) end as reply
    from ${source(which, 'reviews', 'r')} join products as p on p.id = r.product_id join users as u on u.id = r.user_id
      join users as m on m.id = p.seller_id
    where ${matching(which, sql`r.id`, searched)} and (${which.hidden !== true} or r.hidden_at is not null or r.reply_hidden_at is not null)
    order by r.id desc limit ${rowLimit(which)}
  `.execute(db)
  return rows.map(row => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** A page of listings. @throws Problem 400 for an invalid cursor */
export const listings = async (db: Database, which: Which): Promise<Page<ListingRow>> =>
  paged(db, await listingRows(db, byId(which)), byId(which), 'products')

/** A page of reviews. @throws Problem 400 for an invalid cursor */
export const reviews = async (db: Database, which: Which): Promise<Page<ReviewRow>> =>
  paged(db, await reviewRows(db, byId(which)), byId(which), 'reviews')

/** A page of people. @throws Problem 400 for an invalid cursor */
export async function people(db: Database, which: Which): Promise<Page<PersonRow>> {
  const searched = sql`concat_ws(' ', u.username, u.first_name, u.last_name, u.email, ${shopNameOf('u.id')})`
  type Row = Omit<PersonRow, 'joined_at' | 'suspended_at'> & { joined_at: Date; suspended_at: Date | null }
  const { rows } = await sql<Row>`
    select u.id, u.username, u.first_name || ' ' || u.last_name as name, u.email, u.created_at as joined_at, u.suspended_at,
      (select count(*)::int from products as p where p.seller_id = u.id and p.deleted_at is null) as listings,
      exists (select from operators as o where o.user_id = u.id) as is_operator
    from ${source(which, 'users', 'u')}
    where ${matching(which, sql`u.id`, searched)} and u.erased_at is null
      and (${which.hidden !== true} or u.suspended_at is not null)
    order by u.id desc limit ${rowLimit(which)}
  `.execute(db)
  const found = rows.map(row => ({
    ...row,
    joined_at: row.joined_at.toISOString(),
    suspended_at: row.suspended_at?.toISOString() ?? null,
  }))
  return paged(db, found, which, 'users')
}

/** A page of orders without addresses. @param late only late ones @throws Problem 400 for an invalid cursor */
export async function orders(
  db: Database,
  { late, ...query }: Which & { late?: boolean | undefined },
): Promise<Page<OrderRow>> {
  const which = byId(query)
  const searched = sql`concat_ws(' ', o.status, m.username, ${shopNameOf('m.id')}, m.email, u.username, u.first_name, u.last_name, u.email)`
  type Row = Omit<OrderRow, 'created_at' | 'total' | 'due'> & {
    created_at: Date
    total_cents: number
    due_cents: number
  }
  const { rows } = await sql<Row>`
    select o.id, o.created_at, o.status as state, o.total_cents, o.total_cents - o.cancelled_cents as due_cents, m.username as maker, m.suspended_at is not null as maker_suspended, u.username as shopper,
      coalesce(${isLate} and m.id is not null, false) as late
    from ${source(which, 'orders', 'o')} left join users as m on m.id = o.seller_id and m.erased_at is null
      left join users as u on u.id = o.user_id and u.erased_at is null
    where ${matching(which, sql`o.id`, searched)} and (${late !== true} or ${isLate} and m.id is not null)
    order by o.id desc limit ${rowLimit(which)}
  `.execute(db)
  const found = rows.map(({ total_cents, due_cents, created_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    total: fromCents(total_cents),
    due: fromCents(due_cents),
  }))
  return paged(db, found, which, 'orders')
}
