import { sql } from 'kysely'
import { Problem } from '#problem'
import type { Config, LimitName } from '../config/config.ts'
import type { Database } from '../database/database.ts'

/** Length of the window in which a limit counts, seconds. Windows begin at full multiples of it. */
export const windowOf = (name: LimitName): number => (name.endsWith('guesses') ? 15 * 60 : 60 * 60)

type Limiter = { db: Database; config: Config }

/**
 * Counts one use by a subject (an address, an account, a person), without regard to case as the database sees it:
 * one account is one subject, however its e-mail is written. The counters live in the database,
 * so that all processes share them.
 * @param uses how many at once; 0 counts nothing
 * @throws Problem 429 with the seconds to wait, once the setting LIMIT_<NAME> is used up
 */
export async function consume(
  { db, config }: Limiter,
  name: LimitName,
  subject: string | number,
  uses = 1,
): Promise<void> {
  const most = config.limits?.[name]
  if (most === undefined || uses === 0) return
  const seconds = windowOf(name)
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into limits (subject, window_start, count)
    values (lower(${`${name}:${subject}`}), ${beginOf(seconds)}, ${uses}::int)
    on conflict (subject, window_start) do update set count = limits.count + excluded.count
    returning count, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as wait
  `.execute(db)
  const row = rows[0]
  if (row && row.count > most) {
    throw new Problem(429, `Too many tries. Please wait ${inWords(row.wait)}`, { retryAfter: row.wait })
  }
}

/** When the window began in which we are. */
const beginOf = (seconds: number) =>
  sql<Date>`to_timestamp(floor(extract(epoch from now()) / ${seconds}::int) * ${seconds}::int)`

/** Forgets what was counted of a subject: a right password clears the wrong ones. */
export async function resetLimit(
  { db, config }: Limiter,
  name: LimitName,
  subject: string | number,
): Promise<void> {
  if (config.limits)
    await db
      .deleteFrom('limits')
      .where('subject', '=', sql<string>`lower(${`${name}:${subject}`})`)
      .execute()
}

/** Counts one use less in the windows that are open: it was none of those that are limited. */
export async function takeBack(
  { db, config }: Limiter,
  name: LimitName,
  subject: string | number,
): Promise<void> {
  if (config.limits)
    await db
      .updateTable('limits')
      .set({ count: sql`count - 1` })
      .where('subject', '=', sql<string>`lower(${`${name}:${subject}`})`)
      .where('count', '>', 0)
      .execute()
}

/** Whether this is the first time in this hour, of all processes: for what one of them does for all. */
export async function firstThisHour(db: Database, what: string): Promise<boolean> {
  const first = await db
    .insertInto('limits')
    .values({ subject: what, window_start: sql<Date>`date_trunc('hour', now())`, count: 1 })
    .onConflict(conflict => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  return first !== undefined
}

/** Removes counters of windows that have ended. */
export async function sweepLimits(db: Database): Promise<void> {
  await db.deleteFrom('limits').where('window_start', '<', sql<Date>`now() - interval '2 hours'`).execute()
}

const inWords = (seconds: number): string => {
  if (seconds < 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
