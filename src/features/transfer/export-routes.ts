import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { downloadRoute } from '#platform/http/download-route.ts'
import { publicOrigin } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { LISTINGS_ARCHIVE, LISTINGS_TABLE } from '#products/contract.ts'
import { exportedListing } from './exported-listing.ts'
import { listingArchive } from './listing-archive.ts'
import { listingsOfSeller } from './own-listings.ts'
import { writeListings } from './write-listings.ts'

/** Requests in the admission queue that an export counts as. */
const COST = 5

/** The listings of a maker as files. Both are sent while they are made. */
export function exportRoutes(app: FastifyInstance): void {
  fileRoute(app, LISTINGS_TABLE, 'text/csv; charset=utf-8', (seller, request) =>
    Readable.from(writeListings(table(app.db, seller, publicOrigin(request)))),
  )
  fileRoute(app, LISTINGS_ARCHIVE, 'application/zip', seller => listingArchive(app.db, app.files, seller))
}

/** @param at the origin of the shop, since addresses of pictures are whole */
async function* table(db: Database, seller: Id, at: string) {
  for await (const listing of listingsOfSeller(db, seller))
    yield exportedListing(
      listing,
      listing.images.map(({ url }) => at + url),
    )
}

/** The page says that it cannot be made just now. */
const LATER = '/your-listings?done=later'

type Make = (seller: Id, request: FastifyRequest) => Readable

function fileRoute(app: FastifyInstance, path: string, type: string, make: Make): void {
  const name = `listings.${path.split('.').at(-1)}`
  downloadRoute(app, {
    path,
    cost: COST,
    async send(request, reply) {
      const user = await requireUser(request)
      await consume(app, 'changes', user.id)
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type(type)
        .send(make(user.id, request))
    },
    pageFor(status) {
      if (status === 401) return '/login?next=%2Fyour-listings'
      return status === 429 || status === 503 ? LATER : undefined
    },
  })
}
