import { Link, useLoaderData } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { brand } from '#brand'
import { ListingCard } from './ListingCard.tsx'
import type { loader } from './landing.ts'
import './landing.css'

export function Page() {
  const { products, next_cursor } = useLoaderData<typeof loader>()
  const user = useUser()
  return (
    <>
      <section className="hero">
        <h1>Welcome to {brand.name}</h1>
        <p className="tagline">{brand.tagline}</p>
        {user && (
          <Link className="button" to="/products/new">
            + Add a product listing
          </Link>
        )}
      </section>
      <section aria-labelledby="newest">
        <h2 id="newest" className="grid-title">
          Fresh from the workbench
        </h2>
        {products.length === 0 ? (
          <p className="empty">Nothing is for sale yet.</p>
        ) : (
          <ul className="grid">
            {products.map((listing, position) => (
              <ListingCard key={listing.id} listing={listing} eager={position < 4} />
            ))}
          </ul>
        )}
        {next_cursor && (
          <p className="more">
            <Link className="button quiet" to={`/?cursor=${next_cursor}`}>
              More listings
            </Link>
          </p>
        )}
      </section>
    </>
  )
}
