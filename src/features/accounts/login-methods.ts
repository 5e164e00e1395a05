import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { loggedOut } from './find-user.ts'

/** How a user can log in. */
export interface LoginMethods {
  hasPassword: boolean
  /** Number of passkeys. */
  passkeys: number
}

const LAST_WAY_IN = 'This passkey is the only way to log in to your account, so it stays'

/** Whether a passkey may go: afterwards the user can still log in. */
export const mayRemovePasskey = ({ hasPassword, passkeys }: LoginMethods): boolean =>
  hasPassword || passkeys > 1

/**
 * The ways into an account. Locks it for this transaction, so that of two concurrent changes the second sees the first;
 * other statements that refer to the user go on.
 */
export async function lockLoginMethods(db: Database, userId: Id): Promise<LoginMethods> {
  const { hasPassword } = await db
    .selectFrom('users')
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(loggedOut)
  return { hasPassword, passkeys: await countPasskeys(db, userId) }
}

/** Number of the passkeys that log in to an account. */
export async function countPasskeys(db: Database, userId: Id): Promise<number> {
  const { passkeys } = await db
    .selectFrom('passkeys')
    .select(eb => eb.fn.countAll<number>().as('passkeys'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return passkeys
}

/** Requires that the account keeps a login method when one passkey is removed. @throws Problem 409 otherwise */
export async function requireAnotherLoginMethod(db: Database, userId: Id): Promise<void> {
  if (!mayRemovePasskey(await lockLoginMethods(db, userId))) throw new Problem(409, LAST_WAY_IN)
}
