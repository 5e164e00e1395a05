import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import type { Database } from '#platform/database/database.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { insertLettersSql } from '#platform/mail/outbox.ts'
import { isLate } from './filters.ts'

/**
 * Orders that are late for longer get no reminder any more, days. Letters are kept longer, so that there is never a
 * second one.
 */
const REMINDED_DAYS = 14

/**
 * Writes a letter to the maker of each order that was promised for the day before, and is still open. An order has one such
 * letter, ever.
 */
async function remind(db: Database): Promise<void> {
  await insertLettersSql(sql`(
    select 'send-reminder' as kind, o.id as subject, o.seller_id as recipient, true as notify
    from orders as o
    where ${isLate} and o.ready_by > now() - make_interval(hours => 24 * ${REMINDED_DAYS})
      and o.seller_id is not null and o.seller_id <> o.user_id
  )`).execute(db)
}

/** Looks for late orders each hour. */
export const reminderJob = (db: Database): Job => ({
  name: 'send-reminders',
  schedule: '10 * * * *',
  expireInSeconds: 10 * 60,
  pollingIntervalSeconds: 60,
  run: () => remind(db),
})

interface Late {
  id: Id
  pickup_place: string | null
}

const reminder = (name: string, { id, pickup_place }: Late): Letter => ({
  subject: `Order ${id} is late`,
  name,
  parts: [
    { text: `Some pieces of order ${id} are still open, and the day that the shop has promised is over.` },
    {
      text:
        pickup_place === null
          ? 'Once they are sent, please mark them as sent: their shopper is told.'
          : 'Once they can be collected, please mark them as ready: their shopper is told.',
    },
    { link: 'See the order', path: `/sold/${id}` },
  ],
  why: 'an order from you is late',
})

/** The subject is the order. */
export const reminderLetters: LetterKinds = {
  'send-reminder': {
    async write(db, { subject, recipient }) {
      const [person, { rows }] = await Promise.all([
        recipientOf(db, recipient),
        sql<Late>`select o.id, o.pickup_place from orders as o where o.id = ${subject} and ${isLate}`.execute(
          db,
        ),
      ])
      const [order] = rows
      return person && order && { to: person.to, letter: reminder(person.name, order) }
    },
    sample: reminder('Mila', { id: 4711, pickup_place: null }),
  },
}
