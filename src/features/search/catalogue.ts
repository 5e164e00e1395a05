import { type RawBuilder, sql } from 'kysely'
import { findByUsername, hasUsername } from '#accounts/find-user.ts'
import { type Id, LIST_LIMIT } from '#contract'
import { toCents } from '#money'
import { uncached } from '#platform/cache/request-cache.ts'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import type { Database } from '#platform/database/database.ts'
import type { Listing } from '#products/contract.ts'
import { listed, listings, view } from '#products/products.ts'
import { candidatesOf, findCandidates, idIn } from './candidates.ts'
import type { Sort } from './constants.ts'
import type { FoundPage } from './contract.ts'
import { fewer } from './fewer-words.ts'
import { cursorOf, orderOf, type Start, startOf } from './order-and-cursor.ts'
import { lexeme, type ParsedQuery, parseQuery, type SearchRequest } from './parse-query.ts'
import type { Filters, ListingQuery } from './query.ts'

type Condition = RawBuilder<boolean>

/**
 * Listings that match the filters, at most `limit` (default 100), after `cursor`. With words the most relevant
 * first, otherwise the newest; or by `sort`. Pages stay stable while listings are added or deleted.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, sort, ...filters }: ListingQuery,
  part: LoadFragment = uncached,
): Promise<FoundPage> {
  const meaning = filters.q === undefined ? undefined : await parseQuery(db, filters.q, part)
  const order: Sort = sort === undefined || sort === 'relevance' ? (meaning ? 'relevance' : 'newest') : sort
  const start = cursor === undefined ? undefined : startOf(cursor, order)
  const most = limit + 1
  const search = { filters, order, start, most, part }
  const { rows, read } = await (meaning
    ? withWords(db, meaning, search)
    : sorted(db, within(filters, order, start?.key, most), order).then(rows => ({ rows, read: undefined })))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    products: page.flatMap(({ listing }) => listing ?? []),
    next_cursor: rows.length > limit && last ? cursorOf(order, last.tier, last.key) : null,
    ...read,
  }
}

/** Listings with all words; if there are none, with as many words as possible. */
async function withWords(db: Database, meaning: ParsedQuery, search: Search) {
  const rows = await searched(db, meaning, search)
  // A correction is only reported if it found something.
  if (rows.length > 0) return { rows, read: meaning.readAs === undefined ? {} : { read_as: meaning.readAs } }
  const less = await fewer(db, search.filters.q ?? '', meaning, search.part)
  if (!less) return { rows, read: {} }
  const some = await searched(db, less, search)
  return { rows: some, read: some.length > 0 ? { read_as: less.readAs ?? '', fewer: true } : {} }
}

interface Search {
  filters: Filters
  order: Sort
  start: Start | undefined
  most: number
  part: LoadFragment
}

/** A listing with its cursor; undefined if it was deleted meanwhile. */
interface Row {
  listing: Listing | undefined
  tier: number
  key: string
}

/** These catalogue rows, in an order. */
async function sorted(db: Database, found: RawBuilder<{ product_id: Id }>, order: Sort): Promise<Row[]> {
  const { by, key } = orderOf(order)
  const rows = await listings(db)
    .innerJoin(found.as('found'), 'found.product_id', 'p.id')
    .innerJoin('catalogue as c', 'c.product_id', 'p.id')
    .select(key.as('key'))
    .orderBy(by)
    .execute()
  return rows.map(({ key, ...row }) => ({ listing: view(row), tier: 0, key }))
}

/** Listings by the index of an order, from the cursor on. */
function within(filters: Filters, order: Sort, after: string[] | undefined, most: number, words?: Condition) {
  const { by, after: later } = orderOf(order)
  const where = all([...conditionsOf(filters), ...(words ? [words] : []), ...(after ? [later(after)] : [])])
  const found = sql`select c.product_id from catalogue as c where ${where} order by ${by} limit ${most}`
  return sql<{ product_id: Id }>`(${found})`
}

/** Listings that match the words. */
async function searched(db: Database, { exact, wide }: ParsedQuery, search: Search) {
  const among = await amongOf(db, search.filters)
  if (wide === null || among === undefined) return []
  const asked = (words: string) => [`(${words})`, ...among].join('&')
  if (search.order === 'relevance') return inTurn(db, tiersOf(exact, wide).map(asked), search)
  if (search.order === 'newest') return inTurn(db, [asked(wide.said)], search)
  return otherwiseSorted(db, asked(wide.said), search)
}

/** Reads tier by tier until the page is full, newest first in each. */
async function inTurn(db: Database, tiers: string[], { filters, start, most, part }: Search): Promise<Row[]> {
  const found: Omit<Row, 'listing'>[] = []
  for (const [tier, asked] of tiers.entries()) {
    if (found.length >= most) break
    if (start && tier < start.tier) continue
    const after = tier === start?.tier ? start.key : undefined
    const keys = await findCandidates(db, { asked, filters, after, most: most - found.length })
    found.push(...keys.map(key => ({ key, tier })))
  }
  const listings = await Promise.all(found.map(({ key }) => listed(db, idIn(key), part)))
  return found.map(({ key, tier }, place) => ({ listing: listings[place], tier, key }))
}

/** Few matches are sorted; with many, the order's index soon finds enough. */
async function otherwiseSorted(db: Database, asked: string, { filters, order, start, most }: Search) {
  const few = sql<{ ids: Id[] }>`select ${candidatesOf({ asked, filters: {}, most: FEW })} as ids`
  const ids = (await few.execute(db)).rows[0]?.ids ?? []
  const words: Condition =
    ids.length < FEW ? sql`c.product_id = any(${ids}::bigint[])` : sql`c.stems @@ ${asked}::tsquery`
  return sorted(db, within(filters, order, start?.key, most, words), order)
}

/** From this many matches, the order's index is faster than sorting. */
const FEW = 2_000

/** Tiers of relevance: words in the name, in the description, then prefixes and synonyms. */
function tiersOf(exact: SearchRequest | null, wide: SearchRequest): string[] {
  const not = (words: string) => `!(${words})`
  const likely = exact === null ? [] : [exact.named, `${exact.said}&${not(exact.named)}`]
  if (exact?.said === wide.said) return likely
  const others = exact === null ? '' : `&${not(exact.said)}`
  return [...likely, `${wide.named}${others}`, `${wide.said}&${not(wide.named)}${others}`]
}

/** Lexemes of a category and a seller; undefined for an unknown seller. */
export async function amongOf(db: Database, { category, seller }: Filters): Promise<string[] | undefined> {
  const marks = category === undefined ? [] : [lexeme(`in:${category}`)]
  if (seller === undefined) return marks
  const sellerId = await findByUsername(db, seller)
  return sellerId === undefined ? undefined : [...marks, lexeme(`by:${sellerId}`)]
}

export const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

export function conditionsOf({ category, seller, min, max, in_stock, rating }: Filters): Condition[] {
  return [
    category !== undefined && sql<boolean>`c.category = ${category}`,
    seller !== undefined && sql<boolean>`c.seller_id = (select id from users where ${hasUsername(seller)})`,
    min !== undefined && sql<boolean>`c.price_cents >= ${toCents(min)}::int`,
    max !== undefined && sql<boolean>`c.price_cents <= ${toCents(max)}::int`,
    in_stock && sql<boolean>`c.in_stock`,
    rating !== undefined && sql<boolean>`c.rating >= ${10 * rating}::int`,
  ].filter(condition => condition !== undefined && condition !== false)
}
