import { type Expression, type SqlBool, sql } from 'kysely'
import { requireActive } from '#accounts/suspension.ts'
import { type Id, LIST_LIMIT } from '#contract'
import { decodeCursor, fromMicroseconds } from '#platform/database/cursor.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { sellerOf } from '#products/seller-of.ts'
import { ownReview } from './access.ts'
import {
  HIDDEN_REVIEW,
  NO_REVIEW,
  NOTHING_TO_DELETE,
  NOTHING_TO_EDIT,
  ONE_REVIEW,
  type OwnReview,
  type Review,
  type ReviewInput,
  type ReviewQuery,
} from './contract.ts'
import { reviews, view, visible } from './select-reviews.ts'
import type { Sort } from './sorts.ts'

/**
 * Reviews of a listing, newest first by default; filtered by `stars`, `id` or `author`. At most `limit` (default
 * 100), after `cursor`.
 * @throws Problem 404 for no such listing, 400 for an invalid cursor
 */
export async function of(
  db: Database,
  productId: Id,
  { sort = 'newest', stars, id, author, limit = LIST_LIMIT, cursor }: ReviewQuery = {},
): Promise<Review[]> {
  let query = visible(db).where('r.product_id', '=', productId).where('p.deleted_at', 'is', null)
  if (sort !== 'newest') query = query.orderBy('r.stars', sort === 'highest' ? 'desc' : 'asc')
  query = query.orderBy('r.created_at', 'desc').orderBy('r.id', 'desc')
  if (stars !== undefined) query = query.where('r.stars', '=', stars)
  if (id !== undefined) query = query.where('r.id', '=', id)
  if (author !== undefined) query = query.where('r.user_id', '=', author)
  if (cursor !== undefined) query = query.where(after(sort, cursor))
  const rows = await query.limit(limit).execute()
  if (rows.length === 0) await sellerOf(db, productId)
  return rows.map(view)
}

/** What a user wrote about a listing, also if it is hidden: one review or none. */
export async function own(db: Database, productId: Id, userId: Id): Promise<OwnReview[]> {
  const rows = await reviews(db)
    .where('r.product_id', '=', productId)
    .where('p.deleted_at', 'is', null)
    .where('r.user_id', '=', userId)
    .execute()
  return rows.map(row => ({ ...view(row), hidden: row.hidden_at !== null }))
}

/** Authors of a listing's reviews. @throws Problem 404 for no such listing */
export async function reviewers(db: Database, productId: Id): Promise<Set<Id>> {
  await sellerOf(db, productId)
  const rows = await db.selectFrom('reviews').select('user_id').where('product_id', '=', productId).execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Rows after a cursor: stars, microseconds since 1970 and id. */
function after(sort: Sort, cursor: string): Expression<SqlBool> {
  const [stars, at, id] = decodeCursor(cursor, /^([1-5])\.(\d{1,18})\.([1-9]\d{0,15})$/)
  const later = sql<boolean>`(r.created_at, r.id) < (${fromMicroseconds(at)}, ${id}::bigint)`
  if (sort === 'newest') return later
  const further = sort === 'highest' ? sql`<` : sql`>`
  return sql<boolean>`(r.stars ${further} ${stars}::int or (r.stars = ${stars}::int and ${later}))`
}

/** Number of reviews with 1 to 5 stars. @throws Problem 404 for no such listing */
export async function histogram(db: Database, productId: Id): Promise<number[]> {
  await sellerOf(db, productId)
  const rows = await db
    .selectFrom('reviews')
    .select(({ fn }) => ['stars', fn.countAll<number>().as('count')])
    .where('product_id', '=', productId)
    .where('hidden_at', 'is', null)
    .groupBy('stars')
    .execute()
  return [1, 2, 3, 4, 5].map(stars => rows.find(row => row.stars === stars)?.count ?? 0)
}

/** Adds a review. @throws Problem 409 for a second one by the same user, 403 if they are suspended */
export async function create(db: Database, userId: Id, productId: Id, input: ReviewInput): Promise<Review> {
  try {
    const id = await transaction(db, async db => {
      await requireActive(db, userId)
      const { id } = await db
        .insertInto('reviews')
        .values({ ...input, product_id: productId, user_id: userId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const recipient = await sellerOf(db, productId)
      if (recipient !== userId)
        await queueLetters(db, [{ kind: 'review', subject: id, recipient, notify: true }])
      return id
    })
    return await find(db, id)
  } catch (error) {
    if (violatedConstraint(error) !== 'reviews_one_each') throw error
    const [first] = await of(db, productId, { author: userId, limit: 1 })
    throw new Problem(409, first ? ONE_REVIEW : HIDDEN_REVIEW, { cause: error })
  }
}

/**
 * Replaces a user's own review. `id` is the review's or its listing's.
 * @throws Problem 404 if there is none, 403 for someone else's, and while they are suspended
 */
export async function edit(db: Database, userId: Id, id: Id, input: ReviewInput): Promise<Review> {
  const own = await ownReview(db, userId, id, NOTHING_TO_EDIT)
  const updated = await transaction(db, async db => {
    await requireActive(db, userId)
    return (
      db
        .updateTable('reviews')
        .set({ ...input, updated_at: sql`now()` })
        .where('id', '=', own)
        // After a deletion of the account it may be the placeholder's.
        .where('user_id', '=', userId)
        .where('hidden_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
    )
  })
  if (!updated) throw new Problem(404, NOTHING_TO_EDIT)
  return find(db, own)
}

/** Deletes a user's own review, also a hidden one, by an id as in `edit`. @throws Problem as `edit` does */
export async function remove(db: Database, userId: Id, id: Id): Promise<void> {
  const own = await ownReview(db, userId, id, NOTHING_TO_DELETE, true)
  const removed = await db
    .deleteFrom('reviews')
    .where('id', '=', own)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new Problem(404, NOTHING_TO_DELETE)
}

/** One review. @throws Problem 404 unknown */
export async function find(db: Database, id: Id): Promise<Review> {
  const row = await visible(db).where('r.id', '=', id).executeTakeFirst()
  // Deleted meanwhile.
  if (!row) throw new Problem(404, NO_REVIEW)
  return view(row)
}
