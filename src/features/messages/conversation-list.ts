import { sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import type { ListedConversation, Side } from './contract.ts'
import { otherOf, topicOf } from './conversations.ts'

/** Most characters of the newest message that a list shows. */
const EXCERPT = 140
/** SQL: the beginning of the newest message, which ends with a whole word and an ellipsis. */
const excerpt = sql`case when char_length(newest.text) <= ${EXCERPT} then newest.text
  else regexp_replace(left(newest.text, ${EXCERPT - 1}), '\\s+\\S*$', '') || '…' end`
/** Further conversations with unread messages are not counted. */
const MAX_UNREAD = 100

interface Page {
  conversations: ListedConversation[]
  next_cursor: string | null
  unread: number
}

interface Row extends Omit<ListedConversation, 'newest'> {
  /** When the newest message was written, microseconds since 1970. */
  at: string
  newest_role: Side
  newest_text: string
  newest_at: Date
}

/**
 * A user's conversations without an order, as shopper and as maker, newest message first: at most `limit` (default
 * 100), after `cursor`.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  userId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery = {},
): Promise<Page> {
  const [at, before] = cursor === undefined ? [] : decodeCursor(cursor, /^(\d{1,18})\.([1-9]\d{0,15})$/)
  const after =
    at === undefined ? sql`true` : sql`(newest_at, id) < (${fromMicroseconds(at)}, ${before}::bigint)`
  // Each side by its own index.
  const ofSide = (role: Side) => sql`(
    select id, shopper_id, maker_id, product_id, newest_at, ${role} as role,
      ${role === 'shopper' ? sql`maker_id` : sql`shopper_id`} as other_id
    from conversations where ${role === 'shopper' ? sql`shopper_id` : sql`maker_id`} = ${userId} and ${after}
    order by newest_at desc, id desc limit ${limit + 1}
  )`
  const { rows } = await sql<Row>`
    select c.id, c.role, ${toMicroseconds(sql`c.newest_at`)}::text as at, ${otherOf} as other, ${topicOf} as listing,
      newest.role as newest_role, ${excerpt} as newest_text, newest.created_at as newest_at,
      (select count(*)::int from conversation_messages
        where conversation_id = c.id and role <> c.role and read_at is null) as unread
    from (${ofSide('shopper')} union all ${ofSide('maker')}) as c
    join users as u on u.id = c.other_id
    left join shops as m on m.user_id = u.id
    join lateral (
      select role, text, created_at from conversation_messages where conversation_id = c.id order by id desc limit 1
    ) as newest on true
    order by c.newest_at desc, c.id desc limit ${limit + 1}
  `.execute(db)
  const { page, next_cursor } = pageOf(rows, limit, last => [last.at, last.id])
  return {
    conversations: page.map(({ at: _, newest_role, newest_text, newest_at, ...row }) => ({
      ...row,
      newest: { role: newest_role, text: newest_text, created_at: newest_at.toISOString() },
    })),
    next_cursor,
    unread: await unreadOf(db, userId),
  }
}

async function unreadOf(db: Database, userId: Id): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select from conversations as c
      where ${userId} in (shopper_id, maker_id) and exists (
        select from conversation_messages as m where m.conversation_id = c.id and m.read_at is null
          and m.role = case when c.shopper_id = ${userId} then 'maker' else 'shopper' end
      ) limit ${MAX_UNREAD}
    ) as unread
  `.execute(db)
  return rows[0]?.unread ?? 0
}
