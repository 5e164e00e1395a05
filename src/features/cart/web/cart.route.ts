import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { Problem } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import type { CartLine } from '../contract.ts'

interface Cart {
  /** null for a visitor, who has no cart. */
  lines: CartLine[] | null
  /** If an empty cart is checked out: the order that it became, perhaps in another tab. */
  ordered?: number | undefined
}

export async function loader(args: LoaderFunctionArgs): Promise<Cart> {
  const ask = apiOf(args)
  const { answer: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem?.status === 401) return { lines: null }
  if (problem) throw problem
  const { cart_items } = await ask('GET /api/cart_items/:id', { params: { id: user.id } })
  const isLate = cart_items.length === 0 && new URL(args.request.url).searchParams.has('checkout')
  return { lines: cart_items, ordered: isLate ? await justOrdered(ask) : undefined }
}

/** Orders younger than this explain an empty cart, ms. */
const JUST_MS = 24 * 60 * 60 * 1000

/** The newest order, if it is recent. */
async function justOrdered(ask: Ask): Promise<number | undefined> {
  const [newest] = await ask('GET /api/orders/', { query: { limit: 1 } })
  return newest && Date.now() - Date.parse(newest.created_at) < JUST_MS ? newest.id : undefined
}

/** Reloads after a refusal too, because something has changed. Not if the shop is unavailable. */
export const shouldRevalidate = ({ actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus < 500

export interface CartResult {
  removed?: string
  /** The removed line as '7x2', to restore it. */
  undo?: string
  problems?: string[]
  /** Idempotency key, if a retry must be the same attempt. */
  key?: string
}

/** Messages of forms sent without scripts. */
export const DONE = {
  removed: { removed: 'Item was removed from your cart' },
} satisfies Record<string, CartResult>

/** Changes or removes lines, or places the order, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const { problem } = await attempt(personOf(args))
  if (problem) return refused(problem, String(form.get('key') ?? ''))
  const ask = apiOf(args)
  const params = { id: String(form.get('id') ?? '0') }
  switch (form.get('intent')) {
    case 'update': {
      const quantity = Number(form.get('quantity'))
      if (quantity < 1) return accepted(args.request, null)
      const { problem } = await attempt(ask('PUT /api/cart_items/:id', { params, body: { quantity } }))
      return problem ? refused(problem) : accepted(args.request, null)
    }
    case 'quantities':
    case 'proceed': {
      const problem = await chooseQuantities(args, form)
      if (problem) return refused(problem)
      return form.get('intent') === 'proceed' ? redirect(CHECKOUT) : accepted(args.request, null)
    }
    case 'remove': {
      const { problem } = await attempt(ask('DELETE /api/cart_items/:id', { params }))
      // A line that is already removed is a success.
      if (problem && problem.status !== 404) return refused(problem)
      const undo = undoOf(form)
      if (!undo) return accepted(args.request, { ...DONE.removed }, 'removed')
      const { quantity, productId } = undo
      const line = `${productId}x${quantity}`
      if (import.meta.env.SSR) return redirect(`/cart?done=removed&${UNDO}=${line}`)
      return { ...DONE.removed, undo: line } satisfies CartResult
    }
    case 'undo': {
      const { quantity = 0, productId = 0 } = undoOf(form) ?? {}
      const adding = ask('POST /api/cart_items/add/:productId', { params: { productId }, body: { quantity } })
      const { problem } = await attempt(adding)
      return problem ? refused(problem) : accepted(args.request, null)
    }
    case 'checkout': {
      const { problem } = await attempt(ask('POST /api/orders/checkout', { headers: preconditionsOf(form) }))
      // Already ordered, perhaps in another tab: reload the whole page.
      if (problem?.status === 400) return redirectDocument(CHECKOUT)
      return problem ? refused(problem, keyAfter(problem, form)) : redirectDocument('/orders/view')
    }
    default:
      return data({ problems: ['This form is not one of ours'] } satisfies CartResult, 400)
  }
}

/** Name of the field and query parameter of a removed line. */
export const UNDO = 'undo'

function undoOf(form: FormData): { productId: number; quantity: number } | undefined {
  const [, productId, quantity] = /^([1-9]\d{0,14})x([1-9]\d?)$/.exec(String(form.get(UNDO))) ?? []
  return productId && quantity ? { productId: Number(productId), quantity: Number(quantity) } : undefined
}

/** The checkout: a dialog over the cart, or a page. */
export const CHECKOUT = '/cart?checkout=yes'
/** Field name of a line's quantity. */
export const quantityOf = (line: number): string => `quantity-${line}`

/**
 * Without scripts, all quantities are sent with Update or "Proceed to checkout".
 * @returns the first refusal, with the messages of all
 */
async function chooseQuantities(args: ActionFunctionArgs, form: FormData): Promise<Problem | undefined> {
  const ask = apiOf(args)
  const { lines } = await loader(args)
  const refusals: Problem[] = []
  for (const { id, quantity } of lines ?? []) {
    const chosen = Number(form.get(quantityOf(id)) ?? quantity)
    if (chosen < 1 || chosen === quantity) continue
    const changing = ask('PUT /api/cart_items/:id', { params: { id }, body: { quantity: chosen } })
    const { problem } = await attempt(changing)
    if (problem) refusals.push(problem)
  }
  const [first] = refusals
  return first && new Problem(first.status, first.message, { errors: refusals.flatMap(each => each.errors) })
}

const refused = ({ status, errors: problems }: Problem, key?: string) =>
  data({ problems, ...(key ? { key } : {}) } satisfies CartResult, status || 503)

/** Maximum length of the sent lines; for longer carts only the total is compared. */
const MAX_ITEMS = 6_000

/** The lines and total that the form showed, as preconditions of the call. */
function preconditionsOf(form: FormData): Record<string, string> {
  const fields = { 'idempotency-key': 'key', 'expected-total': 'total', 'expected-items': 'items' }
  const shown = Object.entries(fields).map(([header, field]) => [header, String(form.get(field) ?? '')])
  return Object.fromEntries(shown.filter(([, value]) => value && value.length <= MAX_ITEMS))
}

/** The key changes after a final answer: an order, or 422 for a used key. */
const keyAfter = ({ status }: Problem, form: FormData): string =>
  status === 422 ? newIdempotencyKey() : String(form.get('key') ?? '')

export const handle = { title: () => 'Shopping Cart' }
