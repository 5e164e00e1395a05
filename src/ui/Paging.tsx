import { Link, useLocation } from 'react-router'
import { PAGE_SIZE } from './page-size.ts'

/** Maximum number of earlier cursors in an address. */
const MAX_BEFORE = 50

/**
 * Links to the next and previous page of a list. Cursors lead only forward, so the address has those of earlier
 * pages.
 * @param hash anchor of the list: '#results'
 * @param without parameters to drop on another page
 * @param isFirst this is the first page, although the address names another one, which has nothing left
 */
export function Paging({
  next,
  hash = '',
  without = [],
  isFirst = false,
}: {
  next: string | null
  hash?: string
  without?: string[]
  isFirst?: boolean
}) {
  const { pathname, search } = useLocation()
  const parameters = new URLSearchParams(search)
  const [at, before] = isFirst ? [null, []] : [parameters.get('cursor'), parameters.getAll('before')]
  const to = (cursor: string | null | undefined, trail: string[]) => {
    const query = new URLSearchParams(search)
    for (const name of ['cursor', 'before', 'done', ...without]) query.delete(name)
    if (cursor) query.set('cursor', cursor)
    for (const each of trail) query.append('before', each)
    return (query.size > 0 ? `?${query}` : pathname) + hash
  }
  if (at === null && next === null) return null
  return (
    <p className="more">
      {at !== null && (
        <Link
          key={`before ${at}`}
          className="button quiet"
          to={to(before.at(-1), before.slice(0, -1))}
          rel="prev"
          viewTransition
        >
          Previous
        </Link>
      )}
      {at !== null && (
        <span>{`Page ${before.length + 2}${before.length < MAX_BEFORE ? '' : ' or later'}`}</span>
      )}
      {next !== null && (
        <Link
          key={next}
          className="button quiet"
          to={to(next, at === null ? [] : [...before, at].slice(-MAX_BEFORE))}
          rel="next"
          viewTransition
        >
          {`Next ${PAGE_SIZE}`}
        </Link>
      )}
    </p>
  )
}
