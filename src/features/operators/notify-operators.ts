import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { insertLettersSql } from '#platform/mail/outbox.ts'
import { isOperator } from './operators.ts'

/** Minutes from one letter of a kind to the next. */
const HOUR = 60

/**
 * Queues a letter to every operator: something waits for them. One an hour of each kind, however much comes: what comes in the
 * hour after a letter has one at the end of an hour. Call it in the transaction of the fact.
 * @param subject id of what waits
 */
export async function notifyOperators(db: Database, kind: string, subject: Id): Promise<void> {
  for (const delay of [0, HOUR])
    await insertLettersSql(
      sql`(
        select ${kind}::text as kind, ${subject}::bigint as subject, o.user_id as recipient, false as notify
        from operators as o
        where not exists (
          select from outbox as earlier
          where earlier.recipient = o.user_id and earlier.kind = ${kind} and (
            earlier.due_at is not null
            or (${delay === 0} and coalesce(earlier.sent_at, earlier.created_at) > now() - make_interval(mins => ${HOUR}))
          )
        )
      )`,
      delay,
    ).execute(db)
}

/** What waits, as its letter says it. */
interface Waiting {
  /** 'A report waits for an answer'. */
  subject: string
  /** Where operators answer it. */
  path: string
  /** Whether one of them still waits: a letter speaks for those after it too. */
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

/** A kind of letter to operators. If all is answered by then, or they are no operator any more, it is not written. */
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
