import { type RawBuilder, sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import { toCents } from '#money'
import { Problem } from '#problem'
import type { Database } from '#server/database.ts'
import { CATEGORIES } from './categories.ts'
import type { Counts, Filters, FoundPage, ListingQuery } from './contract.ts'
import { COUNTED, type Sort } from './finding.ts'
import { listings, view } from './products.ts'
import { lexeme, type Meaning, understand } from './words.ts'

type Condition = RawBuilder<boolean>

/** An order of the catalogue: what it sorts by, and which rows come after one of which these values are known. */
interface Order {
  by: RawBuilder<unknown>
  /** Of a row, for a cursor: whole numbers. */
  key: RawBuilder<string[]>
  after: (key: string[]) => Condition
}

/** Microseconds since 1970: JavaScript's dates would lose them. */
const micros = sql`(extract(epoch from c.created_at) * 1000000)::bigint`

const newest: Order = {
  by: sql`c.created_at desc, c.product_id desc`,
  key: sql`array[${micros}, c.product_id]::text[]`,
  after: ([at, id]) =>
    sql`(c.created_at, c.product_id) < (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id}::bigint)`,
}

/** Among equals the newer stands first; the ids of one sequence tell which that is. */
const orders: Record<Exclude<Sort, 'relevance'>, Order> = {
  newest,
  price_asc: {
    by: sql`c.price_cents, c.product_id`,
    key: sql`array[c.price_cents, c.product_id]::text[]`,
    after: ([price, id]) => sql`(c.price_cents, c.product_id) > (${price}::bigint, ${id}::bigint)`,
  },
  price_desc: {
    by: sql`c.price_cents desc, c.product_id desc`,
    key: sql`array[c.price_cents, c.product_id]::text[]`,
    after: ([price, id]) => sql`(c.price_cents, c.product_id) < (${price}::bigint, ${id}::bigint)`,
  },
  rating: {
    by: sql`c.rating desc, c.reviews desc, c.product_id desc`,
    key: sql`array[c.rating, c.reviews, c.product_id]::text[]`,
    after: ([rating, reviews, id]) =>
      sql`(c.rating, c.reviews, c.product_id) < (${rating}::bigint, ${reviews}::bigint, ${id}::bigint)`,
  },
}

/**
 * Listings that the filters leave, at most `limit` (100 unless told), after `cursor`. With words the most relevant
 * first, otherwise the newest; or as `sort` says. What is listed or deleted meanwhile moves nothing else.
 * @throws Problem 400 for a cursor that this list did not give out
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, sort, ...filters }: ListingQuery,
): Promise<FoundPage> {
  const meaning = filters.q === undefined ? undefined : await understand(db, filters.q)
  const order: Sort = sort === undefined || sort === 'relevance' ? (meaning ? 'relevance' : 'newest') : sort
  const start = cursor === undefined ? undefined : startOf(cursor, order)
  const tiers = await tiersOf(db, meaning, order, filters)
  const { by, key, after } = order === 'relevance' ? newest : orders[order]
  const parts = tiers.flatMap((conditions, tier) => {
    if (start && tier < start.tier) return []
    const later = start && tier === start.tier ? [after(start.key)] : []
    const where = all([...conditionsOf(filters), ...conditions, ...later])
    // Each part in its order: the next is not begun while there is enough in those before.
    return sql`(select c.product_id, c.created_at, c.price_cents, c.rating, c.reviews, ${tier}::int as tier, ${key} as key
      from catalogue as c where ${where} order by ${by} limit ${limit + 1})`
  })
  if (parts.length === 0) return { products: [], next_cursor: null, ...readAs(meaning) }
  const found = sql<{ product_id: Id; tier: number; key: string[] }>`
    (select * from (${sql.join(parts, sql` union all `)}) as parts limit ${limit + 1})`
  const rows = await listings(db)
    .innerJoin(found.as('c'), 'c.product_id', 'p.id')
    .select(['c.tier', 'c.key'])
    .orderBy(sql`c.tier, ${by}`)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    products: page.map(({ tier: _, key: __, ...row }) => view(row)),
    next_cursor: rows.length > limit && last ? cursorOf(order, last.tier, last.key) : null,
    ...readAs(meaning),
  }
}

const readAs = (meaning: Meaning | undefined) =>
  meaning?.readAs === undefined ? {} : { read_as: meaning.readAs }

/**
 * The parts a list consists of, one after the other. By relevance: pieces named so, pieces of which it is said, then
 * those named or said to be something that begins or is spelled like it. In every other order it is one part.
 */
async function tiersOf(
  db: Database,
  meaning: Meaning | undefined,
  order: Sort,
  { category }: Filters,
): Promise<Condition[][]> {
  if (!meaning) return [[]]
  const { exact, wide } = meaning
  if (wide === null) return []
  const few = await hits(db, 'catalogue_hits', within(wide, category))
  if (few?.length === 0) return []
  const only = few ? [among(few)] : []
  const said = (query: string) => sql<boolean>`c.stems @@ ${within(query, category)}::tsquery`
  if (order !== 'relevance') return [few ? only : [said(wide)]]
  const named = async (query: string) => {
    const rare = few ? undefined : await hits(db, 'catalogue_named', query)
    return rare ? among(rare) : sql<boolean>`c.name_stems @@ ${query}::tsquery`
  }
  const [exactly, nearly] = await Promise.all([exact === null ? undefined : named(exact), named(wide)])
  const likely = exact === null || !exactly ? [] : [[exactly], [said(exact), not(exactly)]]
  const others = exact === null ? [] : [not(said(exact))]
  return [...likely, [nearly, ...others], [said(wide), not(nearly), ...others]].map(words => [
    ...only,
    ...words,
  ])
}

/** Below this many matches they are taken as they are; from it on some stand near the beginning of every order. */
const FEW = 2_000

/** The listings that match, where they are few; undefined where they are many. */
async function hits(
  db: Database,
  look: 'catalogue_hits' | 'catalogue_named',
  query: string,
): Promise<Id[] | undefined> {
  const { rows } = await sql<{ found: Id[] }>`
    select ${sql.ref(look)}(${query}::tsquery, ${FEW}) as found
  `.execute(db)
  const found = rows[0]?.found ?? []
  return found.length < FEW ? found.map(Number) : undefined
}

const among = (ids: Id[]): Condition => sql`c.product_id = any(${ids}::bigint[])`
/** The same, said of pieces of one category. */
const within = (query: string, category: string | undefined): string =>
  category === undefined ? query : `(${query})&${lexeme(`in:${category}`)}`
const not = (condition: Condition): Condition => sql`not (${condition})`
const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

function conditionsOf({ category, seller, min, max, in_stock, rating }: Filters): Condition[] {
  return [
    category !== undefined && sql<boolean>`c.category = ${category}`,
    seller !== undefined &&
      sql<boolean>`c.seller_id = (select id from users where lower(username) = lower(${seller}))`,
    min !== undefined && sql<boolean>`c.price_cents >= ${toCents(min)}::int`,
    max !== undefined && sql<boolean>`c.price_cents <= ${toCents(max)}::int`,
    in_stock && sql<boolean>`c.in_stock`,
    rating !== undefined && sql<boolean>`c.rating >= ${10 * rating}::int`,
  ].filter(condition => condition !== undefined && condition !== false)
}

/** `<order>.<tier>.<key>…` in base64url. */
const cursorOf = (order: Sort, tier: number, key: string[]): string =>
  Buffer.from([order, tier, ...key].join('.')).toString('base64url')

function startOf(cursor: string, order: Sort): { tier: number; key: string[] } {
  const [of, tier, ...key] = Buffer.from(cursor, 'base64url').toString().split('.')
  const length = order === 'rating' ? 3 : 2
  if (of !== order || key.length !== length || ![tier, ...key].every(part => /^\d{1,16}$/.test(part ?? '')))
    throw new Problem(400, 'Cursor is not one of ours')
  return { tier: Number(tier), key }
}

/**
 * How many listings the filters leave, and how many in each category if none were chosen. None is counted beyond
 * COUNTED, so that the largest shop answers as quickly as a small one.
 */
export async function counts(db: Database, { category: chosen, ...filters }: Filters): Promise<Counts> {
  const meaning = filters.q === undefined ? undefined : await understand(db, filters.q)
  const counted = meaning?.wide === null ? [] : await countEach(db, filters, meaning?.wide)
  const categories = CATEGORIES.map(category => ({
    category,
    count: counted.find(row => row.category === category)?.count ?? 0,
  }))
  const shown = categories.filter(({ category }) => chosen === undefined || chosen === category)
  return {
    total: Math.min(
      shown.reduce((sum, { count }) => sum + count, 0),
      COUNTED,
    ),
    categories,
  }
}

async function countEach(db: Database, filters: Filters, words: string | undefined) {
  const few = words === undefined ? undefined : await hits(db, 'catalogue_hits', words)
  const one = (category: string) => {
    const said = words && sql<boolean>`c.stems @@ ${within(words, category)}::tsquery`
    const where = all([...conditionsOf({ ...filters, category } as Filters), ...(said ? [said] : [])])
    return sql`select ${category}::text as category, count(*)::int as count
      from (select 1 from catalogue as c where ${where} limit ${COUNTED}) as counted`
  }
  const together = (ids: Id[]) => sql`
    select category, least(count(*), ${COUNTED})::int as count
    from catalogue as c where ${all([...conditionsOf(filters), among(ids)])} group by category`
  const query = few ? together(few) : sql.join(CATEGORIES.map(one), sql` union all `)
  const { rows } = await sql<{ category: string; count: number }>`${query}`.execute(db)
  return rows
}
