import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/** Requires that the listing is the user's own. @throws Problem 404 unknown, 403 someone else's */
export async function requireSeller(db: Database, person: Id, id: Id): Promise<void> {
  if ((await sellerOf(db, id)) !== person) throw forbidden()
}

/** The seller of a listing. @throws Problem 404 unknown or deleted */
export async function sellerOf(db: Database, id: Id): Promise<Id> {
  const product = await db
    .selectFrom('products')
    .select('seller_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!product) throw missing()
  return product.seller_id
}

/** Problem 403 for a user who is not the seller of a listing. Returned, not thrown. */
export const forbidden = (): Problem => new Problem(403, 'Only its seller may change a listing')
/** Problem 404 for an unknown listing. Returned, not thrown. */
export const missing = (): Problem => new Problem(404, 'There is no such listing')

export const HIDDEN =
  'Those who run the shop have hidden this piece. Notices in Settings says why, and how to object'
const RETIRED = 'You have retired this piece. Bring it back in Your Listings before you change it'

/** Columns that say whose a listing is, and whether it is for sale. */
interface State {
  seller_id: Id
  deleted_at: Date | null
  hidden_at: Date | null
  retired_at: Date | null
}

/**
 * Requires a listing that is for sale, and the user's own.
 * @throws Problem 404 unknown or not for sale, for its seller with the reason; 403 someone else's
 */
export function requireOwn<P extends State>(listing: P | undefined, person: Id): P {
  if (!listing) throw missing()
  const isOwn = listing.seller_id === person
  if (isOwn && listing.hidden_at) throw new Problem(404, HIDDEN)
  if (isOwn && listing.retired_at) throw new Problem(404, RETIRED)
  if (listing.deleted_at) throw missing()
  if (!isOwn) throw forbidden()
  return listing
}
