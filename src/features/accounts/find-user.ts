import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** Compares the username ignoring case; uses an index. */
export const hasUsername = (username: string): RawBuilder<boolean> =>
  sql<boolean>`lower(username) = lower(${username})`

/** The id of the user with this username, ignoring case; undefined if none. */
export async function findByUsername(db: Database, username: string): Promise<Id | undefined> {
  const user = await db.selectFrom('users').select('id').where(hasUsername(username)).executeTakeFirst()
  return user?.id
}
