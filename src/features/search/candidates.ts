import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { toCents } from '#money'
import { createBatcher } from '#platform/database/batch.ts'
import { fromMicroseconds, toMicroseconds } from '#platform/database/cursor.ts'
import { type Database, isTooSlow } from '#platform/database/database.ts'
import type { Filters } from './query.ts'

/** A query for the newest listings. */
export interface Wanted {
  /** A tsquery on the stems of the catalogue. */
  asked: string
  filters: Filters
  /** Key of the last row of the page before: microseconds since 1970 when it was listed, and its id. */
  after?: string[] | undefined
  most: number
}

/** SQL fragment: ids by `search_newest`. */
export function candidatesOf(wanted: Wanted): RawBuilder<Id[]> {
  const { asked, most, min, max, in_stock, rating, at, id } = valuesOf(wanted)
  return sql`array(
    select product_id from search_newest(
      ${asked}::tsquery, ${most}, ${min}, ${max}, ${in_stock}, ${rating}, ${fromMicroseconds(at)}, ${id}
    ) order by created_at desc, product_id desc
  )`
}

const valuesOf = ({ asked, filters: { min, max, in_stock, rating }, after = [], most }: Wanted) => ({
  asked,
  most,
  min: min === undefined ? null : toCents(min),
  max: max === undefined ? null : toCents(max),
  in_stock: in_stock ?? false,
  rating: rating === undefined ? null : 10 * rating,
  at: after[0] ?? null,
  id: after[1] ?? null,
})

/** Time limit in a batch, ms: a search that has to look further back leaves it and runs alone. */
const PATIENCE_MS = 5
/** A search that the batch has not reached after so many ms leaves it. */
const TOGETHER_MS = 50
/** Maximum number of concurrent batches. Searches that arrive meanwhile share the next one. */
const AT_ONCE = 2

/** The id in a key. */
export const idIn = (key: string): Id => Number(key.slice(key.indexOf('.') + 1))

/**
 * Keys of the newest matches, newest first: microseconds since 1970, a point, and the id. Concurrent searches share
 * one statement (a batch); a slow one leaves the batch and runs alone.
 */
export async function findCandidates(db: Database, wanted: Wanted): Promise<string[]> {
  const together = await findTogether(db, wanted).catch(error => {
    if (isTooSlow(error)) return undefined
    throw error
  })
  return together ?? (await keysOf(db, [wanted], null))[0] ?? []
}

const findTogether = createBatcher((db, all: Wanted[]) => keysOf(db, all, PATIENCE_MS), AT_ONCE)

/**
 * The keys for each query; undefined if it exceeds the time limit.
 * @param patience time limit of each query, ms; null: none
 */
async function keysOf(db: Database, all: Wanted[], patience: number | null) {
  const values = all.map(valuesOf)
  const column = <K extends keyof (typeof values)[0]>(name: K) => values.map(each => each[name])
  const hasTime =
    patience === null
      ? sql`true`
      : sql`clock_timestamp() < statement_timestamp() + ${TOGETHER_MS}::int * interval '1 millisecond'`
  // Keys as one text: arrays are slow to parse.
  const { rows } = await sql<{ keys: string | null }>`
    select case when ${hasTime} then (
      select case when bool_or(product_id is null) is not true then coalesce(
        string_agg(${toMicroseconds(sql`created_at`)} || '.' || product_id, ' ' order by created_at desc, product_id desc), ''
      ) end
      from search_newest(
        asked::tsquery, most, min, max, in_stock, rating, ${fromMicroseconds(sql`at`)}, id, ${patience}
      )
    ) end as keys
    from unnest(
      ${column('asked')}::text[], ${column('most')}::int[], ${column('min')}::int[], ${column('max')}::int[],
      ${column('in_stock')}::boolean[], ${column('rating')}::int[], ${column('at')}::bigint[], ${column('id')}::bigint[]
    ) with ordinality as wanted (asked, most, min, max, in_stock, rating, at, id, place)
    order by wanted.place
  `.execute(db)
  return rows.map(({ keys }) => (keys === '' ? [] : keys?.split(' ')))
}
