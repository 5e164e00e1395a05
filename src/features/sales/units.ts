import type { Id } from '#contract'
import { type LineUnits, openUnits } from '#orders/events.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Lines } from './input-contract.ts'

const NOTHING_OPEN = 'Nothing of this order is open any more: it was sent or cancelled'

/**
 * The open pieces of a locked order that an action is about: those that are named, else all.
 * @throws Problem 409 if nothing is open, or fewer than named; 400 for a piece that was not ordered
 */
export async function chosenUnits(db: Database, order: Id, lines: Lines): Promise<LineUnits[]> {
  const open = await openUnits(db, order)
  if (open.length === 0) throw new Problem(409, NOTHING_OPEN)
  if (!lines) return open
  const left = new Map(open.map(line => [keyOf(line.product_id, line.line), line]))
  const short = lines.filter(
    ({ id, line, quantity }) => quantity > (left.get(keyOf(id, line))?.quantity ?? 0),
  )
  if (short.length > 0) throw await shortage(db, order, short, left)
  return lines
    .map(({ id, line = 1, quantity }) => ({ ...left.get(keyOf(id, line)), product_id: id, line, quantity }))
    .sort((a, b) => a.product_id - b.product_id || a.line - b.line)
}

/** Names a line of an order. @param line its number among those of the listing */
const keyOf = (id: Id, line = 1): string => `${id}.${line}`

async function shortage(
  db: Database,
  order: Id,
  short: NonNullable<Lines>,
  left: Map<string, LineUnits>,
): Promise<Problem> {
  const rows = await db
    .selectFrom('order_lines')
    .select(['product_id', 'line', 'name'])
    .where('order_id', '=', order)
    .execute()
  const names = new Map(rows.map(row => [keyOf(row.product_id, row.line), row.name]))
  if (short.some(({ id, line }) => !names.has(keyOf(id, line))))
    return new Problem(400, 'This order has no such piece')
  const errors = short.map(({ id, line }) => {
    const key = keyOf(id, line)
    const open = left.get(key)?.quantity ?? 0
    return open === 0
      ? `${names.get(key)} is not open any more: it was sent or cancelled`
      : `Only ${open} of ${names.get(key)} ${open === 1 ? 'is' : 'are'} open`
  })
  return new Problem(409, errors[0] ?? NOTHING_OPEN, { errors })
}
