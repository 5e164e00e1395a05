import { toCents } from '#money'
import { UNDO_MINUTES } from '#orders/detail-contract.ts'
import { record } from '#orders/events.ts'
import type { Database } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { Problem } from '#problem'
import { type Attempt, act, queueEventLetter } from './action.ts'
import { REFUNDED } from './fulfil.ts'
import type { NewPayment } from './input-contract.ts'

/** Records a payment of the shopper, made outside of the shop. @throws Problem 404, 422 as `act` does */
export function pay(db: Database, attempt: Attempt, { amount, day, note = '' }: NewPayment): Promise<void> {
  const cents = toCents(amount)
  return act(db, attempt, { kind: 'paid', cents, happened_on: day, reason: note }, async (db, order) => {
    const why = { reason: note, happened_on: day, key: attempt.key }
    await record(db, order.id, { kind: 'paid', role: 'maker', cents, ...why })
  })
}

/** Records a refund. @throws Problem as `pay` does, 409 for more than was paid */
export async function refund(
  db: Database,
  attempt: Attempt,
  { amount, day, note = '' }: NewPayment,
): Promise<void> {
  const cents = toCents(amount)
  try {
    await act(db, attempt, { kind: 'refunded', cents, happened_on: day, reason: note }, async (db, order) => {
      const why = { reason: note, happened_on: day, key: attempt.key }
      const event = await record(db, order.id, { kind: 'refunded', role: 'maker', cents, ...why })
      await queueEventLetter(db, order, 'refund-recorded', event, UNDO_MINUTES)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'orders_refunded') throw new Problem(409, REFUNDED, { cause: error })
    throw error
  }
}
