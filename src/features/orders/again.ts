import { refill } from '#cart/refill.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { Answer } from '#products/questions-contract.ts'
import { requireOwnOrders } from './lists.ts'
import type { AgainLine } from './own-contract.ts'

/**
 * Fills the cart up to what an order had, with the same answers, as far as stock and the limits of a cart reach.
 * Doing it again adds nothing.
 * @param ownListings whether the user may buy their own listings
 * @throws Problem 404 unknown or someone else's
 */
export async function buyAgain(db: Database, userId: Id, id: Id, ownListings: boolean): Promise<AgainLine[]> {
  await requireOwnOrders(db, userId, id)
  const rows = await db
    .selectFrom('order_lines')
    .select(['product_id', 'name', 'quantity', 'answers'])
    .where('order_id', '=', id)
    .orderBy('product_id')
    .orderBy('line')
    .execute()
  const lines = rows.map(row => ({ ...row, answers: row.answers as Answer[] }))
  const filled = await refill(db, userId, lines, ownListings)
  return lines.map(({ product_id, name, quantity: wanted, answers }, index) => {
    const { added = 0, in_cart = 0, reason = null } = filled[index] ?? {}
    return {
      id: product_id,
      name,
      ...(answers.length > 0 ? { answers } : {}),
      wanted,
      added,
      in_cart,
      reason,
    }
  })
}
