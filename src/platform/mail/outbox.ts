import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database, Schema } from '../database/database.ts'
import { requestJobRun } from '../jobs/job-events.ts'

/** The unique key of a letter: there is one of each kind about a subject to a user, ever. */
interface LetterId {
  kind: string
  /** Id of the row that the letter is about, such as an order. */
  subject: number
  /** Id of the user. */
  recipient: number
}
/** A letter to write. */
interface QueuedLetter extends LetterId {
  /** Whether its recipient reads it on the site too, as a notification. Default: no. */
  notify?: boolean
}

/** Name of the job that sends letters. */
export const LETTERS = 'letters'

/**
 * SQL that inserts letters into the outbox, as a part of another statement. An existing letter stays as it is. Without a delay
 * it also requests a run of the job that sends them.
 * `created_at` is the time of the statement, not of its transaction: meanwhile the recipient may have read a later
 * notification.
 * @param letters a relation with the columns kind, subject, recipient and notify
 * @param delay minutes until they are due
 */
export function insertLettersSql(letters: RawBuilder<unknown>, delay = 0): RawBuilder<unknown> {
  if (delay === 0) requestJobRun(LETTERS)
  return sql`
    insert into outbox (kind, subject, recipient, notify, created_at, due_at)
    select kind, subject, recipient, notify, clock_timestamp(), now() + make_interval(mins => ${delay}::int) from ${letters} as letter
    on conflict on constraint outbox_once do nothing`
}

/**
 * Inserts letters into the outbox. Call it in the transaction of the fact, so that both are committed, or neither.
 * @param delay minutes until they are due
 */
export async function queueLetters(db: Database, letters: QueuedLetter[], delay = 0): Promise<void> {
  if (letters.length === 0) return
  const column = <K extends keyof LetterId>(name: K) => letters.map(letter => letter[name])
  await insertLettersSql(
    sql`(
    select * from unnest(
      ${column('kind')}::text[], ${column('subject')}::bigint[], ${column('recipient')}::bigint[],
      ${letters.map(({ notify = false }) => notify)}::boolean[]
    ) as letter (kind, subject, recipient, notify)
  )`,
    delay,
  ).execute(db)
}

/** Deletes letters with their notifications, after the recipient has seen what they say, or it was deleted. */
export async function withdrawLetters(
  db: Database,
  { kind, recipient, subjects }: Pick<LetterId, 'kind' | 'recipient'> & { subjects: number[] },
): Promise<void> {
  if (subjects.length === 0) return
  await db
    .deleteFrom('outbox')
    .where('kind', '=', kind)
    .where('recipient', '=', recipient)
    .where('subject', '=', sql<number>`any(${subjects}::bigint[])`)
    .execute()
}

/** A letter that a process is about to send. */
export interface ClaimedLetter extends LetterId {
  id: string
  created_at: Date
  /** Number of this try, from 1. */
  tries: number
}

/** End of the lease of a claimed letter. If its process dies, another one sends the letter then. */
export const LEASE = sql<Date>`now() + interval '3 minutes'`
/** Delays after the first, second, … try that failed, minutes. After the next one the letter has failed. */
const BACK_OFF_MINUTES = [1, 5, 30, 120, 720]
/** A letter that could not be sent for so long has failed. An unreachable server uses up no tries. */
const MAX_AGE = sql<Date>`now() - interval '5 days'`

/** Locks letters that are due, oldest first, but none that another process has locked. */
const due = (eb: ExpressionBuilder<Schema, 'outbox'>, limit: number) =>
  eb
    .selectFrom('outbox')
    .select('id')
    .where('due_at', '<=', sql<Date>`now()`)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()

