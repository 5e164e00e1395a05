import { sql } from 'kysely'
import { encodeCursor, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import type { Review } from './contract.ts'

/** Limit of an author's orders that are checked for the listing, to bound the query. */
const MAX_ORDERS_SEARCHED = 1_000

/** Reviews, also hidden ones, of listings that may be deleted. */
export function reviews(db: Database) {
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
      'r.hidden_at',
      'u.first_name',
      'u.last_name',
    ])
    .select(eb => [
      eb.case().when('r.reply_hidden_at', 'is', null).then(eb.ref('r.reply')).end().as('reply'),
      eb.case().when('r.reply_hidden_at', 'is', null).then(eb.ref('r.replied_at')).end().as('replied_at'),
      // Computed on read: a cancelled order does not count.
      eb
        .exists(
          eb
            .selectFrom(eb =>
              eb
                .selectFrom('orders')
                .select('orders.id')
                .whereRef('orders.user_id', '=', 'r.user_id')
                .where('orders.status', '<>', 'Cancelled')
                .orderBy('orders.created_at', 'desc')
                .orderBy('orders.id', 'desc')
                .limit(MAX_ORDERS_SEARCHED)
                .as('o'),
            )
            // The limit keeps the planner from reading all order lines for each review.
            .innerJoinLateral(
              line =>
                line
                  .selectFrom('order_lines as l')
                  .select('l.order_id')
                  .whereRef('l.order_id', '=', 'o.id')
                  .whereRef('l.product_id', '=', 'r.product_id')
                  .whereRef('l.cancelled', '<', 'l.quantity')
                  .limit(1)
                  .as('bought'),
              join => join.onTrue(),
            )
            .select('o.id'),
        )
        .$castTo<boolean>()
        .as('verified'),
      eb
        .case()
        .when(
          eb(
            eb
              // Any listing that is not deleted. The limit keeps the planner from reading all of them.
              .selectFrom('catalogue as own')
              .select('own.product_id')
              .whereRef('own.seller_id', '=', 'r.user_id')
              .limit(1),
            'is not',
            null,
          ),
        )
        .then(eb.ref('u.username'))
        .end()
        .as('shop'),
      sql<string>`${toMicroseconds(sql`r.created_at`)}::text`.as('at'),
    ])
}

/** Public reviews. Their listings may be deleted. */
export const visible = (db: Database) => reviews(db).where('r.hidden_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof reviews>['executeTakeFirstOrThrow']>>

/** A row as the API sends it. */
export const view = ({ created_at, replied_at, hidden_at: _, at, ...row }: Row): Review => ({
  ...row,
  createdAt: created_at.toISOString(),
  replied_at: replied_at?.toISOString() ?? null,
  cursor: encodeCursor(row.stars, at, row.id),
})
