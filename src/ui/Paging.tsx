import { Link, useLocation } from 'react-router'

/** Cursors of earlier pages that an address carries at most. */
const MOST_BEFORE = 50

/**
 * The links from a page of a list to the next and to the previous one. Cursors lead forward only: the address carries
 * those of the pages before it.
 * @param hash where on the page the list is: '#results'
 * @param without parameters of the address that are not kept on another page of the list
 */
export function Paging({
  next,
  hash = '',
  without = [],
}: {
  next: string | null
  hash?: string
  without?: string[]
}) {
  const { pathname, search } = useLocation()
  const asked = new URLSearchParams(search)
  const [at, before] = [asked.get('cursor'), asked.getAll('before')]
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
        <span>{`Page ${before.length + 2}${before.length < MOST_BEFORE ? '' : ' or later'}`}</span>
      )}
      {next !== null && (
        <Link
          key={next}
          className="button quiet"
          to={to(next, at === null ? [] : [...before, at].slice(-MOST_BEFORE))}
          rel="next"
          viewTransition
        >
          Next 24
        </Link>
      )}
    </p>
  )
}
