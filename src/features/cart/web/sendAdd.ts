import type { Answer } from '#products/questions-contract.ts'
import { type Ask, attempt } from '#ui/api-client.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'

/** Idempotency keys of adds without a final response, by what was added: the next try is the same attempt. */
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
  const { status = 201 } = outcome.problem ?? {}
  if ([201, 400, 404, 409].includes(status)) unanswered.delete(what)
  else unanswered.set(what, key)
  return outcome
}

/** Ends all attempts: the user sees what the cart holds, and may add more. */
export const forgetAdds = (): void => unanswered.clear()
