import { refill } from '#cart/refill.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { requireOwnOrders } from './lists.ts'
import type { AgainLine } from './own-contract.ts'

/**
 * Fills the cart up to what an order had, as far as stock and the limits of a cart reach. Doing it again adds nothing.
 * @param ownListings whether the user may buy their own listings
 * @throws Problem 404 unknown or someone else's
 */
export async function buyAgain(db: Database, userId: Id, id: Id, ownListings: boolean): Promise<AgainLine[]> {
  await requireOwnOrders(db, userId, id)
  const lines = await db
    .selectFrom('order_lines')
    .select(['product_id', 'name', 'quantity'])
    .where('order_id', '=', id)
    .orderBy('product_id')
    .execute()
  const filled = await refill(db, userId, lines, ownListings)
  return lines.map(({ product_id, name, quantity: wanted }) => {
    const { added = 0, in_cart = 0, reason = null } = filled.get(product_id) ?? {}
    return { id: product_id, name, wanted, added, in_cart, reason }
  })
}
