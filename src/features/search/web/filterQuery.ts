/** Filters of a list. */
export const FILTERS = ['q', 'section', 'category', 'min', 'max', 'in_stock', 'rating'] as const
export const PARAMETERS = [...FILTERS, 'sort', 'cursor'] as const
/** Query parameters of an address, as in the API. */
export type Query = { [name in (typeof PARAMETERS)[number]]?: string }

/** An address with these parameters; undefined ones are left out. */
export function urlWith(pathname: string, query: Query): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return pairs.length === 0 ? pathname : `${pathname}?${new URLSearchParams(pairs)}`
}
