import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Marks a user's notifications as read, up to this one. Ignores one that is unknown, of another user, or read
 * already.
 * @param newest id of the notification, a UUID
 */
export async function markSeen(db: Database, userId: Id, newest: string): Promise<void> {
  await db
    .updateTable('users')
    .from('outbox as o')
    .set({ notifications_seen_at: sql`o.created_at` })
    .where('users.id', '=', userId)
    .where('o.id', '=', newest)
    .whereRef('o.recipient', '=', 'users.id')
    .whereRef('o.created_at', '>', 'users.notifications_seen_at')
    .execute()
}
