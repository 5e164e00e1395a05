/** The part of an address that says which page of a list it shows: '?cursor=…&before=…', or nothing on the first. */
export function pageCursorIn(search: string): string {
  const query = [...new URLSearchParams(search)].filter(([name]) => name === 'cursor' || name === 'before')
  return query.length > 0 ? `?${new URLSearchParams(query)}` : ''
}
