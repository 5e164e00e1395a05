import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Before a user is deleted: deletes their postage profiles, with rates and pick-up places. Call it after the listings
 * were moved to the placeholder account.
 */
export async function erase(db: Database, seller: Id): Promise<void> {
  await db.deleteFrom('postage_profiles').where('seller_id', '=', seller).execute()
}
