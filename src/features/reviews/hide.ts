import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { NO_REVIEW } from './contract.ts'

// How those who run the shop hide reviews, and show them again. Call these in the transaction of the log. A trigger takes a
// hidden review out of the rating of its listing.

/** A review that an operator hides or shows. */
export interface ModeratedReview {
  product_id: Id
  /** Its author. */
  user_id: Id
}

/** Hides a review from everybody. @throws Problem 404 unknown, 409 if it is hidden already */
export const hideReview = (db: Database, id: Id): Promise<ModeratedReview> => setHidden(db, id, true)

/** Shows a hidden review again. @throws Problem 404 unknown, 409 if it is not hidden */
export const showReview = (db: Database, id: Id): Promise<ModeratedReview> => setHidden(db, id, false)

async function setHidden(db: Database, id: Id, hidden: boolean): Promise<ModeratedReview> {
  const review = await db
    .selectFrom('reviews')
    .select(['product_id', 'user_id', 'hidden_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!review) throw new Problem(404, NO_REVIEW)
  const { hidden_at, ...moderated } = review
  if ((hidden_at !== null) === hidden)
    throw new Problem(409, hidden ? 'This review is hidden already' : 'This review is not hidden')
  await db
    .updateTable('reviews')
    .set({ hidden_at: hidden ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .execute()
  return moderated
}
