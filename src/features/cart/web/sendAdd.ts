import type { Answer } from '#products/questions-contract.ts'
import { type Ask, attempt } from '#ui/api-client.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'

/** Idempotency keys of adds without a response, by what was added: the next try is the same attempt. */
const unanswered = new Map<string, string>()

/** Adds to the cart. In the browser, a second try after a lost response adds nothing twice. */
export async function addToCart(
  ask: Ask,
  productId: number | string,
  body: { quantity: number; answers?: Answer[] },
) {
  const params = { productId }
  if (import.meta.env.SSR) return attempt(ask('POST /api/cart_items/add/:productId', { params, body }))
  const what = JSON.stringify([productId, body])
  const key = unanswered.get(what) ?? newIdempotencyKey()
  const headers = { 'idempotency-key': key }
  const outcome = await attempt(ask('POST /api/cart_items/add/:productId', { params, body, headers }))
  const { status = 200 } = outcome.problem ?? {}
  if (status === 0 || status >= 500) unanswered.set(what, key)
  else unanswered.delete(what)
  return outcome
}
