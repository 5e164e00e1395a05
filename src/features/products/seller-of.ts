import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/** Requires that the listing is the user's own. @throws Problem 404 unknown, 403 someone else's */
export async function onlySeller(db: Database, person: Id, id: Id): Promise<void> {
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

export const forbidden = (): Problem => new Problem(403, 'Only its seller may change a listing')
export const missing = (): Problem => new Problem(404, 'There is no such listing')
