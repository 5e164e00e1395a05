import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/** For a user whose account was deleted at this moment, and the sessions with it. */
export const loggedOut = (): Problem => new Problem(401, 'Please log in')

/** Compares the username ignoring case; uses an index. */
export const hasUsername = (username: string): RawBuilder<boolean> =>
  sql<boolean>`lower(username) = lower(${username})`

/**
 * SQL: the id of the user with this username; else of the user who held it lately; else of the user whose shop has or
 * had a name with this look. Null without one. Ignores case.
 */
export const userNamed = (username: string): RawBuilder<Id | null> => sql`coalesce(
  (select id from users where ${hasUsername(username)} and erased_at is null),
  (select user_id from former_usernames where ${hasUsername(username)} and held_until > now()),
  (select user_id from shop_names where look = shop_name_look(${username}))
)`

/** The id of the user with this username, now or lately, or this shop name, ignoring case; undefined if none. */
export async function findByUsername(db: Database, username: string): Promise<Id | undefined> {
  const { rows } = await sql<{ id: Id | null }>`select ${userNamed(username)} as id`.execute(db)
  return rows[0]?.id ?? undefined
}

/**
 * The id of the user with this e-mail address or username, ignoring case. The address goes first, since a username may
 * look like one. @throws Problem 404 without one
 */
export async function findByEmailOrUsername(db: Database, named: string): Promise<Id> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`(lower(email) = lower(${named}) or ${hasUsername(named)})`)
    .where('erased_at', 'is', null)
    .orderBy(sql`lower(email) = lower(${named})`, 'desc')
    .executeTakeFirst()
  if (!person) throw new Problem(404, `Nobody has the address or username ${named}`)
  return person.id
}
