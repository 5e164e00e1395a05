/** The query of a page of a list: '?cursor=…&before=…', empty on the first. */
export function pageCursorIn(search: string): string {
  const query = [...new URLSearchParams(search)].filter(([name]) => name === 'cursor' || name === 'before')
  return query.length > 0 ? `?${new URLSearchParams(query)}` : ''
}
