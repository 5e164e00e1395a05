import { sql } from 'kysely'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { sellerOf } from '#products/products.ts'
import { brokenConstraint, type Database } from '#server/database.ts'
import { NOTHING_TO_DELETE, NOTHING_TO_EDIT, ONE_REVIEW, type Review, type ReviewDraft } from './contract.ts'

/** Reviews of a listing, newest first. @throws Problem 404 for no such listing */
export async function of(db: Database, productId: Id): Promise<Review[]> {
  const rows = await reviews(db)
    .where('r.product_id', '=', productId)
    .where('p.deleted_at', 'is', null)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
  if (rows.length === 0) await sellerOf(db, productId)
  return rows.map(view)
}

/** Leaves a review of a listing that is there. @throws Problem 409 for a second one of the same person */
export async function create(db: Database, userId: Id, productId: Id, draft: ReviewDraft): Promise<Review> {
  try {
    const { id } = await db
      .insertInto('reviews')
      .values({ ...draft, product_id: productId, user_id: userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return await find(db, id)
  } catch (error) {
    if (brokenConstraint(error) === 'reviews_one_each') throw new Problem(409, ONE_REVIEW, { cause: error })
    throw error
  }
}

/**
 * Replaces the words and stars of a person's own review. `id` names the review or the listing it is about.
 * @throws Problem 404 where the person has none, 403 for someone else's
 */
export async function edit(db: Database, userId: Id, id: Id, draft: ReviewDraft): Promise<Review> {
  const own = await ownReview(db, userId, id, NOTHING_TO_EDIT)
  const updated = await db
    .updateTable('reviews')
    .set({ ...draft, updated_at: sql`now()` })
    .where('id', '=', own)
    .returning('id')
    .executeTakeFirst()
  if (!updated) throw new Problem(404, NOTHING_TO_EDIT)
  return find(db, own)
}

/** Deletes a person's own review, named as in `edit`. @throws Problem as `edit` does */
export async function remove(db: Database, userId: Id, id: Id): Promise<void> {
  const own = await ownReview(db, userId, id, NOTHING_TO_DELETE)
  const removed = await db.deleteFrom('reviews').where('id', '=', own).returning('id').executeTakeFirst()
  if (!removed) throw new Problem(404, NOTHING_TO_DELETE)
}

async function ownReview(db: Database, userId: Id, id: Id, nothing: string): Promise<Id> {
  const named = await db
    .selectFrom('reviews')
    .select(['id', 'user_id'])
    .where(eb => eb.or([eb('id', '=', id), eb.and([eb('product_id', '=', id), eb('user_id', '=', userId)])]))
    .executeTakeFirst()
  if (!named) throw new Problem(404, nothing)
  if (named.user_id !== userId) throw new Problem(403, 'This is not your review')
  return named.id
}

async function find(db: Database, id: Id): Promise<Review> {
  return view(await reviews(db).where('r.id', '=', id).executeTakeFirstOrThrow())
}

function reviews(db: Database) {
  return db
    .selectFrom('reviews as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select([
      'r.id',
      'r.user_id',
      'r.product_id',
      'r.review',
      'r.stars',
      'r.created_at',
      'u.first_name',
      'u.last_name',
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof reviews>['executeTakeFirstOrThrow']>>

const view = ({ created_at, ...row }: Row): Review => ({ ...row, createdAt: created_at.toISOString() })
