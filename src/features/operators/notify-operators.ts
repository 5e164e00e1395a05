import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { insertLettersSql } from '#platform/mail/outbox.ts'
import { isOperator } from './operators.ts'

/** Minutes from one letter of a kind to the next. */
const HOUR_MINUTES = 60

/**
 * Queues a letter to every operator, at most one an hour of each kind. Later items share one letter, an hour after
 * the first of them. Call it in the transaction of the fact.
 * @param subject id of the item, such as a report
 */
export async function notifyOperators(db: Database, kind: string, subject: Id): Promise<void> {
  // Of two at the same moment, the second sees the letters of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('letters to operators: ' || ${kind}, 0))`.execute(
    db,
  )
  for (const delay of [0, HOUR_MINUTES])
    await insertLettersSql(
      sql`(
        select ${kind}::text as kind, ${subject}::bigint as subject, o.user_id as recipient, false as notify
        from operators as o
        where not exists (
          select from outbox as earlier
          where earlier.recipient = o.user_id and earlier.kind = ${kind} and (
            earlier.due_at is not null
            or (${delay === 0} and coalesce(earlier.sent_at, earlier.created_at) > now() - make_interval(mins => ${HOUR_MINUTES}))
          )
        )
      )`,
      delay,
    ).execute(db)
}

/** A kind of item that waits for operators, in the words of its letter. */
interface Waiting {
  /** 'A report waits for an answer'. */
  subject: string
  /** Where operators answer it. */
  path: string
  /** Whether an item of this kind still waits: one letter stands for several. */
  isAnyOpen(db: Database): Promise<boolean>
}

const letterOf = (name: string, { subject, path }: Waiting): Letter => ({
  subject,
  name,
  parts: [
    { text: `${subject}. There may be more: such a letter comes once an hour at most.` },
    { link: 'Answer it', path },
  ],
  why: 'you are an operator of the shop',
})

/** A kind of letter to operators. It is not sent if nothing waits any more, or the recipient is no longer an operator. */
export const waitingLetter = (waiting: Waiting): LetterKinds[string] => ({
  async write(db, { recipient }) {
    const [person, isAnyOpen, isStillOne] = await Promise.all([
      recipientOf(db, recipient),
      waiting.isAnyOpen(db),
      isOperator(db, recipient),
    ])
    return person && isAnyOpen && isStillOne
      ? { to: person.to, letter: letterOf(person.name, waiting) }
      : undefined
  },
  sample: letterOf('Otto', waiting),
})
