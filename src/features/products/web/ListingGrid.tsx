import { Suspense } from 'react'
import { later } from '#ui/lazy.ts'
import type { ListingPage } from '../contract.ts'
import { ListingCard } from './ListingCard.tsx'

const loadPaging = async () => (await import('#ui/Paging.tsx')).Paging
const Paging = later(loadPaging, import.meta.env.SSR ? await loadPaging() : undefined)

/**
 * A page of listings, and the ways to the next and the previous one. Nothing in it is waited for:
 * React takes each card over by itself, so that whoever presses one before it has come to all waits for that one alone.
 */
export function ListingGrid({ products, next_cursor }: ListingPage) {
  return (
    <>
      <ul className="grid">
        {products.map((listing, position) => (
          <Suspense key={listing.id}>
            <ListingCard listing={listing} eager={position < 2} first={position === 0} />
          </Suspense>
        ))}
      </ul>
      <Suspense>
        <Paging next={next_cursor} />
      </Suspense>
    </>
  )
}
