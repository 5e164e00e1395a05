import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'

/** What its owner gets a letter about. */
export type SecurityKind = 'password-changed' | 'new-device' | 'passkey-added' | 'passkey-removed'

/** What such a letter says. */
export interface SecurityEvent {
  /** From which it was done, in words: 'Firefox on Windows'. */
  device: string
  /** Name of the passkey, where it is about one. */
  passkey: string | null
  created_at: Date
}

/** Records an event with its letter. Call it in the transaction of the fact. */
export async function recordEvent(
  db: Database,
  kind: SecurityKind,
  { userId, device, passkey = null }: { userId: Id; device: string; passkey?: string | null },
): Promise<void> {
  const { id } = await db
    .insertInto('security_events')
    .values({ user_id: userId, device, passkey })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queueLetters(db, [{ kind, subject: id, recipient: userId }])
}

/** Undefined if it was swept. */
export const findEvent = (db: Database, id: Id): Promise<SecurityEvent | undefined> =>
  db
    .selectFrom('security_events')
    .select(['device', 'passkey', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Deletes events of a month ago: their letters are sent, or have failed. */
export async function sweepEvents(db: Database): Promise<void> {
  await db
    .deleteFrom('security_events')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}
