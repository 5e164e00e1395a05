import { sql } from 'kysely'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import type { Database } from '#platform/database/database.ts'
import { CATEGORIES, type Category } from '#products/categories.ts'
import { candidatesOf } from './candidates.ts'
import { all, amongOf, conditionsOf } from './catalogue.ts'
import type { Counted, Counts } from './contract.ts'
import { fewer } from './fewer-words.ts'
import { lexeme, type ParsedQuery, parseQuery } from './parse-query.ts'
import type { Filters } from './query.ts'

/**
 * Maximum number of rows counted, so that large shops are as fast as small ones. Categories are counted by index
 * alone; word matches are read.
 */
const LOOKED_AT = { inEachCategory: 1_000, withWords: 250 }

/** Number of matching listings, and of each category as if none were chosen. */
export async function facets(db: Database, filters: Filters, part: LoadFragment): Promise<Counts> {
  if (filters.q === undefined) return counted(db, filters)
  const meaning = await parseQuery(db, filters.q, part)
  const all = await counted(db, filters, meaning)
  if (all.categories.some(({ count, more }) => count > 0 || more)) return all
  const less = await fewer(db, filters.q, meaning, part)
  return less ? counted(db, filters, less) : all
}

async function counted(
  db: Database,
  { category: chosen, ...filters }: Filters,
  meaning?: ParsedQuery,
): Promise<Counts> {
  const among = await amongOf(db, filters)
  const nothing = among === undefined || meaning?.wide === null
  const words = meaning?.wide && among ? [`(${meaning.wide.said})`, ...among].join('&') : undefined
  const find = (words: string) => ofNewest(db, words, filters)
  const found = nothing ? new Map() : await (words ? find(words) : ofEach(db, filters))
  const most = words ? LOOKED_AT.withWords : LOOKED_AT.inEachCategory
  const looked = sumOf(found, most)
  // The counted rows may include none of the category, though older ones exist.
  if (words && looked.more && chosen !== undefined)
    found.set(chosen, sumOf(await find(`${words}&${lexeme(`in:${chosen}`)}`), most))
  const none = { count: 0, more: words !== undefined && looked.more }
  const categories = CATEGORIES.map(category => ({ category, ...(found.get(category) ?? none) }))
  return { ...(chosen === undefined ? looked : (found.get(chosen) ?? none)), categories }
}

function sumOf(found: Map<Category, Counted>, most: number): Counted {
  const sum = [...found.values()].reduce((sum, { count }) => sum + count, 0)
  return { count: Math.min(sum, most), more: sum >= most }
}

/** Without words: each category by its index. */
async function ofEach(db: Database, filters: Filters): Promise<Map<Category, Counted>> {
  const one = (category: Category) => sql`
    select ${category}::text as category, count(*)::int as count from (
      select from catalogue as c where ${all(conditionsOf({ ...filters, category }))} limit ${LOOKED_AT.inEachCategory}
    ) as counted`
  const each = sql<Row>`${sql.join(CATEGORIES.map(one), sql` union all `)}`
  const { rows } = await each.execute(db)
  return new Map(
    rows.map(({ category, count }) => [category, { count, more: count >= LOOKED_AT.inEachCategory }]),
  )
}

/** With words: the categories of the newest matches. */
async function ofNewest(db: Database, words: string, filters: Filters): Promise<Map<Category, Counted>> {
  const { rows } = await sql<Row>`
    select c.category, count(*)::int as count
    from unnest(${candidatesOf({ asked: words, filters, most: LOOKED_AT.withWords })}) as found (id)
    join catalogue as c on c.product_id = found.id
    group by c.category
  `.execute(db)
  const looked = rows.reduce((sum, { count }) => sum + count, 0)
  return new Map(
    rows.map(({ category, count }) => [category, { count, more: looked >= LOOKED_AT.withWords }]),
  )
}

interface Row {
  category: Category
  count: number
}
