import { sql } from 'kysely'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import type { Database } from '#platform/database/database.ts'
import { CATEGORIES, type Category } from '#products/categories.ts'
import { candidatesOf } from './candidates.ts'
import { all, conditionsOf, scopeOf } from './catalogue.ts'
import type { Counted, Counts } from './contract.ts'
import { fewerWords } from './fewer-words.ts'
import { lexeme, type ParsedQuery, parseQuery } from './parse-query.ts'
import type { Filters } from './query.ts'

/**
 * Maximum number of rows counted, so that large shops are as fast as small ones. Categories are counted by index
 * alone; word matches are read.
 */
const MAX_COUNTED = { perCategory: 1_000, withWords: 250 }

/** Number of matching listings, and of each category as if none were chosen. */
export async function facets(db: Database, filters: Filters, loadFragment: LoadFragment): Promise<Counts> {
  if (filters.q === undefined) return countMatches(db, filters)
  const parsed = await parseQuery(db, filters.q, loadFragment)
  const all = await countMatches(db, filters, parsed)
  if (all.categories.some(({ count, more }) => count > 0 || more)) return all
  const reduced = await fewerWords(db, filters.q, parsed, loadFragment)
  return reduced ? countMatches(db, filters, reduced) : all
}

async function countMatches(
  db: Database,
  { category: chosen, ...filters }: Filters,
  parsed?: ParsedQuery,
): Promise<Counts> {
  const scope = await scopeOf(db, filters)
  const nothing = scope === undefined || parsed?.wide === null
  const tsquery = parsed?.wide && scope ? [`(${parsed.wide.anywhere})`, ...scope].join('&') : undefined
  const count = (tsquery: string) => countNewest(db, tsquery, filters)
  const found = nothing ? new Map() : await (tsquery ? count(tsquery) : countCategories(db, filters))
  const limit = tsquery ? MAX_COUNTED.withWords : MAX_COUNTED.perCategory
  const total = sumOf(found, limit)
  // The counted rows may include none of the category, though older ones exist.
  if (tsquery && total.more && chosen !== undefined)
    found.set(chosen, sumOf(await count(`${tsquery}&${lexeme(`in:${chosen}`)}`), limit))
  const none = { count: 0, more: tsquery !== undefined && total.more }
  const categories = CATEGORIES.map(category => ({ category, ...(found.get(category) ?? none) }))
  return { ...(chosen === undefined ? total : (found.get(chosen) ?? none)), categories }
}

function sumOf(found: Map<Category, Counted>, limit: number): Counted {
  const sum = [...found.values()].reduce((sum, { count }) => sum + count, 0)
  return { count: Math.min(sum, limit), more: sum >= limit }
}

/** Without words: each category by its index. */
async function countCategories(db: Database, filters: Filters): Promise<Map<Category, Counted>> {
  const one = (category: Category) => sql`
    select ${category}::text as category, count(*)::int as count from (
      select from catalogue as c where ${all(conditionsOf({ ...filters, category }))} limit ${MAX_COUNTED.perCategory}
    ) as counted`
  const each = sql<Row>`${sql.join(CATEGORIES.map(one), sql` union all `)}`
  const { rows } = await each.execute(db)
  return new Map(
    rows.map(({ category, count }) => [category, { count, more: count >= MAX_COUNTED.perCategory }]),
  )
}

/** With words: the categories of the newest matches. */
async function countNewest(db: Database, tsquery: string, filters: Filters): Promise<Map<Category, Counted>> {
  const { rows } = await sql<Row>`
    select c.category, count(*)::int as count
    from unnest(${candidatesOf({ tsquery, filters, limit: MAX_COUNTED.withWords })}) as found (id)
    join catalogue as c on c.product_id = found.id
    group by c.category
  `.execute(db)
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return new Map(
    rows.map(({ category, count }) => [category, { count, more: total >= MAX_COUNTED.withWords }]),
  )
}

interface Row {
  category: Category
  count: number
}
