import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { PAGE_SIZE, pages } from './pages.ts'

/** The reviews that a user has written, also hidden ones. */
export const reviews = (db: Database, id: Id) =>
  db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select([
      'r.id',
      'r.product_id',
      'p.name',
      'r.stars',
      'r.review',
      'r.created_at',
      'r.updated_at',
      'r.hidden_at',
    ])
    .where('r.user_id', '=', id)
    .orderBy('r.id')
    .execute()

/** The replies of a maker to reviews. */
export const replies = (db: Database, id: Id) =>
  pages(
    after =>
      db
        .selectFrom('reviews as r')
        .innerJoin('products as p', 'p.id', 'r.product_id')
        .select([
          'r.id as review_id',
          'r.product_id',
          'p.name',
          'r.reply',
          'r.replied_at',
          'r.reply_hidden_at',
        ])
        .where('p.seller_id', '=', id)
        .where('r.reply', 'is not', null)
        .where('r.id', '>', after)
        .orderBy('r.id')
        .limit(PAGE_SIZE)
        .execute(),
    ({ review_id }) => review_id,
  )
