import { type RawBuilder, sql } from 'kysely'
import { findByUsername, userNamed } from '#accounts/find-user.ts'
import { type Id, LIST_LIMIT } from '#contract'
import { toCents } from '#money'
import { uncached } from '#platform/cache/request-cache.ts'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { planEachTime } from '#platform/database/observed-client.ts'
import type { Listing } from '#products/contract.ts'
import { listed } from '#products/listed.ts'
import { listings, view } from '#products/products.ts'
import { candidatesOf, findCandidates, idOfKey } from './candidates.ts'
import type { Sort } from './constants.ts'
import type { FoundPage } from './contract.ts'
import { fewerWords } from './fewer-words.ts'
import { orderOf, type Start, startOf } from './order-and-cursor.ts'
import { lexeme, type ParsedQuery, parseQuery, type Tsqueries } from './parse-query.ts'
import type { Filters, ListingQuery } from './query.ts'

type Condition = RawBuilder<boolean>

// The best index depends on the filters. A search by words (`search_newest`) always uses the same one.
planEachTime('catalogue')

/**
 * Listings that match the filters, at most `limit` (default 100), after `cursor`. With words the most relevant
 * first, otherwise the newest; or by `sort`. Pages stay stable while listings are added or deleted.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, sort, ...filters }: ListingQuery,
  loadFragment: LoadFragment = uncached,
): Promise<FoundPage> {
  const parsed = filters.q === undefined ? undefined : await parseQuery(db, filters.q, loadFragment)
  const order: Sort = sort === undefined || sort === 'relevance' ? (parsed ? 'relevance' : 'newest') : sort
  const start = cursor === undefined ? undefined : startOf(cursor, order)
  const maxRows = limit + 1
  const search = { filters, order, start, maxRows, loadFragment }
  const { rows, note } = await (parsed
    ? listWithWords(db, parsed, search)
    : loadSorted(db, byIndex(filters, order, start?.key, maxRows), order).then(rows => ({
        rows,
        note: undefined,
      })))
  const { page, next_cursor } = pageOf(rows, limit, last => [order, last.tier, last.key])
  return {
    products: page.flatMap(({ listing }) => listing ?? []),
    next_cursor,
    ...note,
  }
}

/** Listings with all words; if there are none, with as many words as possible. */
async function listWithWords(db: Database, parsed: ParsedQuery, search: Search) {
  const rows = await searchWords(db, parsed, search)
  // A correction is only reported if it found something.
  if (rows.length > 0) return { rows, note: parsed.readAs === undefined ? {} : { read_as: parsed.readAs } }
  const reduced = await fewerWords(db, search.filters.q ?? '', parsed, search.loadFragment)
  if (!reduced) return { rows, note: {} }
  const some = await searchWords(db, reduced, search)
  return { rows: some, note: some.length > 0 ? { read_as: reduced.readAs ?? '', fewer: true } : {} }
}

interface Search {
  filters: Filters
  order: Sort
  start: Start | undefined
  maxRows: number
  loadFragment: LoadFragment
}

/** A listing with its cursor; undefined if it was deleted meanwhile. */
interface Row {
  listing: Listing | undefined
  tier: number
  key: string
}

/** These catalogue rows, in an order. */
async function loadSorted(db: Database, found: RawBuilder<{ product_id: Id }>, order: Sort): Promise<Row[]> {
  const { by, key } = orderOf(order)
  const rows = await listings(db)
    .innerJoin(found.as('found'), 'found.product_id', 'p.id')
    .innerJoin('catalogue as c', 'c.product_id', 'p.id')
    .select(key.as('key'))
    .orderBy(by)
    .execute()
  return rows.map(({ key, ...row }) => ({ listing: view(row), tier: 0, key }))
}

/** Listings by the index of an order, after the cursor. */
function byIndex(
  filters: Filters,
  order: Sort,
  after: string[] | undefined,
  maxRows: number,
  words?: Condition,
) {
  const { by, after: later } = orderOf(order)
  const where = all([...conditionsOf(filters), ...(words ? [words] : []), ...(after ? [later(after)] : [])])
  const found = sql`select c.product_id from catalogue as c where ${where} order by ${by} limit ${maxRows}`
  return sql<{ product_id: Id }>`(${found})`
}

