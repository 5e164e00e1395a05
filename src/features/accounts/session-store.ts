import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { DEMO, type Session, type User } from './contract.ts'

export const userColumns = ['users.id', 'username', 'email', 'first_name', 'last_name'] as const

/** How long a session lasts without logging in again, days. */
export const SESSION_DAYS = 30
/** Sessions that are shown. Nobody has more, unless somebody plays with the login. */
const SHOWN = 100
/** From then on it is remembered that a session has ended. */
const LATELY = sql<Date>`now() - interval '1 day'`

/** Only its SHA-256 is in the database: a dump of it lets nobody in. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The living sessions with some hashes, which are in hexadecimal, and the people behind them. */
const alive = (db: Database, hashes: string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(userColumns)
    .select([
      sql<string>`encode(token_hash, 'hex')`.as('hash'),
      sql<boolean>`used_at < now() - interval '1 hour'`.as('quiet'),
    ])
    .where('token_hash', '=', sql<Buffer>`any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[])`)
    .where('expires_at', '>', sql<Date>`now()`)

const byHash = <R extends { hash: string }>(rows: R[]) => new Map(rows.map(row => [row.hash, row]))

const people = batchLookups(async (db, hashes) => byHash(await alive(db, hashes).execute()))

/** The person behind a session token, if the session is alive. One indexed query; once an hour its use is noted. */
export async function findByToken(db: Database, token: string): Promise<User | undefined> {
  const found = await people(db, hashOf(token).toString('hex'))
  if (!found) return undefined
  const { quiet, hash, ...user } = found
  if (quiet) await noteUse(db, token)
  return user
}

/**
 * Whose sessions some tokens open, as a part of a statement that does something for them: a row (place, user_id) each,
 * places counting from 1. No row where a token opens nothing, or its use is to be noted first.
 */
export const ownersOf = (tokens: string[]): RawBuilder<{ place: number; user_id: Id }> => sql`(
  select place, user_id
  from unnest(${tokens.map(hashOf)}::bytea[]) with ordinality as token (hash, place) join sessions on token_hash = hash
  where expires_at > now() and used_at >= now() - interval '1 hour'
)`

async function noteUse(db: Database, token: string): Promise<void> {
  const used = { used_at: sql<Date>`now()` }
  await db.updateTable('sessions').set(used).where('token_hash', '=', hashOf(token)).execute()
}

/** What every page shows of the person who looks at it. */
export interface Viewer {
  user: User
  /** Pieces. */
  in_cart: number
  /** Listings that are still there. */
  favourites: Id[]
}

const shownPeople = batchLookups(async (db, hashes) => {
  const rows = await alive(db, hashes)
    .select([
      sql<number>`(select coalesce(sum(quantity), 0)::int from cart_lines where cart_lines.user_id = users.id)`.as(
        'in_cart',
      ),
      sql<string[]>`array(
        select f.product_id from favourites as f join products as p on p.id = f.product_id
        where f.user_id = users.id and p.deleted_at is null order by f.product_id
      )`.as('favourites'),
    ])
    .execute()
  return byHash(rows)
})

/** As `findByToken`, with what every page shows of the user, in the same query. */
export async function findViewer(db: Database, token: string): Promise<Viewer | undefined> {
  const found = await shownPeople(db, hashOf(token).toString('hex'))
  if (!found) return undefined
  const { quiet, hash, in_cart, favourites, ...user } = found
  if (quiet) await noteUse(db, token)
  return { user, in_cart, favourites: favourites.map(Number) }
}

/**
 * Opens a session for whoever has proved the password with this hash. Where the password was changed meanwhile, there
 * is none: a change ends every session that the old password opened.
 * @returns its token: 256 random bits that only the person's browser keeps; undefined: the password is another by now
 */
export async function openSession(
  db: Database,
  userId: Id,
  password_hash: string,
  device: string,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const opened = await db
    .insertInto('sessions')
    .columns(['token_hash', 'user_id', 'device', 'expires_at'])
    .expression(eb =>
      eb
        .selectFrom('users')
        .select([
          sql<Buffer>`${hashOf(token)}::bytea`.as('token_hash'),
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

/** Ends a session; a token that opens nothing is no error. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute()
}

/** The living sessions of a person, the one of this token first, then the last used first. */
export async function sessionsOf(db: Database, userId: Id, token: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'used_at'])
    .select(sql<boolean>`token_hash = ${hashOf(token)}`.as('current'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('current', 'desc')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.map(({ created_at, used_at, ...row }) => ({
    ...row,
    begun_at: created_at.toISOString(),
    used_at: used_at.toISOString(),
  }))
}

/** Ends one session of a person. @throws Problem 404 where it is not theirs, or over */
export async function endSession(db: Database, userId: Id, id: Id): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw missing()
}

/** Lets the person pass whose session it is. @throws Problem 404 for anybody else */
export async function requireOwnAccount(db: Database, person: Id, id: Id): Promise<void> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', person)
    .executeTakeFirst()
  if (!session) throw missing()
}

const missing = () => new Problem(404, 'There is no such session')

/** Ends every session of a person. */
export async function endSessions(db: Database, userId: Id): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Ends every session of the demo account, which anybody may have opened. */
export async function endDemoSessions(db: Database): Promise<void> {
  const demo = db.selectFrom('users').select('id').where('email', '=', DEMO.email)
  await db.deleteFrom('sessions').where('user_id', 'in', demo).execute()
}

const ended = batchLookups(async (db, hashes) => {
  const asked = sql`any(${hashes.map(hash => Buffer.from(hash, 'hex'))}::bytea[])`
  const { rows } = await sql<{ hash: string }>`
    select encode(token_hash, 'hex') as hash from ended_sessions where token_hash = ${asked} and ended_at > ${LATELY}
    union select encode(token_hash, 'hex') from sessions where token_hash = ${asked}
  `.execute(db)
  return byHash(rows)
})

/** Whether a token opened a session until at most a day ago. */
export const hasEnded = async (db: Database, token: string): Promise<boolean> =>
  (await ended(db, hashOf(token).toString('hex'))) !== undefined

/** Removes sessions that are over, and forgets after a day that they were. */
export async function sweepSessions(db: Database): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('ended_sessions').where('ended_at', '<=', LATELY).execute()
}
