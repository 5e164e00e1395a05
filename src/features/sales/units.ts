import type { Id } from '#contract'
import { openUnits } from '#orders/events.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Units } from '#products/stock.ts'
import type { Lines } from './input-contract.ts'

const NOTHING_OPEN =
  'Nothing of this order is open any more: it was sent or cancelled. Please load the page again'

/**
 * The open pieces of a locked order that an action is about: those that are named, else all.
 * @throws Problem 409 if nothing is open, or fewer than named; 400 for a piece that was not ordered
 */
export async function chosenUnits(db: Database, order: Id, lines: Lines): Promise<Units[]> {
  const open = await openUnits(db, order)
  if (open.length === 0) throw new Problem(409, NOTHING_OPEN)
  if (!lines) return open
  const left = new Map(open.map(({ product_id, quantity }) => [product_id, quantity]))
  const short = lines.filter(({ id, quantity }) => quantity > (left.get(id) ?? 0))
  if (short.length > 0) throw await shortage(db, order, short, left)
  return lines
    .map(({ id, quantity }) => ({ product_id: id, quantity }))
    .sort((a, b) => a.product_id - b.product_id)
}

async function shortage(
  db: Database,
  order: Id,
  short: NonNullable<Lines>,
  left: Map<Id, number>,
): Promise<Problem> {
  const rows = await db
    .selectFrom('order_lines')
    .select(['product_id', 'name'])
    .where('order_id', '=', order)
    .execute()
  const names = new Map(rows.map(row => [row.product_id, row.name]))
  if (short.some(({ id }) => !names.has(id))) return new Problem(400, 'This order has no such piece')
  const errors = short.map(({ id }) => {
    const open = left.get(id) ?? 0
    return open === 0
      ? `${names.get(id)} is not open any more: it was sent or cancelled`
      : `Only ${open} of ${names.get(id)} ${open === 1 ? 'is' : 'are'} open`
  })
  return new Problem(409, errors[0] ?? NOTHING_OPEN, { errors })
}
