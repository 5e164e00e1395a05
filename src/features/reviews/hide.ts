import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { NO_REPLY, NO_REVIEW } from './contract.ts'

// How those who run the shop hide reviews and the replies to them, and show them again. Call these in the transaction of the log. A trigger takes a
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

/** A reply that an operator hides or shows. */
interface ModeratedReply {
  product_id: Id
  /** Its author: the maker of the listing. */
  seller_id: Id
}

/**
 * Hides the reply to a review from everybody. Until it is deleted, its maker cannot write another.
 * @throws Problem 404 no such review or reply, 409 if it is hidden already
 */
export const hideReply = (db: Database, id: Id): Promise<ModeratedReply> => setReplyHidden(db, id, true)

/** Shows a hidden reply again. @throws Problem 404 no such review or reply, 409 if it is not hidden */
export const showReply = (db: Database, id: Id): Promise<ModeratedReply> => setReplyHidden(db, id, false)

async function setReplyHidden(db: Database, id: Id, hidden: boolean): Promise<ModeratedReply> {
  const review = await db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.product_id', 'p.seller_id', 'r.reply', 'r.reply_hidden_at'])
    .where('r.id', '=', id)
    .forNoKeyUpdate('r')
    .executeTakeFirst()
  if (review?.reply == null) throw new Problem(404, NO_REPLY)
  const { product_id, seller_id, reply_hidden_at } = review
  if ((reply_hidden_at !== null) === hidden)
    throw new Problem(409, hidden ? 'This reply is hidden already' : 'This reply is not hidden')
  await db
    .updateTable('reviews')
    .set({ reply_hidden_at: hidden ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .execute()
  return { product_id, seller_id }
}
