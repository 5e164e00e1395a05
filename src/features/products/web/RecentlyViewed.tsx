import { useEffect, useState } from 'react'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import type { Listing } from '../contract.ts'
import { ListingCard } from './ListingCard.tsx'
import { forget, remember, remembered } from './recentlyViewed.ts'

/** Listings that this browser viewed before, with their present data. */
export function RecentlyViewed({ id }: { id: number }) {
  const [listings, setListings] = useState<Listing[]>([])
  useEffect(() => {
    let left = false
    const others = remembered().filter(each => each !== id)
    remember(id)
    void listingsOf(others).then(found => {
      if (!left) setListings(found)
    })
    return () => {
      left = true
    }
  }, [id])
  if (listings.length === 0) return null
  return (
    <section className="further-pieces" aria-labelledby="recent">
      <h2 id="recent">Recently viewed</h2>
      <ul className="grid">
        {listings.map(listing => (
          <ListingCard key={listing.id} listing={listing} eager={false} again />
        ))}
      </ul>
    </section>
  )
}

/** Existing listings among these ids, in the same order. */
async function listingsOf(ids: number[]): Promise<Listing[]> {
  const found = await Promise.all(
    ids.map(async id => {
      const { response, problem } = await attempt(askOverFetch('GET /api/products/:id', { params: { id } }))
      if (problem?.status === 404) forget(id)
      return response ?? []
    }),
  )
  return found.flat()
}
