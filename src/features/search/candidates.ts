import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { toCents } from '#money'
import { createBatcher } from '#platform/database/batch.ts'
import { fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { isTooSlow } from '#platform/database/database-errors.ts'
import type { Filters } from './query.ts'

/** A query for the newest listings that match. */
export interface CandidateQuery {
  /** A tsquery on the stems of the catalogue. */
  tsquery: string
  filters: Filters
  /** Key of the last row of the page before: microseconds since 1970 when it was listed, and its id. */
  after?: string[] | undefined
  limit: number
}

/** SQL fragment: ids by `search_newest`. */
export function candidatesOf(query: CandidateQuery): RawBuilder<Id[]> {
  const { tsquery, limit, min, max, in_stock, rating, at, id } = valuesOf(query)
  return sql`array(
    select product_id from search_newest(
      ${tsquery}::tsquery, ${limit}, ${min}, ${max}, ${in_stock}, ${rating}, ${fromMicroseconds(at)}, ${id}
    ) order by created_at desc, product_id desc
  )`
}

const valuesOf = ({
  tsquery,
  filters: { min, max, in_stock, rating },
  after = [],
  limit,
}: CandidateQuery) => ({
  tsquery,
  limit,
  min: min === undefined ? null : toCents(min),
  max: max === undefined ? null : toCents(max),
  in_stock: in_stock ?? false,
  rating: rating === undefined ? null : 10 * rating,
  at: after[0] ?? null,
  id: after[1] ?? null,
})

/** Time limit of a search in a batch, ms: a search that exceeds it runs again on its own. */
const QUERY_LIMIT_MS = 5
/** Time limit of a batch, ms: the searches that it has not begun by then run on their own. */
const BATCH_LIMIT_MS = 50

/** The id in a key. */
export const idOfKey = (key: string): Id => Number(key.slice(key.indexOf('.') + 1))

/**
 * Keys of the newest matches, newest first: microseconds since 1970, a point, and the id. Concurrent searches share
 * one statement (a batch); a slow one runs again on its own.
 */
export async function findCandidates(db: Database, query: CandidateQuery): Promise<string[]> {
  const batched = await findInBatch(db, query).catch(error => {
    if (isTooSlow(error)) return undefined
    throw error
  })
  return batched ?? (await keysOf(db, [query], null))[0] ?? []
}

const findInBatch = createBatcher((db, queries: CandidateQuery[]) => keysOf(db, queries, QUERY_LIMIT_MS))

/**
 * The keys for each query; undefined if it exceeds the time limit.
 * @param timeLimit of each query, ms. Null without one
 */
async function keysOf(db: Database, queries: CandidateQuery[], timeLimit: number | null) {
  const values = queries.map(valuesOf)
  const column = <K extends keyof (typeof values)[0]>(name: K) => values.map(value => value[name])
  const hasTime =
    timeLimit === null
      ? sql`true`
      : sql`clock_timestamp() < statement_timestamp() + ${BATCH_LIMIT_MS}::int * interval '1 millisecond'`
  // Keys as one text: arrays are slow to parse.
  const { rows } = await sql<{ keys: string | null }>`
    select case when ${hasTime} then (
      select case when bool_or(product_id is null) is not true then coalesce(
        string_agg(${toMicroseconds(sql`created_at`)} || '.' || product_id, ' ' order by created_at desc, product_id desc), ''
      ) end
      from search_newest(
        query::tsquery, max_rows, min, max, in_stock, rating, ${fromMicroseconds(sql`at`)}, id, ${timeLimit}
      )
    ) end as keys
    from unnest(
      ${column('tsquery')}::text[], ${column('limit')}::int[], ${column('min')}::int[], ${column('max')}::int[],
      ${column('in_stock')}::boolean[], ${column('rating')}::int[], ${column('at')}::bigint[], ${column('id')}::bigint[]
    ) with ordinality as batch (query, max_rows, min, max, in_stock, rating, at, id, number)
    order by batch.number
  `.execute(db)
  return rows.map(({ keys }) => (keys === '' ? [] : keys?.split(' ')))
}
