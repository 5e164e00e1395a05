import { type RawBuilder, sql } from 'kysely'
import { Problem } from '#problem'
import type { Config, Limits } from '../config/config.ts'
import type { Database } from '../database/database.ts'

/** Length of a window, seconds, where the definition of a limit names none. */
const HOUR_SECONDS = 60 * 60

type LimitName = keyof Limits

/**
 * Whose uses a limit counts (column `subject`): an id, an e-mail address, a network, or a text made of them. Keys are compared in lower case, so
 * that an e-mail address is one key however it is written.
 */
type LimitKey = string | number

/** Uses of a limit in each of its windows. Windows begin at multiples of their length (fixed windows). */
export interface RateLimit {
  uses: number
  seconds: number
}

/** The limit of the settings with that name; undefined where nothing is limited. */
export function limitOf({ limits, windows }: Config, name: LimitName): RateLimit | undefined {
  return limits && { uses: limits[name], seconds: windows[name] ?? HOUR_SECONDS }
}

interface LimitDeps {
  db: Database
  config: Config
}

/** SQL: the key of a limit, as it is stored. */
const storedKey = (name: LimitName, key: LimitKey) => sql<string>`lower(${`${name}:${key}`})`

/**
 * Counts a use of a key. The counters are in the database, so that all processes share them.
 * @param uses how many uses; 0 counts nothing
 * @throws Problem 429 with the seconds to wait, if the limit LIMIT_<NAME> is exceeded
 */
export async function consume(
  { db, config }: LimitDeps,
  name: LimitName,
  key: LimitKey,
  uses = 1,
): Promise<void> {
  const limit = limitOf(config, name)
  if (limit === undefined || uses === 0) return
  const { seconds } = limit
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into rate_limits (subject, window_start, count)
    values (${storedKey(name, key)}, ${windowStart(seconds)}, ${uses}::int)
    on conflict (subject, window_start) do update set count = rate_limits.count + excluded.count
    returning count, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as wait
  `.execute(db)
  const row = rows[0]
  if (row && row.count > limit.uses) {
    throw new Problem(429, `Too many tries. Please wait ${formatWait(row.wait)}`, { retryAfter: row.wait })
  }
}

/**
 * When the uses of a key are allowed again: the end of the window, and the seconds until then. Undefined if it may now.
 */
export async function nextUse(
  { db, config }: LimitDeps,
  name: LimitName,
  key: LimitKey,
): Promise<{ at: Date; wait: number } | undefined> {
  const limit = limitOf(config, name)
  if (limit === undefined) return undefined
  const { seconds } = limit
  const end = sql`window_start + make_interval(secs => ${seconds})`
  const { rows } = await sql<{ at: Date; wait: number }>`
    select ${end} as at, ceil(extract(epoch from ${end} - now()))::int as wait from rate_limits
    where subject = ${storedKey(name, key)} and window_start = ${windowStart(seconds)} and count >= ${limit.uses}
  `.execute(db)
  return rows[0]
}

/** SQL: the beginning of the current window. */
const windowStart = (seconds: number) =>
  sql<Date>`to_timestamp(floor(extract(epoch from now()) / ${seconds}::int) * ${seconds}::int)`

/**
 * SQL that counts one use by each of several users, as a part of another statement, which saves a round trip.
 * `consume` throws the Problem for a refused user.
 * @param limit undefined counts nothing
 * @param people a relation with the column user_id, each user once
 * @returns a relation with the columns user_id and allowed
 */
export function countUsesSql(
  limit: RateLimit | undefined,
  name: LimitName,
  people: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (limit === undefined) return sql`select user_id, true as allowed from ${people} as person`
  return sql`
    insert into rate_limits (subject, window_start, count)
    select ${`${name}:`} || user_id, ${windowStart(limit.seconds)}, 1 from ${people} as person order by user_id
    on conflict (subject, window_start) do update set count = rate_limits.count + excluded.count
    returning split_part(subject, ':', 2)::bigint as user_id, count <= ${limit.uses} as allowed`
}

/** Deletes the counters of a key, as after a right password. */
export async function resetLimit({ db, config }: LimitDeps, name: LimitName, key: LimitKey): Promise<void> {
  if (config.limits) await db.deleteFrom('rate_limits').where('subject', '=', storedKey(name, key)).execute()
}

/** Takes back one use of the present window, because the limit does not apply to it. */
export async function refundUse({ db, config }: LimitDeps, name: LimitName, key: LimitKey): Promise<void> {
  const limit = limitOf(config, name)
  if (limit)
    await db
      .updateTable('rate_limits')
      .set({ count: sql`count - 1` })
      .where('subject', '=', storedKey(name, key))
      .where('window_start', '=', windowStart(limit.seconds))
      .where('count', '>', 0)
      .execute()
}

/** Deletes counters one window length after their window has ended. */
export async function sweepLimits({ db, config }: LimitDeps): Promise<void> {
  const windows = sql`${JSON.stringify(config.windows)}::jsonb`
  const seconds = sql`coalesce((${windows} ->> split_part(subject, ':', 1))::int, ${HOUR_SECONDS})`
  await db
    .deleteFrom('rate_limits')
    .where(sql<boolean>`window_start < now() - make_interval(secs => 2 * ${seconds})`)
    .execute()
}

const formatWait = (seconds: number): string => {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  if (seconds > 2 * 60 * 60) return `${Math.ceil(seconds / 60 / 60)} hours`
  return `${Math.ceil(seconds / 60)} minutes`
}
