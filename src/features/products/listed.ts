import { sql } from 'kysely'
import type { Id } from '#contract'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import type { Listing } from './contract.ts'
import { listings, view } from './products.ts'

/** Concurrent lookups share one statement: searches often find the same listings. */
const loadBatched = batchLookups(async (db: Database, ids: string[]) => {
  const rows = await listings(db).where('p.id', '=', sql<Id>`any(${ids}::bigint[])`).execute()
  return new Map(rows.map(row => [String(row.id), view(row)]))
})

/** A listing by id; undefined if it is deleted. Cached as a fragment, because many searches share it. */
export const listed = (db: Database, id: Id, loadFragment: LoadFragment): Promise<Listing | undefined> =>
  loadFragment(`listing ${id}`, () => loadBatched(db, String(id)), cacheSize)

/** Estimated bytes of a listing in the cache. */
const cacheSize = (listing: Listing | undefined) => ({
  bytes: listing ? 800 + 2 * charactersOf(listing) + 1_000 * listing.images.length : 0,
})
const charactersOf = (listing: Listing): number =>
  Object.values(listing).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
