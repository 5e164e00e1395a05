/** What narrows a list. */
export const FILTERS = ['q', 'category', 'min', 'max', 'in_stock', 'rating'] as const
export const PARAMETERS = [...FILTERS, 'sort', 'cursor'] as const
/** Parameters of an address as they stand in it: the same as those of the API. */
export type Query = { [name in (typeof PARAMETERS)[number]]?: string }

/** An address with these parameters, without those that are undefined. */
export function addressOf(pathname: string, query: Query): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return pairs.length === 0 ? pathname : `${pathname}?${new URLSearchParams(pairs)}`
}
