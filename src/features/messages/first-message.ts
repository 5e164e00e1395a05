import { sql } from 'kysely'
import { userNamed } from '#accounts/find-user.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import type { FirstMessage, Message } from './contract.ts'
import { addLocked, lockPeople, type Text } from './conversations.ts'

const NO_MAKER = 'There is no such maker'
const YOURSELF = 'You cannot write to yourself'
const NO_MESSAGES = 'This maker takes no messages here'

interface Maker {
  id: Id
  username: string
  name: string
  /** Whether they sell something, and have not turned messages off. */
  takes_messages: boolean
}

/** The maker to write to, by username as `sellers.find`. @throws Problem 404 unknown or suspended, 409 for oneself */
export async function findMaker(db: Database, userId: Id, username: string): Promise<Maker> {
  const maker = await db
    .selectFrom('users as u')
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['u.id', 'u.username', makerName.as('name')])
    .select(
      sql<boolean>`coalesce(m.takes_messages, true) and exists (select from catalogue where seller_id = u.id)`.as(
        'takes_messages',
      ),
    )
    .where('u.id', '=', userNamed(username))
    .where('u.suspended_at', 'is', null)
    .executeTakeFirst()
  if (!maker) throw new Problem(404, NO_MAKER)
  if (maker.id === userId) throw new Problem(409, YOURSELF)
  return maker
}

/** The conversation of two users, in either role. */
const between = async (db: Database, one: Id, other: Id): Promise<Id | undefined> => {
  const { rows } = await sql<{ id: Id }>`
    select id from conversations
    where least(shopper_id, maker_id) = least(${one}::bigint, ${other}::bigint)
      and greatest(shopper_id, maker_id) = greatest(${one}::bigint, ${other}::bigint)
  `.execute(db)
  return rows[0]?.id
}

/** A listing of a maker that is for sale. */
const listingOf = (db: Database, maker: Id, id: Id) =>
  db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('seller_id', '=', maker)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/**
 * Data of the page for a first message to a maker.
 * @param listing the one that the user came from
 * @throws as `findMaker`
 */
export async function prepare(
  db: Database,
  userId: Id,
  username: string,
  listing?: Id,
): Promise<FirstMessage> {
  const maker = await findMaker(db, userId, username)
  const [conversation, topic] = await Promise.all([
    between(db, userId, maker.id),
    listing === undefined ? undefined : listingOf(db, maker.id, listing),
  ])
  return {
    other: { username: maker.username, name: maker.name, suspended: false },
    listing: topic ?? null,
    conversation: conversation ?? null,
    takes_messages: maker.takes_messages,
  }
}

interface Sent {
  conversation: Id
  message: Message
}

/**
 * Writes to a maker, in the existing conversation or in a new one. Two concurrent first messages share one.
 * @param listing subject of a new conversation. Ignored if it is not the maker's, or not for sale any more
 * @param onNew runs before a conversation begins, and may refuse it
 * @throws as `findMaker` and `conversations.write`; Problem 409 without a conversation, if the maker takes no
 * messages
 */
export async function writeTo(
  db: Database,
  userId: Id,
  username: string,
  { listing, onNew, ...message }: Text & { listing?: Id | undefined; onNew: () => Promise<void> },
): Promise<Sent> {
  const maker = await findMaker(db, userId, username)
  const known = await between(db, userId, maker.id)
  if (known === undefined && !maker.takes_messages) throw new Problem(409, NO_MESSAGES)
  if (known === undefined) await onNew()
  return transaction(db, async db => {
    await lockPeople(db, userId, maker.id)
    const conversation = known ?? (await begin(db, userId, maker.id, listing))
    return { conversation, message: await addLocked(db, userId, conversation, message) }
  })
}

async function begin(db: Database, shopper: Id, maker: Id, listing: Id | undefined): Promise<Id> {
  const topic = listing === undefined ? undefined : await listingOf(db, maker, listing)
  const begun = await db
    .insertInto('conversations')
    .values({ shopper_id: shopper, maker_id: maker, product_id: topic?.id ?? null })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  const id = begun?.id ?? (await between(db, shopper, maker))
  if (id === undefined) throw new Error('A conversation is neither new nor known')
  return id
}