/** Whether letters are due, also while another process claims them. */
export async function isAnyDue(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('due_at', '<=', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Claims letters that are due, oldest first. Of concurrent processes, each gets others. */
export function claim(db: Database, limit: number): Promise<ClaimedLetter[]> {
  return db
    .updateTable('outbox')
    .set({ tries: sql`tries + 1`, due_at: LEASE })
    .where('id', 'in', eb => due(eb, limit))
    .returning(['id', 'kind', 'subject', 'recipient', 'created_at', 'tries'])
    .execute()
}

/** SQL: the row of a claimed letter, unless its lease has ended and another process has claimed it. */
const isClaimed = ({ id, tries }: ClaimedLetter) =>
  sql<boolean>`(id = ${id} and tries = ${tries} and due_at is not null)`
const claimed = (db: Database, letter: ClaimedLetter) => db.updateTable('outbox').where(isClaimed(letter))

/** Begins the lease of a claimed letter again. @returns false if it has ended, and another process has the letter */
export async function renew(db: Database, letter: ClaimedLetter): Promise<boolean> {
  const { numUpdatedRows } = await claimed(db, letter).set({ due_at: LEASE }).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The server has accepted the letter. */
export async function markSent(db: Database, letter: ClaimedLetter): Promise<void> {
  await claimed(db, letter).set({ sent_at: sql`now()`, due_at: null, last_error: null }).execute()
}

/**
 * The recipient has switched off letters of this kind, or has not confirmed the address: it is neither due, sent nor failed.
 * The row stays, so that the letter is not written again, and because it may be a notification.
 */
export async function markUnwanted(db: Database, letter: ClaimedLetter): Promise<void> {
  await claimed(db, letter).set({ due_at: null, last_error: null }).execute()
}

/** Deletes a claimed letter whose subject was deleted. */
export async function discard(db: Database, letter: ClaimedLetter): Promise<void> {
  await db.deleteFrom('outbox').where(isClaimed(letter)).execute()
}

/** The letter was refused. Schedules a retry, or marks it as failed after the last try, or at once if `isFinal`. */
export async function markRefused(
  db: Database,
  letter: ClaimedLetter,
  error: string,
  isFinal: boolean,
): Promise<void> {
  const minutes = isFinal ? undefined : BACK_OFF_MINUTES[letter.tries - 1]
  await claimed(db, letter)
    .set(
      minutes === undefined
        ? { failed_at: sql`now()`, due_at: null, last_error: error }
        : { due_at: sql`now() + make_interval(mins => ${minutes}::int)`, last_error: error },
    )
    .execute()
}

const isOld = sql<boolean>`coalesce(retried_at, created_at) < ${MAX_AGE}`
/** Due again after some minutes, or failed after five days, counted from the last `retryAll`. */
const later = (error: string, minutes: number) => ({
  failed_at: sql<Date>`case when ${isOld} then now() end`,
  due_at: sql<Date>`case when not ${isOld} then now() + make_interval(mins => ${minutes}::int) end`,
  last_error: error,
})

/** A letter could not be tried. Uses up no try, but after five days the letter has failed. */
export async function postpone(
  db: Database,
  letter: ClaimedLetter,
  error: string,
  minutes: number,
): Promise<void> {
  await claimed(db, letter)
    .set({ tries: sql`tries - 1`, ...later(error, minutes) })
    .execute()
}

/** Most letters that are postponed together. */
const MAX_POSTPONED = 500

/** The letters that are due could not be tried. */
export async function postponeDue(db: Database, error: string, minutes: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set(later(error, minutes))
    .where('id', 'in', eb => due(eb, MAX_POSTPONED))
    .execute()
}

/** Deletes all letters to a user, whose account is being deleted. */
export async function deleteLettersTo(db: Database, recipient: number): Promise<void> {
  await db.deleteFrom('outbox').where('recipient', '=', recipient).execute()
}

/** Deletes letters that are not sent, such as those about invented facts. */
export async function discardWaiting(db: Database): Promise<void> {
  await db.deleteFrom('outbox').where('due_at', 'is not', null).execute()
}

/** Deletes letters that are not due, a month after they were written; notifications after 90 days. */
export async function sweepOutbox(db: Database): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('due_at', 'is', null)
    .where(
      'created_at',
      '<',
      sql<Date>`now() - case when notify then interval '90 days' else interval '30 days' end`,
    )
    .execute()
}
