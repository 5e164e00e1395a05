import { sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { lockOrder } from '#orders/events.ts'
import { NO_ORDER } from '#orders/lists.ts'
import { decodeCursor, encodeCursor } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters, withdrawLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import type { Conversation, Message, Side } from './contract.ts'

/** A letter about messages is sent so long after the first one that is unread, minutes. */
const LETTER_MINUTES = 5

/** Refusal of a message that nobody would read. */
const NO_RECIPIENT = 'The other side of this order has no account any more, so nobody would read this'

/** The two people of an order. */
interface People {
  user_id: Id
  seller_id: Id | null
}

/** Which side somebody is on; who has bought from themselves is the shopper. @throws Problem 404 for anybody else */
function sideOf(order: People | undefined, userId: Id): Side {
  if (order?.user_id === userId) return 'shopper'
  if (order?.seller_id === userId) return 'maker'
  throw new Problem(404, NO_ORDER)
}

/** The side of somebody in an order. @throws Problem 404 for anybody but its shopper and its maker */
export async function requireSide(db: Database, userId: Id, orderId: Id): Promise<Side> {
  return sideOf(await peopleOf(db, orderId), userId)
}

const peopleOf = (db: Database, orderId: Id): Promise<People | undefined> =>
  db.selectFrom('orders').select(['user_id', 'seller_id']).where('id', '=', orderId).executeTakeFirst()

/** Whoever gets what a side writes. Undefined: the account was deleted. */
async function otherOf(db: Database, order: People, role: Side): Promise<Id | undefined> {
  const id = role === 'shopper' ? order.seller_id : order.user_id
  if (id === null) return undefined
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return user?.id
}

const columns = ['id', 'role', 'text', 'created_at', 'read_at'] as const
interface Row {
  id: Id
  role: string
  text: string
  created_at: Date
  read_at: Date | null
}

/** A message as one side reads it. */
const view = ({ id, role, text, created_at, read_at }: Row, reader: Side): Message => ({
  id,
  role: role as Side,
  text,
  created_at: created_at.toISOString(),
  unread: role !== reader && read_at === null,
})

/**
 * The newest messages of an order, oldest of them first: at most `limit` (default 100), before `cursor`. It marks nothing.
 * @throws Problem 404 for anybody but its shopper and its maker, 400 for an invalid cursor
 */
export async function list(
  db: Database,
  userId: Id,
  orderId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery = {},
): Promise<Conversation> {
  const order = await peopleOf(db, orderId)
  const role = sideOf(order, userId)
  let query = db
    .selectFrom('order_messages')
    .select(columns)
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const [before = ''] = decodeCursor(cursor, /^([1-9]\d{0,15})$/)
    query = query.where('id', '<', sql<Id>`${before}::bigint`)
  }
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const first = page.at(-1)
  const messages = page.map(row => view(row, role)).reverse()
  return {
    role,
    messages,
    next_cursor: rows.length > limit && first ? encodeCursor(first.id) : null,
    newest_unread: messages.findLast(({ unread }) => unread)?.id ?? null,
    can_write: order !== undefined && (await otherOf(db, order, role)) !== undefined,
  }
}

/**
 * Writes to the other side of an order. The first message that is unread queues a letter, which is sent after five minutes;
 * while it is unread, further ones queue none.
 * @param key idempotency key: the same one answers the message that it sent
 * @throws Problem 404 for anybody but its shopper and its maker; 409 if the other account was deleted; 422 for the key of
 * another text
 */
export function write(
  db: Database,
  userId: Id,
  orderId: Id,
  { text, key }: { text: string; key?: string | undefined },
): Promise<Message> {
  return transaction(db, async db => {
    // Messages of an order are written one after the other: their ids are in the order of their commits.
    const order = await lockOrder(db, orderId)
    const role = sideOf(order, userId)
    const known = key === undefined ? undefined : await writtenWith(db, orderId, role, key)
    if (known && known.text !== text) throw new Problem(422, OTHER_TEXT)
    if (known) return view(known, role)
    const recipient = order && (await otherOf(db, order, role))
    if (recipient === undefined) throw new Problem(409, NO_RECIPIENT)
    const isQuiet = !(await hasUnread(db, orderId, role))
    const toSelf = recipient === userId
    const row = await db
      .insertInto('order_messages')
      .values({
        order_id: orderId,
        role,
        text,
        key: key ?? null,
        created_at: sql<Date>`clock_timestamp()`,
        read_at: toSelf ? sql<Date>`clock_timestamp()` : null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    if (isQuiet && !toSelf)
      await queueLetters(db, [{ kind: 'message', subject: row.id, recipient, notify: true }], LETTER_MINUTES)
    return view(row, role)
  })
}

const OTHER_TEXT = 'This was sent already, with other words. Nothing was sent again'

const writtenWith = (db: Database, orderId: Id, role: Side, key: string): Promise<Row | undefined> =>
  db
    .selectFrom('order_messages')
    .select(columns)
    .where('order_id', '=', orderId)
    .where('role', '=', role)
    .where('key', '=', key)
    .executeTakeFirst()

/** Whether the other side has not read everything that this one wrote. */
async function hasUnread(db: Database, orderId: Id, role: Side): Promise<boolean> {
  const row = await db
    .selectFrom('order_messages')
    .select('id')
    .where('order_id', '=', orderId)
    .where('role', '=', role)
    .where('read_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Marks messages of the other side as read, up to this one. Their letter is not sent any more, and their notification is gone.
 * @throws Problem 404 for anybody but its shopper and its maker
 */
export function markRead(db: Database, userId: Id, orderId: Id, upTo: Id): Promise<void> {
  return transaction(db, async db => {
    const role = sideOf(await lockOrder(db, orderId), userId)
    const read = await db
      .updateTable('order_messages')
      .set({ read_at: sql<Date>`clock_timestamp()` })
      .where('order_id', '=', orderId)
      .where('role', '<>', role)
      .where('id', '<=', upTo)
      .where('read_at', 'is', null)
      .returning('id')
      .execute()
    await withdrawLetters(db, { kind: 'message', recipient: userId, subjects: read.map(({ id }) => id) })
  })
}
