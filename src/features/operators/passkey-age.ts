import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

const TOO_NEW =
  'This passkey was added less than a day ago. Wait until it is a day old, or be named an operator again by the command'

/**
 * Requires that a passkey of an operator is a day old, or older than their appointment. An attacker who knows only
 * the password can add a passkey: within a day, the owner has read the letter about it.
 * @param credential id of the passkey, base64url
 * @throws Problem 403 if it is newer
 */
export async function requireTrusted(db: Database, userId: Id, credential: string): Promise<void> {
  const passkey = await db
    .selectFrom('passkeys as p')
    .innerJoin('operators as o', 'o.user_id', 'p.user_id')
    .select('p.id')
    .where('p.user_id', '=', userId)
    .where('p.credential_id', '=', credential)
    .where(sql<boolean>`(p.created_at < o.added_at or p.created_at < now() - interval '24 hours')`)
    .executeTakeFirst()
  if (!passkey) throw new Problem(403, TOO_NEW)
}
