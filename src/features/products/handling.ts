import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Handling } from './contract.ts'
import { missing } from './seller-of.ts'

/** How a listing is sent, as columns of `products as p`. */
export const handlingColumns = ['p.postage_profile_id', 'p.made_to_order', 'p.handling_days'] as const

/** The columns of the handling in a request. Left-out fields stay unchanged. */
export const handling = ({ postage_profile_id, made_to_order, handling_days }: Handling) => ({
  ...(postage_profile_id === undefined ? {} : { postage_profile_id }),
  ...(made_to_order === undefined ? {} : { made_to_order }),
  ...(handling_days === undefined ? {} : { handling_days }),
})

/**
 * Requires that the postage profile of a listing is the seller's own, and keeps it until the transaction ends. Profiles are locked
 * before listings, as their deletion does. @throws Problem 400
 */
export async function lockPostage(
  db: Database,
  seller: Id,
  { postage_profile_id: id }: Handling,
): Promise<void> {
  if (id === undefined || id === null) return
  const profile = await db
    .selectFrom('postage_profiles')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .forKeyShare()
    .executeTakeFirst()
  if (!profile) throw new Problem(400, NOT_OWN)
}
const NOT_OWN = 'There is no such postage profile of yours; choose another one'

/** How a listing is sent. @throws Problem 404 unknown or deleted */
export async function handlingOf(db: Database, id: Id): Promise<Required<Handling>> {
  const row = await db
    .selectFrom('products as p')
    .select(handlingColumns)
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missing()
  return row
}
