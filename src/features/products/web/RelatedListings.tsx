import { Suspense } from 'react'
import { optionalLazy } from '#ui/lazy.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { Listing } from '../contract.ts'
import type { CardListing } from './card-listing.ts'
import { ListingCard } from './ListingCard.tsx'

const RecentlyViewed = optionalLazy(() => import('./RecentlyViewed.tsx').then(file => file.RecentlyViewed))

/** Similar listings, and those viewed before, which only the browser knows. */
export function RelatedListings({ listing, similar }: { listing: Listing; similar: CardListing[] }) {
  const scripted = useHydrated()
  return (
    <>
      {similar.length > 0 && (
        <section className="further-pieces" aria-labelledby="similar">
          <h2 id="similar">More like this</h2>
          <ul className="grid">
            {similar.map(each => (
              <ListingCard key={each.id} listing={each} eager={false} />
            ))}
          </ul>
        </section>
      )}
      {scripted && (
        <Suspense>
          <RecentlyViewed id={listing.id} />
        </Suspense>
      )}
    </>
  )
}
