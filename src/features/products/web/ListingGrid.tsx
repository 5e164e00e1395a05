import { Suspense } from 'react'
import { ssrLazy } from '#ui/lazy.ts'
import type { CardListing } from './card-listing.ts'
import { ListingCard } from './ListingCard.tsx'

const loadPaging = () => import('#ui/Paging.tsx').then(file => file.Paging)
const Paging = ssrLazy(loadPaging, import.meta.env.SSR ? await loadPaging() : undefined)

/**
 * A page of listings with links to the next and previous one. Each card has a Suspense boundary, so that React
 * hydrates a pressed card first.
 */
export function ListingGrid({
  products,
  next_cursor,
  eager = true,
}: {
  products: CardListing[]
  next_cursor: string | null
  /** Whether the first pictures load at once. */
  eager?: boolean | undefined
}) {
  return (
    <>
      <ul className="grid">
        {products.map((listing, position) => (
          <Suspense key={listing.id}>
            <ListingCard listing={listing} eager={eager && position < 2} />
          </Suspense>
        ))}
      </ul>
      <Suspense>
        <Paging next={next_cursor} />
      </Suspense>
    </>
  )
}
