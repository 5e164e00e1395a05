import { sql } from 'kysely'
import { list } from '../src/features/search/catalogue.ts'
import type { Database } from '../src/platform/database/database.ts'
import type { Query } from './queries.ts'

const FIRST = 10

interface ListingWords {
  id: number
  words: string[]
}

const plain = (text: string) =>
  (text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) as string[]

/** Every listing with all its words. */
async function everything(db: Database): Promise<ListingWords[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .select(['p.id', sql<string>`searched_text(p, u)`.as('text')])
    .where('p.deleted_at', 'is', null)
    .execute()
  return rows.map(({ id, text }) => ({ id, words: plain(text.replaceAll('_', ' ')) }))
}

function expectedIds(all: ListingWords[], expected: string): Set<number> {
  const terms = expected.split(' ').map(any => any.split('|'))
  const matches = ({ words }: ListingWords) =>
    terms.every(any => any.some(start => words.some(word => word.startsWith(start))))
  return new Set(all.filter(matches).map(({ id }) => id))
}

interface Found {
  query: Query
  /** Number of expected listings, and of those among the first ten. */
  expected: number
  found: number
  /** Recall: their ratio, within what ten can hold. */
  recall: number
}

/**
 * Runs each query. Expected listings are found by a scan over all words.
 * @throws Error for a query without expected listings
 */
export async function measure(db: Database, queries: Query[]): Promise<{ found: Found[]; mean: number }> {
  const all = await everything(db)
  const found: Found[] = []
  for (const query of queries) {
    const [, typed, expected] = query
    const ids = expectedIds(all, expected)
    if (ids.size === 0) throw new Error(`No listing has ${expected}: the query would measure nothing`)
    const { products } = await list(db, { q: typed, limit: FIRST })
    const right = products.filter(({ id }) => ids.has(id)).length
    found.push({ query, expected: ids.size, found: right, recall: right / Math.min(FIRST, ids.size) })
  }
  return { found, mean: found.reduce((sum, { recall }) => sum + recall, 0) / found.length }
}
