import { sql } from 'kysely'
import { hashToken, newToken } from '#accounts/tokens.ts'
import type { Database } from '#platform/database/database.ts'
import { OPERATOR_HOURS } from './contract.ts'

/**
 * Opens the pages of operators to a session, after its user has reauthenticated.
 * @param token of the session
 * @returns the token of a second cookie, 256 random bits. Without it the session opens nothing.
 */
export async function open(db: Database, token: string): Promise<string> {
  const own = newToken()
  const fields = {
    token_hash: hashToken(own),
    expires_at: sql<Date>`now() + make_interval(hours => ${OPERATOR_HOURS})`,
  }
  await db
    .insertInto('operator_sessions')
    .values({ session_hash: hashToken(token), ...fields })
    .onConflict(conflict => conflict.column('session_hash').doUpdateSet(fields))
    .execute()
  return own
}

/** Closes the pages of operators to a session. */
export async function close(db: Database, token: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('session_hash', '=', hashToken(token)).execute()
}

/** Whether the second cookie belongs to this session, and is not too old. */
export async function isOpen(db: Database, token: string, own: string): Promise<boolean> {
  const row = await db
    .selectFrom('operator_sessions')
    .select('session_hash')
    .where('session_hash', '=', hashToken(token))
    .where('token_hash', '=', hashToken(own))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes those that have ended. */
export async function sweepOperatorSessions(db: Database): Promise<void> {
  await db.deleteFrom('operator_sessions').where('expires_at', '<=', sql<Date>`now()`).execute()
}
