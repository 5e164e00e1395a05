import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { NO_REPLY, NO_REVIEW } from './contract.ts'

// How operators hide reviews and the replies to them, and show them again. Call these in the transaction of the
// log. A trigger takes a hidden review out of the rating of its listing.

/** A review, or the reply to one, that an operator hides or shows. */
interface Moderated {
  product_id: Id
  /** Id of its author: of a reply, the maker of the listing. */
  author_id: Id
}

/** Hides a review. @throws Problem 404 unknown, 409 if it is hidden already */
export const hideReview = (db: Database, id: Id): Promise<Moderated> => setHidden(db, id, 'review', true)

/** Shows a hidden review again. @throws Problem 404 unknown, 409 if it is not hidden */
export const showReview = (db: Database, id: Id): Promise<Moderated> => setHidden(db, id, 'review', false)

/**
 * Hides the reply to a review. Until it is deleted, its maker cannot write another.
 * @throws Problem 404 no such review or reply, 409 if it is hidden already
 */
export const hideReply = (db: Database, id: Id): Promise<Moderated> => setHidden(db, id, 'reply', true)

/** Shows a hidden reply again. @throws Problem 404 no such review or reply, 409 if it is not hidden */
export const showReply = (db: Database, id: Id): Promise<Moderated> => setHidden(db, id, 'reply', false)

const COLUMNS = { review: 'hidden_at', reply: 'reply_hidden_at' } as const

async function setHidden(
  db: Database,
  id: Id,
  what: keyof typeof COLUMNS,
  hidden: boolean,
): Promise<Moderated> {
  const column = COLUMNS[what]
  const review = await db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.product_id', 'r.user_id', 'p.seller_id', 'r.reply', `r.${column} as hidden_at`])
    .where('r.id', '=', id)
    .forNoKeyUpdate('r')
    .executeTakeFirst()
  if (!review || (what === 'reply' && review.reply === null))
    throw new Problem(404, what === 'reply' ? NO_REPLY : NO_REVIEW)
  if ((review.hidden_at !== null) === hidden)
    throw new Problem(409, hidden ? `This ${what} is hidden already` : `This ${what} is not hidden`)
  await db
    .updateTable('reviews')
    .set({ [column]: hidden ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .execute()
  return { product_id: review.product_id, author_id: what === 'reply' ? review.seller_id : review.user_id }
}
