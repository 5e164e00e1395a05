import type { Id, ListQuery } from '#contract'
import { lockOrder } from '#orders/events.ts'
import { NO_ORDER } from '#orders/lists.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Conversation, Message, Side } from './contract.ts'
import * as threads from './threads.ts'

/** Refusal of a message to a deleted account. */
const NO_RECIPIENT = 'The other side of this order has no account any more, so nobody would read this'

const threadOf = (id: Id): threads.Thread => ({
  id,
  table: 'order_messages',
  column: 'order_id',
  letter: 'message',
})

/** The two people of an order. */
interface People {
  user_id: Id
  seller_id: Id | null
}

/** The side of a user in an order: the shopper, if they are both. @throws Problem 404 for any other user */
function sideOf(order: People | undefined, userId: Id): Side {
  if (order?.user_id === userId) return 'shopper'
  if (order?.seller_id === userId) return 'maker'
  throw new Problem(404, NO_ORDER)
}

/** The side of a user in an order. @throws Problem 404 for any user but its shopper and its maker */
export async function requireSide(db: Database, userId: Id, orderId: Id): Promise<Side> {
  return sideOf(await peopleOf(db, orderId), userId)
}

const peopleOf = (db: Database, orderId: Id): Promise<People | undefined> =>
  db.selectFrom('orders').select(['user_id', 'seller_id']).where('id', '=', orderId).executeTakeFirst()

/** The recipient of the messages of a side. Undefined if their account is deleted. */
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

/**
 * The newest messages of an order, oldest of them first: at most `limit` (default 100), before `cursor`. It marks nothing.
 * @throws Problem 404 for any user but its shopper and its maker, 400 for an invalid cursor
 */
export async function list(
  db: Database,
  userId: Id,
  orderId: Id,
  query: ListQuery = {},
): Promise<Conversation> {
  const order = await peopleOf(db, orderId)
  const role = sideOf(order, userId)
  const page = await threads.page(db, threadOf(orderId), role, query)
  return { ...page, can_write: order !== undefined && (await otherOf(db, order, role)) !== undefined }
}

/**
 * Writes to the other side of an order.
 * @param message `key` is an idempotency key: a repeated one returns the message that it sent
 * @throws Problem 404 for any user but its shopper and its maker; 409 if the other account was deleted; 422 if the
 * key has sent another text
 */
export function write(
  db: Database,
  userId: Id,
  orderId: Id,
  message: { text: string; key?: string | undefined },
): Promise<Message> {
  return transaction(db, async db => {
    // Messages of an order are written one after the other: their ids are in the order of their commits.
    const order = await lockOrder(db, orderId)
    const role = sideOf(order, userId)
    const thread = threadOf(orderId)
    const known = await threads.sentWith(db, thread, role, message)
    if (known) return known
    const recipient = order && (await otherOf(db, order, role))
    if (recipient === undefined) throw new Problem(409, NO_RECIPIENT)
    return threads.add(db, thread, { ...message, role, self: userId, recipient })
  })
}

/**
 * Marks messages of the other side as read, up to this one.
 * @throws Problem 404 for any user but its shopper and its maker
 */
export function markRead(db: Database, userId: Id, orderId: Id, upTo: Id): Promise<void> {
  return transaction(db, async db => {
    const role = sideOf(await lockOrder(db, orderId), userId)
    await threads.markRead(db, threadOf(orderId), { reader: userId, role, upTo })
  })
}
