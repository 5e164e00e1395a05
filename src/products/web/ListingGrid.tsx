import { Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import type { ListingPage } from '../contract.ts'
import { ListingCard } from './ListingCard.tsx'

/**
 * A page of listings, and the way to the next; from a later one, the way back to the first. Nothing in it is waited for:
 * React takes each card over by itself, so that whoever presses one before it has come to all waits for that one alone.
 */
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
          <Suspense key={listing.id}>
            <ListingCard listing={listing} eager={position < 2} first={position === 0} />
          </Suspense>
        ))}
      </ul>
      <p className="more">
        {new URLSearchParams(search).has('cursor') && (
          <Link className="button quiet" to={from(null)} viewTransition>
            Back to the beginning
          </Link>
        )}
        {next_cursor && (
          <Link key={next_cursor} className="button quiet" to={from(next_cursor)} rel="next" viewTransition>
            More listings
          </Link>
        )}
      </p>
    </>
  )
}
