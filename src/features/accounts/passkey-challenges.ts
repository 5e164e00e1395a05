import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { BROKEN_PASSKEY } from './passkeys-contract.ts'

/** Lifetime of a challenge, minutes. Also the time that a browser gives the user. */
export const CHALLENGE_MINUTES = 5

/** What a response is good for: one for a login confirms no change. */
type Purpose = { purpose: 'login' } | { purpose: 'add' | 'confirm'; userId: Id; handle?: Buffer }

const EXPIRED = 'This took too long, or was sent twice. Please try again'

/**
 * A new challenge of 256 random bits. Challenges are in the database, because a response counts once, whichever process
 * gets it.
 * @returns it as base64url
 */
export async function issueChallenge(db: Database, asked: Purpose): Promise<string> {
  const challenge = randomBytes(32)
  const expires_at = sql<Date>`now() + make_interval(mins => ${CHALLENGE_MINUTES})`
  const { purpose, userId: user_id, handle: user_handle } = { userId: null, handle: null, ...asked }
  await db
    .insertInto('passkey_challenges')
    .values({ challenge, purpose, user_id, user_handle, expires_at })
    .execute()
  return challenge.toString('base64url')
}

/**
 * Uses up the challenge that a response contains.
 * @param clientData of the response, base64url
 * @returns the challenge as base64url, and the user handle it was issued with
 * @throws Problem 400 unless it was issued for this purpose and user, is not expired and was not used
 */
export async function takeChallenge(
  db: Database,
  clientData: string,
  { purpose, userId }: { purpose: 'login' | 'add' | 'confirm'; userId?: Id },
): Promise<{ challenge: string; handle: Buffer | null }> {
  const challenge = challengeIn(clientData)
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', Buffer.from(challenge, 'base64url'))
    .where('purpose', '=', purpose)
    .where('user_id', userId === undefined ? 'is' : '=', userId ?? null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_handle as handle')
    .executeTakeFirst()
  if (!taken) throw new Problem(400, EXPIRED)
  return { challenge, handle: taken.handle }
}

/** @throws Problem 400 if it is no client data */
function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge: unknown
    }
    if (typeof challenge === 'string') return challenge
  } catch {
    // As below.
  }
  throw new Problem(400, BROKEN_PASSKEY)
}

/** Deletes expired challenges. */
export async function sweepChallenges(db: Database): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', sql<Date>`now()`).execute()
}