/** Listings that match the words. */
async function searchWords(db: Database, { exact, wide }: ParsedQuery, search: Search) {
  const scope = await scopeOf(db, search.filters)
  if (wide === null || scope === undefined) return []
  const tsqueryOf = (words: string) => [`(${words})`, ...scope].join('&')
  if (search.order === 'relevance') return readTiers(db, tiersOf(exact, wide).map(tsqueryOf), search)
  if (search.order === 'newest') return readTiers(db, [tsqueryOf(wide.anywhere)], search)
  return searchSorted(db, tsqueryOf(wide.anywhere), search)
}

/** Reads tier by tier until the page is full, newest first in each. */
async function readTiers(
  db: Database,
  tiers: string[],
  { filters, start, maxRows, loadFragment }: Search,
): Promise<Row[]> {
  const found: Omit<Row, 'listing'>[] = []
  for (const [tier, tsquery] of tiers.entries()) {
    if (found.length >= maxRows) break
    if (start && tier < start.tier) continue
    const after = tier === start?.tier ? start.key : undefined
    const keys = await findCandidates(db, { tsquery, filters, after, limit: maxRows - found.length })
    found.push(...keys.map(key => ({ key, tier })))
  }
  const listings = await Promise.all(found.map(({ key }) => listed(db, idOfKey(key), loadFragment)))
  return found.map(({ key, tier }, index) => ({ listing: listings[index], tier, key }))
}

/** Few matches are sorted; with many, the order's index soon finds enough. */
async function searchSorted(db: Database, tsquery: string, { filters, order, start, maxRows }: Search) {
  const few = sql<{ ids: Id[] }>`select ${candidatesOf({ tsquery, filters: {}, limit: FEW_MATCHES })} as ids`
  const ids = (await few.execute(db)).rows[0]?.ids ?? []
  const words: Condition =
    ids.length < FEW_MATCHES ? sql`c.product_id = any(${ids}::bigint[])` : sql`c.stems @@ ${tsquery}::tsquery`
  return loadSorted(db, byIndex(filters, order, start?.key, maxRows, words), order)
}

/** From this many matches, the order's index is faster than sorting. */
const FEW_MATCHES = 2_000

/** Tiers of relevance: words in the name, in the description, then prefixes and synonyms. */
function tiersOf(exact: Tsqueries | null, wide: Tsqueries): string[] {
  const not = (words: string) => `!(${words})`
  const likely = exact === null ? [] : [exact.inName, `${exact.anywhere}&${not(exact.inName)}`]
  if (exact?.anywhere === wide.anywhere) return likely
  const others = exact === null ? '' : `&${not(exact.anywhere)}`
  return [...likely, `${wide.inName}${others}`, `${wide.anywhere}&${not(wide.inName)}${others}`]
}

/** Lexemes of a category, a section and a seller; undefined for an unknown seller. */
export async function scopeOf(
  db: Database,
  { category, section, seller }: Filters,
): Promise<string[] | undefined> {
  const marks = [
    ...(category === undefined ? [] : [lexeme(`in:${category}`)]),
    ...(section === undefined ? [] : [inSection(section)]),
  ]
  if (seller === undefined) return marks
  const sellerId = await findByUsername(db, seller)
  return sellerId === undefined ? undefined : [...marks, lexeme(`by:${sellerId}`)]
}

/** The marker word of listings in a section. */
const inSection = (section: Id) => lexeme(`section:${section}`)

/** Conditions joined with `and`. True without any. */
export const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

/** SQL conditions on `catalogue as c`, one for each given filter. */
export function conditionsOf({
  category,
  section,
  seller,
  min,
  max,
  in_stock,
  rating,
}: Filters): Condition[] {
  return [
    category !== undefined && sql<boolean>`c.category = ${category}`,
    section !== undefined && sql<boolean>`c.stems @@ ${inSection(section)}::tsquery`,
    seller !== undefined && sql<boolean>`c.seller_id = (select ${userNamed(seller)})`,
    min !== undefined && sql<boolean>`c.price_cents >= ${toCents(min)}::int`,
    max !== undefined && sql<boolean>`c.price_cents <= ${toCents(max)}::int`,
    in_stock && sql<boolean>`c.in_stock`,
    // Who has a rating has a weighted one: its index bounds what is read.
    rating !== undefined &&
      sql<boolean>`c.rating >= ${10 * rating}::int and weighted_rating(c.rating, c.reviews) > 0`,
  ].filter(condition => condition !== undefined && condition !== false)
}
