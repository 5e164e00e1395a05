import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { batchLookups } from '#platform/database/batch.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { makerName } from '#products/maker-name.ts'

/** A message that is unread. Its text is private: a letter does not quote it. */
interface Unread {
  order_id: Id
  /** Who wrote it. */
  role: string
  /** Of the maker, as pages show it. Null if their account is deleted. */
  maker: string | null
}

const message = (name: string, { order_id, role, maker }: Unread): Letter => {
  const who = role === 'shopper' ? 'Your shopper' : (maker ?? 'The maker')
  const path = role === 'shopper' ? `/sold/${order_id}` : `/orders/${order_id}`
  return {
    subject: `${who} wrote to you about order ${order_id}`,
    name,
    parts: [
      { text: `${who} wrote to you about order ${order_id}. Only the two of you can read it.` },
      { link: 'Read and answer', path: `${path}#messages` },
    ],
    why: 'somebody wrote to you about an order',
  }
}

const findUnread = batchLookups(async (db, ids) => {
  const rows = await db
    .selectFrom('order_messages as a')
    .innerJoin('orders as o', 'o.id', 'a.order_id')
    .leftJoin('users as u', join => join.onRef('u.id', '=', 'o.seller_id').on('u.erased_at', 'is', null))
    .leftJoin('shops as m', 'm.user_id', 'u.id')
    .select(['a.id', 'a.order_id', 'a.role', makerName.as('maker')])
    .where('a.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('a.read_at', 'is', null)
    .execute()
  return new Map(rows.map(row => [String(row.id), row]))
})

/** An unread message without an order. */
interface Asked {
  conversation_id: Id
  /** Who wrote it, as the shop calls them. */
  from: string
}

const conversation = (name: string, { conversation_id, from }: Asked): Letter => ({
  subject: `${from} wrote to you`,
  name,
  parts: [
    { text: `${from} wrote to you. Only the two of you can read it.` },
    { link: 'Read and answer', path: `/messages/${conversation_id}#messages` },
  ],
  why: 'somebody wrote to you',
})

const findAsked = batchLookups(async (db, ids) => {
  const { rows } = await sql<Asked & { id: Id }>`
    select a.id, a.conversation_id, case when a.role = 'maker' then ${makerName} else u.username end as "from"
    from conversation_messages as a
    join conversations as c on c.id = a.conversation_id
    join users as u on u.id = case when a.role = 'maker' then c.maker_id else c.shopper_id end
    left join shops as m on m.user_id = u.id
    where a.id = any(${ids}::bigint[]) and a.read_at is null
  `.execute(db)
  return new Map(rows.map(row => [String(row.id), row]))
})

/** Letters about messages. Their subject is the first unread message: once it is read, the letter is not sent. */
export const messageLetters: LetterKinds = {
  message: {
    async write(db, { subject, recipient }) {
      const [person, unread] = await Promise.all([
        recipientOf(db, recipient),
        findUnread(db, String(subject)),
      ])
      return person && unread && { to: person.to, letter: message(person.name, unread) }
    },
    sample: message('Ana', { order_id: 4711, role: 'maker', maker: 'mila' }),
    optional: 'messages about an order from its shopper or maker',
  },
  conversation: {
    async write(db, { subject, recipient }) {
      const [person, asked] = await Promise.all([recipientOf(db, recipient), findAsked(db, String(subject))])
      return person && asked && { to: person.to, letter: conversation(person.name, asked) }
    },
    sample: conversation('Ana', { conversation_id: 4711, from: 'mila' }),
    optional: 'messages without an order: questions to you as a maker, and answers of makers',
  },
}
