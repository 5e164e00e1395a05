import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Serializes what a user changes of their own, such as sections or drafts, until the transaction ends: counts stay exact, and
 * of one form that is sent twice the second finds what the first has done. Others can refer to the user meanwhile.
 */
export async function lockUser(db: Database, id: Id): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}
