import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { NO_REVIEW } from './contract.ts'

/**
 * A user's own review, by its id or its listing's.
 * @param nothing message of the 404
 * @param hiddenToo finds reviews that an operator has hidden too, even of listings that are not for sale any more
 * @throws Problem 404 if there is none, 403 for someone else's
 */
export async function ownReview(
  db: Database,
  userId: Id,
  id: Id,
  nothing: string,
  hiddenToo = false,
): Promise<Id> {
  const named = await db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.id', 'r.user_id'])
    .where(eb =>
      hiddenToo
        ? eb.or([eb('p.deleted_at', 'is', null), eb('r.hidden_at', 'is not', null)])
        : eb.and([eb('p.deleted_at', 'is', null), eb('r.hidden_at', 'is', null)]),
    )
    .where(eb =>
      eb.or([eb('r.id', '=', id), eb.and([eb('r.product_id', '=', id), eb('r.user_id', '=', userId)])]),
    )
    .executeTakeFirst()
  if (!named) throw new Problem(404, nothing)
  if (named.user_id !== userId) throw new Problem(403, 'This is not your review')
  return named.id
}

/**
 * Requires that the user sells the review's listing, which is for sale.
 * @param hiddenToo accepts a review whose reply an operator has hidden, even if the review is hidden too, or its listing is
 * not for sale any more
 * @throws Problem 404 no such review, 403 for anybody else
 */
export async function requireItsSeller(db: Database, person: Id, id: Id, hiddenToo = false): Promise<void> {
  const review = await db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select('p.seller_id')
    .where('r.id', '=', id)
    .where(eb => {
      const isPublic = eb.and([eb('r.hidden_at', 'is', null), eb('p.deleted_at', 'is', null)])
      return hiddenToo ? eb.or([isPublic, eb('r.reply_hidden_at', 'is not', null)]) : isPublic
    })
    .forShare('p')
    .executeTakeFirst()
  if (!review) throw new Problem(404, NO_REVIEW)
  if (review.seller_id !== person) throw new Problem(403, 'Only the maker of a piece may answer its reviews')
}
