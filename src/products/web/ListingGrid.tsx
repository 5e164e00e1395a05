import { Link, useLocation } from 'react-router'
import type { ListingPage } from '../contract.ts'
import { ListingCard } from './ListingCard.tsx'

/** A page of listings, and the way to the next; from a later one, the way back to the first. */
export function ListingGrid({ products, next_cursor }: ListingPage) {
  const { pathname, search } = useLocation()
  const from = (cursor: string | null) => {
    const query = new URLSearchParams(search)
    query.delete('cursor')
    if (cursor !== null) query.set('cursor', cursor)
    return query.size === 0 ? pathname : `?${query}`
  }
  return (
    <>
      <ul className="grid">
        {products.map((listing, position) => (
          <ListingCard key={listing.id} listing={listing} eager={position < 2} first={position === 0} />
        ))}
      </ul>
      <p className="more">
        {new URLSearchParams(search).has('cursor') && (
          <Link className="button quiet" to={from(null)} viewTransition>
            Back to the beginning
          </Link>
        )}
        {next_cursor && (
          <Link className="button quiet" to={from(next_cursor)} rel="next" viewTransition>
            More listings
          </Link>
        )}
      </p>
    </>
  )
}
