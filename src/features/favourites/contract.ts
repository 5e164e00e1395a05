import * as z from 'zod/mini'
import { Done, defineCalls, Id, ListQuery, PathId } from '#contract'
import { ListingPage } from '#products/contract.ts'

/** Maximum number of favourites per user. */
export const MAX_FAVOURITES = 1_000
export const TOO_MANY = 'You can keep at most 1,000 favorites; remove one to save another'
export const LOGIN_TO_SAVE = 'Please log in to save favorites'

const ofListing = z.object({ productId: PathId })

export const calls = defineCalls({
  'GET /api/favourites/': {
    summary: 'Own favourites that are still there, the last saved first',
    query: ListQuery,
    response: ListingPage,
  },
  'GET /api/favourites/ids': {
    summary: 'Ids of the own favourites: which hearts are filled',
    response: z.object({ ids: z.array(Id) }),
  },
  'PUT /api/favourites/:productId': {
    summary: 'Save a listing among the own favourites, as often as one likes',
    params: ofListing,
    response: Done,
  },
  'DELETE /api/favourites/:productId': {
    summary: 'Take a listing out of the own favourites; one that is not there is no error',
    params: ofListing,
    response: Done,
  },
})
