import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { DEMO, type Session, type User } from './contract.ts'
import { hashToken, newToken } from './tokens.ts'

export const userColumns = ['users.id', 'username', 'email', 'first_name', 'last_name'] as const

/** Lifetime of a session, days. */
export const SESSION_DAYS = 30
/** Maximum number of sessions shown. */
const MAX_SHOWN = 100
/** Further unread notifications are not counted. */
const MAX_UNREAD = 100
/** Ended sessions are remembered for a day. */
const ONE_DAY_AGO = sql<Date>`now() - interval '1 day'`

/** Valid sessions with these hashes (hexadecimal), and their users. */
const validSessions = (db: Database, hashes: string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(userColumns)
    .select([
      sql<string>`encode(token_hash, 'hex')`.as('hash'),
      sql<boolean>`used_at < now() - interval '1 hour'`.as('needsUpdate'),
    ])
    .where('token_hash', '=', sql<Buffer>`any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[])`)
    .where('expires_at', '>', sql<Date>`now()`)

const byHash = <R extends { hash: string }>(rows: R[]) => new Map(rows.map(row => [row.hash, row]))

const findUsers = batchLookups(async (db, hashes) => byHash(await validSessions(db, hashes).execute()))

/** The user of a session token, if it is valid. One indexed query; records its use once an hour. */
export async function findByToken(db: Database, token: string): Promise<User | undefined> {
  const found = await findUsers(db, hashToken(token).toString('hex'))
  if (!found) return undefined
  const { needsUpdate, hash, ...user } = found
  if (needsUpdate) await recordUse(db, token)
  return user
}

/**
 * SQL fragment: a row (number, user_id) for each valid token, numbered from 1. No row for an invalid token, nor for one
 * whose use has to be recorded first.
 */
export const ownersOf = (tokens: string[]): RawBuilder<{ number: number; user_id: Id }> => sql`(
  select number, user_id
  from unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as token (hash, number) join sessions on token_hash = hash
  where expires_at > now() and used_at >= now() - interval '1 hour'
)`

async function recordUse(db: Database, token: string): Promise<void> {
  const used = { used_at: sql<Date>`now()` }
  await db.updateTable('sessions').set(used).where('token_hash', '=', hashToken(token)).execute()
}

/** What every page shows of the viewer. */
export interface Viewer {
  user: User
  /** Units of all lines. */
  in_cart: number
  /** Listings that are not deleted. */
  favourites: Id[]
  /** Unread notifications, at most 100. Those count whose fact was deleted, until the page of notifications is opened. */
  unread: number
  /** They run the shop. */
  operator?: true
}

const findViewers = batchLookups(async (db, hashes) => {
  const rows = await validSessions(db, hashes)
    .select([
      sql<number>`(select coalesce(sum(quantity), 0)::int from cart_lines where cart_lines.user_id = users.id)`.as(
        'in_cart',
      ),
      sql<string[]>`array(
        select f.product_id from favourites as f join products as p on p.id = f.product_id
        where f.user_id = users.id and p.deleted_at is null order by f.product_id
      )`.as('favourites'),
      // The demo account is shared, and gets none.
      sql<number>`(select count(*)::int from (
        select from outbox where recipient = users.id and notify and created_at > users.notifications_seen_at
          and users.email <> ${DEMO.email} limit ${MAX_UNREAD}
      ) as unread)`.as('unread'),
      sql<boolean>`exists (select from operators where operators.user_id = users.id)`.as('operator'),
    ])
    .execute()
  return byHash(rows)
})

/** As `findByToken`, with what every page shows of the user. */
export async function findViewer(db: Database, token: string): Promise<Viewer | undefined> {
  const found = await findViewers(db, hashToken(token).toString('hex'))
  if (!found) return undefined
  const { needsUpdate, hash, in_cart, favourites, unread, operator, ...user } = found
  if (needsUpdate) await recordUse(db, token)
  const viewer = { user, in_cart, favourites: favourites.map(Number), unread }
  return operator ? { ...viewer, operator } : viewer
}

/**
 * Opens a session for a user who was verified with this password hash.
 * @returns the token, 256 random bits; undefined if the password was changed meanwhile, because a change ends the
 * sessions of the old password
 */
export async function openSession(
  db: Database,
  userId: Id,
  password_hash: string,
  device: string,
): Promise<string | undefined> {
  const token = newToken()
  const opened = await db
    .insertInto('sessions')
    .columns(['token_hash', 'user_id', 'device', 'expires_at'])
    .expression(eb =>
      eb
        .selectFrom('users')
        .select([
          sql<Buffer>`${hashToken(token)}::bytea`.as('token_hash'),
          'users.id as user_id',
          sql<string>`${device}::text`.as('device'),
          sql<Date>`now() + make_interval(days => ${SESSION_DAYS})`.as('expires_at'),
        ])
        .where('users.id', '=', userId)
        .where('password_hash', '=', password_hash)
        .forShare(),
    )
    .returning('id')
    .executeTakeFirst()
  return opened && token
}

/** Ends a session. Accepts invalid tokens. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute()
}

/** Valid sessions of a user: the one of this token first, then by last use. */
export async function sessionsOf(db: Database, userId: Id, token: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'used_at'])
    .select(sql<boolean>`token_hash = ${hashToken(token)}`.as('current'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('current', 'desc')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map(({ created_at, used_at, ...row }) => ({
    ...row,
    begun_at: created_at.toISOString(),
    used_at: used_at.toISOString(),
  }))
}

/** Ends one session of a user. @throws Problem 404 if it is not theirs, or has ended */
export async function endSession(db: Database, userId: Id, id: Id): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw missing()
}

/** Requires that the session is the user's own. @throws Problem 404 otherwise */
export async function requireOwnSession(db: Database, person: Id, id: Id): Promise<void> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', person)
    .executeTakeFirst()
  if (!session) throw missing()
}

const missing = () => new Problem(404, 'There is no such session')

/** Ends every session of a user. */
export async function endSessions(db: Database, userId: Id): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Ends every session of the demo account. */
export async function endDemoSessions(db: Database): Promise<void> {
  const demo = db.selectFrom('users').select('id').where('email', '=', DEMO.email)
  await db.deleteFrom('sessions').where('user_id', 'in', demo).execute()
}

const ended = batchLookups(async (db, hashes) => {
  const anyHash = sql`any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[])`
  const { rows } = await sql<{ hash: string }>`
    select encode(token_hash, 'hex') as hash from ended_sessions where token_hash = ${anyHash} and ended_at > ${ONE_DAY_AGO}
    union select encode(token_hash, 'hex') from sessions where token_hash = ${anyHash}
  `.execute(db)
  return byHash(rows)
})

/**
 * Whether a token belongs to a session that ended less than a day ago, or is still stored. Only for a token without a
 * valid session.
 */
export const hasEnded = async (db: Database, token: string): Promise<boolean> =>
  (await ended(db, hashToken(token).toString('hex'))) !== undefined

/** Deletes expired sessions, and ended ones after a day. */
export async function sweepSessions(db: Database): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('ended_sessions').where('ended_at', '<=', ONE_DAY_AGO).execute()
}
