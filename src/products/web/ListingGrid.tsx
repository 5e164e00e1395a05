import { Link } from 'react-router'
import { Empty } from '#web/Empty.tsx'
import type { ListingPage } from '../contract.ts'
import { ListingCard } from './ListingCard.tsx'

/** A page of listings, and the way to the next. */
export function ListingGrid({ products, next_cursor }: ListingPage) {
  return (
    <>
      {products.length === 0 ? (
        <Empty drawing="stall" text="Nothing is for sale here yet.">
          <Link className="button quiet" to="/products/new">
            Add the first listing
          </Link>
        </Empty>
      ) : (
        <ul className="grid">
          {products.map((listing, position) => (
            <ListingCard key={listing.id} listing={listing} eager={position < 4} />
          ))}
        </ul>
      )}
      {next_cursor && (
        <p className="more">
          <Link className="button quiet" to={`?cursor=${next_cursor}`} viewTransition>
            More listings
          </Link>
        </p>
      )}
    </>
  )
}
