import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Before a user is deleted whose reviews stay: moves the reports about these reviews to the placeholder account.
 * Other reports about the user are deleted with the account.
 */
export async function anonymizeReports(db: Database, userId: Id, placeholder: Id): Promise<void> {
  await db
    .updateTable('reports')
    .set({ person_id: placeholder })
    .where('person_id', '=', userId)
    .where('review_id', 'is not', null)
    .where('of_reply', '=', false)
    .execute()
}
