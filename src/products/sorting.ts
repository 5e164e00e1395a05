import { type RawBuilder, sql } from 'kysely'
import { Problem } from '#problem'
import type { Sort } from './finding.ts'

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
export const moment = (at: string | RawBuilder<unknown> | null | undefined) =>
  sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`

const newest: Order = {
  by: sql`c.created_at desc, c.product_id desc`,
  key: sql`concat_ws('.', ${micros(sql`c.created_at`)}, c.product_id)`,
  after: ([at, id]) => sql`(c.created_at, c.product_id) < (${moment(at)}, ${id}::bigint)`,
}

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
    by: sql`c.rating desc, c.reviews desc, c.product_id desc`,
    key: sql`concat_ws('.', c.rating, c.reviews, c.product_id)`,
    after: ([rating, reviews, id]) =>
      sql`(c.rating, c.reviews, c.product_id) < (${rating}::bigint, ${reviews}::bigint, ${id}::bigint)`,
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
