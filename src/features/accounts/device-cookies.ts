import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { recordEvent } from './security-events.ts'
import { hashToken, newToken } from './tokens.ts'

/** Lifetime of a device cookie after the last login, days. */
export const DEVICE_DAYS = 365
/** How long an account still knows the cookie of before its login, minutes: the response with the new one may be lost. */
const OLD_MINUTES = 10
/** Maximum number of known browsers per account; the oldest login is dropped. */
const MAX_DEVICES = 20

/** Whether this device cookie has logged into the account of that e-mail before. */
export async function isKnown(db: Database, token: string, email: string): Promise<boolean> {
  const known = await db
    .selectFrom('device_cookies')
    .innerJoin('users', 'users.id', 'device_cookies.user_id')
    .select('users.id')
    .where('token_hash', '=', hashToken(token))
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return known !== undefined
}

/**
 * Remembers a browser after its login. Issues a new cookie each time, so that a planted one is worthless; the
 * browser stays known to its other accounts. The user gets a letter if the account does not know it. Call it in the
 * transaction that opens the session.
 * @param device what it is, in words @param old its cookie so far
 * @param isOwn whether its user has just proved to be the owner of the account: at the signup, or with a new password
 * @returns the cookie
 */
export async function remember(
  db: Database,
  userId: Id,
  device: string,
  old: string | undefined,
  isOwn = false,
): Promise<string> {
  const token = newToken()
  const token_hash = hashToken(token)
  if (old)
    await db
      .updateTable('device_cookies')
      .set({ token_hash })
      .where('token_hash', '=', hashToken(old))
      .execute()
  const isKnownHere = await knowsBrowser(db, userId, token_hash)
  if (!isOwn && !isKnownHere) await recordEvent(db, 'new-device', { userId, device })
  const user_id = userId
  const cookies = [
    { token_hash, user_id, expires_at: sql<Date>`now() + make_interval(days => ${DEVICE_DAYS})` },
  ]
  if (old && isKnownHere)
    cookies.push({
      ...{ token_hash: hashToken(old), user_id },
      expires_at: sql<Date>`now() + make_interval(mins => ${OLD_MINUTES})`,
    })
  await db
    .insertInto('device_cookies')
    .values(cookies)
    .onConflict(known =>
      known
        .columns(['token_hash', 'user_id'])
        .doUpdateSet(({ ref }) => ({ expires_at: ref('excluded.expires_at') })),
    )
    .execute()
  return token
}

/** Deletes the oldest cookies of an account with more than 20 known browsers. */
export async function deleteOldestCookies(db: Database, userId: Id): Promise<void> {
  await db
    .deleteFrom('device_cookies')
    .where('user_id', '=', userId)
    .where('token_hash', 'in', eb =>
      eb
        .selectFrom('device_cookies')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('expires_at', 'desc')
        .offset(MAX_DEVICES),
    )
    .execute()
}

async function knowsBrowser(db: Database, userId: Id, token_hash: Buffer): Promise<boolean> {
  const known = await db
    .selectFrom('device_cookies')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return known !== undefined
}

/** Deletes the cookies of every known browser of an account. */
export async function deleteDeviceCookies(db: Database, userId: Id): Promise<void> {
  await db.deleteFrom('device_cookies').where('user_id', '=', userId).execute()
}

/** Deletes expired device cookies. */
export async function sweepDeviceCookies(db: Database): Promise<void> {
  await db.deleteFrom('device_cookies').where('expires_at', '<', sql<Date>`now()`).execute()
}
