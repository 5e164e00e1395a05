import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, encodeCursor, fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { details } from './detail.ts'
import { lockOrder, record } from './events.ts'
import { NO_ORDER } from './lists.ts'
import type { ListedOrder, OwnOrder } from './own-contract.ts'
import { PAGE_LINES } from './paging.ts'
import { receivedAfterDays } from './running.ts'
import { unreadMessages } from './unread.ts'

/** A user's orders in every state, newest first. */
interface Page {
  orders: ListedOrder[]
  next_cursor: string | null
  unread: number
}

interface Listed {
  id: Id
  /** Microseconds since 1970. */
  at: string
  unread: number
  /** Lines of the orders above it on the page. */
  above: number
}

/**
 * A user's orders in every state, newest first: at most `limit` (default 100), after `cursor`; fewer if they have many lines.
 * @throws Problem 400 for an invalid cursor
 */
export async function all(
  db: Database,
  userId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery = {},
): Promise<Page> {
  const after = cursor === undefined ? sql`true` : afterCursor(cursor)
  const { rows } = await sql<Listed>`
    select o.id, ${toMicroseconds(sql`o.created_at`)}::text as at, ${unreadMessages('maker')} as unread,
      coalesce(sum(o.lines) over (order by o.created_at desc, o.id desc
        rows between unbounded preceding and 1 preceding), 0)::int as above
    from (
      select o.id, o.created_at, (select count(*) from order_lines where order_id = o.id) as lines
      from orders as o where o.user_id = ${userId} and ${after}
      order by o.created_at desc, o.id desc limit ${limit + 1}
    ) as o
    order by o.created_at desc, o.id desc
  `.execute(db)
  const page = rows.slice(0, limit).filter(({ above }) => above < PAGE_LINES)
  const last = page.at(-1)
  const ids = page.map(({ id }) => id)
  const [found, unread] = await Promise.all([
    ids.length > 0 ? details(db, sql`o.id = any(${ids}::bigint[])`) : [],
    unreadOf(db, userId),
  ])
  const count = new Map(page.map(({ id, unread }) => [id, unread]))
  return {
    orders: found.map(({ order }) => ({ ...order, unread: count.get(order.id) ?? 0 })),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.at, last.id) : null,
    unread,
  }
}

function afterCursor(cursor: string): RawBuilder<unknown> {
  const [at, id] = decodeCursor(cursor, /^(\d{1,18})\.([1-9]\d{0,15})$/)
  return sql`(o.created_at, o.id) < (${fromMicroseconds(at)}, ${id}::bigint)`
}

/** Unread messages of makers in all orders of a user. */
async function unreadOf(db: Database, userId: Id): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from orders as o join order_messages as m on m.order_id = o.id
    where o.user_id = ${userId} and m.role = 'maker' and m.read_at is null
  `.execute(db)
  return rows[0]?.unread ?? 0
}

/** An order for its shopper. @throws Problem 404 unknown or someone else's */
export async function detail(db: Database, userId: Id, id: Id): Promise<OwnOrder> {
  const [[found], { rows }] = await Promise.all([
    details(db, sql`o.id = ${id} and o.user_id = ${userId}`),
    sql<{ unread: number; payment_words: string }>`
      select ${unreadMessages('maker')} as unread,
        coalesce((select payment_words from shops where user_id = o.seller_id), '') as payment_words
      from orders as o where o.id = ${id} and o.user_id = ${userId}
    `.execute(db),
  ])
  const [more] = rows
  if (!found || !more) throw new Problem(404, NO_ORDER)
  const { order } = found
  return { ...order, ...more, payment_words: order.state === 'cancelled' ? '' : more.payment_words }
}

const NO_PARCEL = 'There is no such parcel'
const TAKEN_BACK = 'The maker has taken back what they said about this parcel. Please load the page again'

/**
 * The shopper says that a parcel was received. One that counts as received already stays as it is.
 * @param parcel id of its event
 * @throws Problem 404 for an unknown order or parcel, 409 if the maker has undone it
 */
export function receive(db: Database, userId: Id, id: Id, parcel: Id): Promise<void> {
  return transaction(db, async db => {
    const order = await lockOrder(db, id)
    if (order?.user_id !== userId) throw new Problem(404, NO_ORDER)
    const { rows } = await sql<{ received: boolean; undone: boolean }>`
      select e.kind = 'collected' or e.created_at <= now() - make_interval(hours => 24 * ${receivedAfterDays})
          or exists (select from order_events where about = e.id and kind = 'received') as received,
        exists (select from order_events where about = e.id and kind = 'undone') as undone
      from order_events as e join orders as o on o.id = e.order_id where e.id = ${parcel} and o.id = ${id} and e.kind in ('sent', 'collected')
    `.execute(db)
    const [event] = rows
    if (!event) throw new Problem(404, NO_PARCEL)
    if (event.undone) throw new Problem(409, TAKEN_BACK)
    if (!event.received) await record(db, id, { kind: 'received', role: 'shopper', about: parcel })
  })
}
