import { type RawBuilder, sql } from 'kysely'
import { decodeCursor, fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import type { Sort } from './constants.ts'

type Condition = RawBuilder<boolean>

/** An order of the catalogue: its sort keys, and the condition for rows after a cursor. */
export interface Order {
  by: RawBuilder<unknown>
  /** Sort key of a row for a cursor: integers with points between. */
  key: RawBuilder<string>
  after: (key: string[]) => Condition
}

const newest: Order = {
  by: sql`c.created_at desc, c.product_id desc`,
  key: sql`concat_ws('.', ${toMicroseconds(sql`c.created_at`)}, c.product_id)`,
  after: ([at, id]) => sql`(c.created_at, c.product_id) < (${fromMicroseconds(at)}, ${id}::bigint)`,
}

/**
 * A Bayesian mean of ratings: (15 + stars) / (5 + reviews), as with five more reviews, one of each number of stars.
 * One review of five stars gives 3.3, four of 4.8 give 3.8 (Evan Miller, "Ranking Items With Star Ratings", 2014).
 * In thousandths; 0 without reviews, which come last.
 */
const WEIGHTED = sql`weighted_rating(c.rating, c.reviews)`

/** Ties: newer first, by id. */
const orders: Record<Exclude<Sort, 'relevance'>, Order> = {
  newest,
  price_asc: {
    by: sql`c.price_cents, c.product_id`,
    key: sql`concat_ws('.', c.price_cents, c.product_id)`,
    after: ([price, id]) => sql`(c.price_cents, c.product_id) > (${price}::bigint, ${id}::bigint)`,
  },
  price_desc: {
    by: sql`c.price_cents desc, c.product_id desc`,
    key: sql`concat_ws('.', c.price_cents, c.product_id)`,
    after: ([price, id]) => sql`(c.price_cents, c.product_id) < (${price}::bigint, ${id}::bigint)`,
  },
  rating: {
    by: sql`${WEIGHTED} desc, c.reviews desc, c.product_id desc`,
    key: sql`concat_ws('.', ${WEIGHTED}, c.reviews, c.product_id)`,
    after: ([rating, reviews, id]) =>
      sql`(${WEIGHTED}, c.reviews, c.product_id) < (${rating}::bigint, ${reviews}::bigint, ${id}::bigint)`,
  },
}

/** The order of the catalogue for a sort. Relevance sorts each tier by newest. */
export const orderOf = (sort: Sort): Order => (sort === 'relevance' ? newest : orders[sort])

/** Where a page begins: the values of a cursor. */
export interface Start {
  tier: number
  /** Tier by tier. */
  key: string[]
}

/** Parses a cursor. @throws Problem 400 for an invalid cursor, or one of another sort */
export function startOf(cursor: string, order: Sort): Start {
  const numbers = String.raw`\.(\d{1,16})`.repeat(order === 'rating' ? 4 : 3)
  const [tier, ...key] = decodeCursor(cursor, new RegExp(`^${order}${numbers}$`))
  return { tier: Number(tier), key }
}
