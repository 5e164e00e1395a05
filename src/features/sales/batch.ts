import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { BatchResult } from './contract.ts'
import { ready, send } from './fulfil.ts'
import type { Batch } from './input-contract.ts'

/**
 * Runs one action on several orders, each in a transaction of its own: a refusal does not stop the others. With the
 * same idempotency key a retry continues a batch whose response was lost.
 */
export async function batch(
  db: Database,
  maker: Id,
  { orders, action }: Batch,
  key: string | undefined,
): Promise<BatchResult> {
  const results: BatchResult['results'] = []
  for (const order of new Set(orders)) {
    const attempt = { maker, order, key }
    try {
      await (action === 'sent' ? send(db, attempt, {}, { isPosted: true }) : ready(db, attempt))
      results.push({ id: order, done: true, message: `Marked as ${action}` })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      results.push({ id: order, done: false, message: error.message })
    }
  }
  return { results }
}
