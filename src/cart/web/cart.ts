import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from 'react-router'
import { personOf } from '#accounts/web/session.ts'
import { apiOf, attempt } from '#web/api.ts'
import type { CartLine } from '../contract.ts'

interface Cart {
  /** null for a visitor, who has no cart. */
  lines: CartLine[] | null
}

export async function loader(args: LoaderFunctionArgs): Promise<Cart> {
  const ask = apiOf(args)
  const { answer: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem?.status === 401) return { lines: null }
  if (problem) throw problem
  const { cart_items } = await ask('GET /api/cart_items/:id', { params: { id: user.id } })
  return { lines: cart_items }
}

export interface CartResult {
  removed?: string
  problems?: string[]
}

/** Changes a line, removes one, or places the order: the pressed button says which. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const { problem } = await attempt(personOf(args))
  if (problem) return data({ problems: problem.errors } satisfies CartResult, problem.status || 503)
  const ask = apiOf(args)
  const params = { id: String(form.get('id') ?? '0') }
  switch (form.get('intent')) {
    case 'update': {
      const body = { quantity: Number(form.get('quantity')) }
      return resultOf(await attempt(ask('PUT /api/cart_items/:id', { params, body })))
    }
    case 'remove':
      return resultOf(
        await attempt(ask('DELETE /api/cart_items/:id', { params })),
        'Item was removed from your cart',
      )
    case 'checkout': {
      const key = String(form.get('key') ?? '')
      const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
      const { problem } = await attempt(ask('POST /api/orders/checkout', { headers }))
      return problem
        ? data({ problems: problem.errors } satisfies CartResult, problem.status || 503)
        : redirectDocument('/orders/view')
    }
    default:
      return data({ problems: ['This form is not one of ours'] } satisfies CartResult, 400)
  }
}

function resultOf({ problem }: Awaited<ReturnType<typeof attempt>>, removed?: string) {
  // A line that is already gone is what removing it asked for.
  if (!problem || (removed && problem.status === 404))
    return removed ? ({ removed } satisfies CartResult) : null
  return data({ problems: problem.errors } satisfies CartResult, problem.status || 503)
}

export const handle = { title: () => 'Shopping Cart' }
