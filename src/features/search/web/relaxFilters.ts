import type { Ask } from '#ui/api-client.ts'
import { type Query, urlWith } from './filterQuery.ts'

/** A relaxed filter: its address and number of matches, or a lower bound with `more`. */
export interface RelaxedFilter {
  without: 'words' | 'category' | 'section' | 'price' | 'stock' | 'rating' | 'filters'
  address: string
  count: number
  more: boolean
}

type Filter = Exclude<keyof Query, 'sort' | 'cursor'>

const PARTS: Record<RelaxedFilter['without'], Filter[]> = {
  words: ['q'],
  category: ['category'],
  section: ['section'],
  price: ['min', 'max'],
  stock: ['in_stock'],
  rating: ['rating'],
  filters: ['category', 'section', 'min', 'max', 'in_stock', 'rating'],
}

/** Each filter without which there are matches; if no single one helps, all filters but the words. */
export async function relaxFilters(
  ask: Ask,
  pathname: string,
  query: Query,
  fixed: object,
): Promise<RelaxedFilter[]> {
  const { cursor: _, ...rest } = query
  const parts = Object.entries(PARTS) as [RelaxedFilter['without'], Filter[]][]
  const tried = parts.map(async ([without, names]) => {
    if (!names.some(name => rest[name] !== undefined)) return []
    const left = Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name as never)))
    const { sort: _, ...filters } = { ...left, ...fixed } as Query
    const { count, more } = await ask('GET /api/products/counts', { query: filters })
    return count === 0 ? [] : [{ without, address: urlWith(pathname, left), count, more }]
  })
  const all = (await Promise.all(tried)).flat()
  const one = all.filter(({ without }) => without !== 'filters')
  return one.length > 0 || rest.q === undefined ? one : all
}
