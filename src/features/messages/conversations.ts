import { sql } from 'kysely'
import { requireActive } from '#accounts/suspension.ts'
import type { Id, ListQuery } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import type { DirectConversation, Message, Side } from './contract.ts'
import * as threads from './threads.ts'

const NO_CONVERSATION = 'There is no such conversation'
const GONE = 'The other side has no account any more, so nobody would read this'
const STOPPED_BY_YOU = 'You have stopped these messages. Allow them again to write'
const STOPPED = 'The other side has stopped these messages, so nothing was sent'

const threadOf = (id: Id): threads.Thread => ({
  id,
  table: 'conversation_messages',
  column: 'conversation_id',
  letter: 'conversation',
})

/** A message to write, with its idempotency key. */
export interface Text {
  text: string
  key?: string | undefined
}

/** The two sides of a conversation, and since when each has stopped it. */
interface Row {
  shopper_id: Id
  maker_id: Id
  shopper_stopped_at: Date | null
  maker_stopped_at: Date | null
}
const columns = ['shopper_id', 'maker_id', 'shopper_stopped_at', 'maker_stopped_at'] as const

/** The side of a user in a conversation. @throws Problem 404 for any other user */
function sideOf(row: Row | undefined, userId: Id): Side {
  if (row?.shopper_id === userId) return 'shopper'
  if (row?.maker_id === userId) return 'maker'
  throw new Problem(404, NO_CONVERSATION)
}

const find = (db: Database, id: Id): Promise<Row | undefined> =>
  db.selectFrom('conversations').select(columns).where('id', '=', id).executeTakeFirst()

/** The side of a user in a conversation. @throws Problem 404 for any user but its two sides */
export async function requireSide(db: Database, userId: Id, id: Id): Promise<Side> {
  return sideOf(await find(db, id), userId)
}

/** Locks a conversation until the transaction ends: its messages are written one after the other. */
const lock = (db: Database, id: Id): Promise<Row | undefined> =>
  db.selectFrom('conversations').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Who has stopped a conversation, as one side sees it. */
function stoppedBy(row: Row, role: Side): 'you' | 'other' | null {
  const own = { shopper: row.shopper_stopped_at, maker: row.maker_stopped_at }
  if (own[role]) return 'you'
  return own.shopper || own.maker ? 'other' : null
}

/** SQL: the listing that the conversation `c` began from, where it is still listed. */
export const topicOf = sql<{ id: Id; name: string } | null>`(
  select json_build_object('id', p.id, 'name', p.name) from products as p where p.id = c.product_id and p.deleted_at is null
)`

/**
 * SQL: the other side, `users as u` with `shops as m`, as pages show it: a maker of the conversation `c` by shop
 * name, others by username.
 */
export const otherOf = sql<{ username: string | null; name: string; suspended: boolean }>`case
  when u.erased_at is not null then json_build_object('username', null, 'name', 'Somebody who has left', 'suspended', false)
  else json_build_object('username', u.username, 'suspended', u.id = c.maker_id and u.suspended_at is not null, 'name', case when u.id = c.maker_id then ${makerName} else u.username end)
  end`

/**
 * A conversation: at most `limit` (default 100) messages before `cursor`, the newest without one. It marks nothing.
 * @throws Problem 404 for any user but its two sides, 400 for an invalid cursor
 */
export async function read(
  db: Database,
  userId: Id,
  id: Id,
  query: ListQuery = {},
): Promise<DirectConversation> {
  const row = await db
    .selectFrom('conversations as c')
    .innerJoin('users as u', join =>
      join.on(sql`u.id`, '=', sql`case when c.shopper_id = ${userId} then c.maker_id else c.shopper_id end`),
    )
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(columns.map(name => `c.${name}` as const))
    .select([otherOf.as('other'), topicOf.as('listing')])
    .where('c.id', '=', id)
    .executeTakeFirst()
  const role = sideOf(row, userId)
  if (!row) throw new Problem(404, NO_CONVERSATION)
  const { other, listing } = row
  const page = await threads.page(db, threadOf(id), role, query)
  const stopped = stoppedBy(row, role)
  return { ...page, id, other, listing, stopped, can_write: other.username !== null && stopped === null }
}

/**
 * Writes in a conversation.
 * @throws Problem 404 for any user but its two sides; 403 if the writer is suspended; 409 if a side has stopped it, or the other
 * account was deleted; 422 for the key of another text
 */
export function write(db: Database, userId: Id, id: Id, message: Text): Promise<Message> {
  return transaction(db, async db => {
    const row = await find(db, id)
    const role = sideOf(row, userId)
    if (row) await lockPeople(db, userId, role === 'shopper' ? row.maker_id : row.shopper_id)
    return addLocked(db, userId, id, message)
  })
}

/**
 * Locks sender and recipient before their conversation: the deletion of an account locks in the same order.
 * @throws Problem 403 if the sender is suspended
 */
export async function lockPeople(db: Database, writer: Id, reader: Id): Promise<void> {
  await requireActive(db, writer)
  await db.selectFrom('users').select('id').where('id', '=', reader).forKeyShare().execute()
}

/** Writes in a conversation, after `lockPeople`. @throws as `write` */
export async function addLocked(db: Database, userId: Id, id: Id, message: Text): Promise<Message> {
  const row = await lock(db, id)
  const role = sideOf(row, userId)
  if (!row) throw new Problem(404, NO_CONVERSATION)
  const known = await threads.sentWith(db, threadOf(id), role, message)
  if (known) return known
  const stopped = stoppedBy(row, role)
  if (stopped) throw new Problem(409, stopped === 'you' ? STOPPED_BY_YOU : STOPPED)
  const recipient = role === 'shopper' ? row.maker_id : row.shopper_id
  const gone = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', recipient)
    .where('erased_at', 'is not', null)
    .executeTakeFirst()
  if (gone) throw new Problem(409, GONE)
  const added = await threads.add(db, threadOf(id), { ...message, role, self: userId, recipient })
  const newest_at = new Date(added.created_at)
  await db.updateTable('conversations').set({ newest_at }).where('id', '=', id).execute()
  return added
}

/** Marks messages of the other side as read, up to this one. @throws Problem 404 for any user but its two sides */
export function markRead(db: Database, userId: Id, id: Id, upTo: Id): Promise<void> {
  return transaction(db, async db => {
    const role = sideOf(await lock(db, id), userId)
    await threads.markRead(db, threadOf(id), { reader: userId, role, upTo })
  })
}

/**
 * Stops the messages of a conversation, or takes that back. It is each side's own: both may have stopped it.
 * @throws Problem 404 for any user but its two sides
 */
export function setStopped(db: Database, userId: Id, id: Id, isStopped: boolean): Promise<void> {
  return transaction(db, async db => {
    const role = sideOf(await lock(db, id), userId)
    const at = isStopped ? sql<Date>`now()` : null
    await db
      .updateTable('conversations')
      .set(role === 'shopper' ? { shopper_stopped_at: at } : { maker_stopped_at: at })
      .where('id', '=', id)
      .execute()
  })
}
