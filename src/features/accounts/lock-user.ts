import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Serializes changes of a user's own rows, such as sections or drafts, until the transaction ends: counts stay exact,
 * and a form that is sent twice finds the result of the first request. Other rows can refer to the user meanwhile.
 */
export async function lockUser(db: Database, id: Id): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}
