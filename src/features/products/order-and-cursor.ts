import { type RawBuilder, sql } from 'kysely'
import { Problem } from '#problem'
import type { Sort } from './search-constants.ts'

type Condition = RawBuilder<boolean>

/** An order of the catalogue: what it sorts by, and which rows come after one of which these values are known. */
export interface Order {
  by: RawBuilder<unknown>
  /** Of a row, for a cursor: whole numbers with points between. */
  key: RawBuilder<string>
  after: (key: string[]) => Condition
}

/** Microseconds since 1970: JavaScript's dates would lose them. */
const micros = (at: RawBuilder<unknown>) => sql`(extract(epoch from ${at}) * 1000000)::bigint`
/** @param at microseconds, or the column that holds them */
export const momentOf = (at: string | RawBuilder<unknown> | null | undefined) =>
  sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`

const newest: Order = {
  by: sql`c.created_at desc, c.product_id desc`,
  key: sql`concat_ws('.', ${micros(sql`c.created_at`)}, c.product_id)`,
  after: ([at, id]) => sql`(c.created_at, c.product_id) < (${momentOf(at)}, ${id}::bigint)`,
}

/**
 * A Bayesian mean of the ratings: (15 + stars) / (5 + reviews), the mean with five more reviews, one of each number of stars.
 * One review of five stars comes to 3.3 and four of 4.8 to 3.8: few reviews say little (Evan Miller, "Ranking Items With
 * Star Ratings", 2014, with one pseudo-count for each number of stars). In thousandths; 0 without reviews, which come last.
 */
const WEIGHTED = sql`weighted_rating(c.rating, c.reviews)`

/** Among equals the newer stands first; the ids of one sequence tell which that is. */
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

export const orderOf = (sort: Sort): Order => (sort === 'relevance' ? newest : orders[sort])

/** `<order>.<tier>.<key>` in base64url. */
export const cursorOf = (order: Sort, tier: number, key: string): string =>
  Buffer.from(`${order}.${tier}.${key}`).toString('base64url')

export interface Start {
  tier: number
  /** Part by part. */
  key: string[]
}

export function startOf(cursor: string, order: Sort): Start {
  const [of, tier, ...key] = Buffer.from(cursor, 'base64url').toString().split('.')
  const length = order === 'rating' ? 3 : 2
  if (of !== order || key.length !== length || ![tier, ...key].every(part => /^\d{1,16}$/.test(part ?? '')))
    throw new Problem(400, 'Cursor is not one of ours')
  return { tier: Number(tier), key }
}
