import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import type { CartLine } from '#cart/contract.ts'
import { inBody } from '#cart/web/answerForm.ts'
import { type CartResult, LINE, QUANTITY, quantityOf, removedLine, UNDO } from '#cart/web/cartForm.ts'
import { addToCart, forgetAdds } from '#cart/web/sendAdd.ts'
import type { Problem } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import type { Checkout } from '../contract.ts'
import { notesIn, refusalsOf, saveCart, type Unsaved, wayOf } from './saveCart.ts'

/** What the page of the cart shows. For a visitor both are null. */
interface Cart {
  lines: CartLine[] | null
  checkout: Checkout | null
  /** If an empty cart is checked out: the orders that it became, perhaps in another tab. */
  ordered?: number[]
}

export async function loader(args: LoaderFunctionArgs): Promise<Cart> {
  const ask = apiOf(args)
  const { response: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem?.status === 401) return { lines: null, checkout: null }
  if (problem) throw problem
  const [{ cart_items: lines }, checkout] = await Promise.all([
    ask('GET /api/cart_items/:id', { params: { id: user.id } }),
    ask('GET /api/checkout/'),
  ])
  forgetAdds()
  const isLate = lines.length === 0 && new URL(args.request.url).searchParams.get('checkout') === 'ordered'
  return { lines, checkout, ordered: isLate ? await justOrdered(ask) : [] }
}

/** Orders younger than this explain an empty cart, ms. */
const JUST_MS = 24 * 60 * 60 * 1000

/** Orders of one purchase that are named: the most that one call returns. */
const NAMED = 100

/** The orders of the newest purchase, if it is recent. All orders of a purchase have the same time. */
async function newestPurchase(ask: Ask) {
  const orders = await ask('GET /api/orders/', { query: { limit: NAMED } })
  const [newest] = orders
  if (!newest || Date.now() - Date.parse(newest.created_at) >= JUST_MS) return []
  return orders.filter(({ created_at }) => created_at === newest.created_at)
}

const justOrdered = async (ask: Ask): Promise<number[]> =>
  (await newestPurchase(ask)).map(({ id }) => id).sort((a, b) => a - b)

/** Whether the newest purchase has a piece of these lines, '7x2 12x1'. */
async function isOrdered(ask: Ask, items: string): Promise<boolean> {
  const pieces = new Set(items.split(' ').map(item => Number(item.split('x')[0])))
  const { response: orders = [] } = await attempt(newestPurchase(ask))
  return orders.some(({ products_ordered }) => products_ordered.some(({ id }) => pieces.has(id)))
}

/** Reloads after a refusal too, because something has changed. Not if the shop is unavailable, or the session has ended. */
export const shouldRevalidate = ({ actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus < 500 && actionStatus !== 401

/** Messages of forms sent without scripts. */
export const DONE = {
  removed: { removed: 'Item was removed from your cart' },
  saved: { saved: true },
} satisfies Record<string, CartResult>

/** Changes or removes lines, or places the order, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const ask = apiOf(args)
  const notes = notesIn(form)
  const { problem: loggedOut } = await attempt(ask('GET /api/auth/'))
  if (loggedOut?.status === 401 && Object.keys(notes).length > 0)
    return data({ problems: [LOGIN_TO_SAVE], notes, loginNeeded: true } satisfies CartResult, 401)
  const { problem } = await attempt(requireLogin(args))
  if (problem) return refused(problem, String(form.get('key') ?? ''))
  const query = new URL(args.request.url).searchParams
  const params = { id: String(form.get('id') ?? query.get(LINE) ?? '0') }
  const saveAll = async () => saveCart(ask, await loader(args), form)
  switch (form.get('intent')) {
    case 'update': {
      const quantity = Number(form.get('quantity') ?? query.get(QUANTITY))
      if (quantity < 1) return accepted(args.request, null)
      const { problem } = await attempt(ask('PUT /api/cart_items/:id', { params, body: { quantity } }))
      // Without scripts everything else is sent too.
      form.delete(quantityOf(Number(params.id)))
      const unsaved = query.has(LINE) ? await saveAll() : undefined
      if (problem) return refusedWith(problem, unsaved)
      if (unsaved) return data(unsaved.result, unsaved.status)
      return query.has(LINE) ? leadsTo('/cart', 'saved') : accepted(args.request, null)
    }
    case 'address': {
      const id = Number(form.get('address'))
      const body = { address_id: id > 0 ? id : null }
      const { problem } = await attempt(ask('PUT /api/checkout/address', { body }))
      return problem ? refused(problem) : accepted<CartResult>(args.request, { saved: true })
    }
    case 'choose': {
      const note = form.get('note')
      const body = { ...wayOf(form.get('way')), ...(note === null ? {} : { note: String(note) }) }
      const seller = { sellerId: String(form.get('seller') ?? '0') }
      const { problem } = await attempt(ask('PUT /api/checkout/sellers/:sellerId', { params: seller, body }))
      return problem ? refused(problem) : accepted<CartResult>(args.request, { saved: true })
    }
    case 'quantities':
    case 'proceed': {
      const unsaved = await saveAll()
      if (unsaved) return data(unsaved.result, unsaved.status)
      if (form.get('intent') === 'quantities') return accepted(args.request, DONE.saved, 'saved')
      const { response: checkout, problem } = await attempt(ask('GET /api/checkout/'))
      if (problem) return refused(problem)
      const problems = refusalsOf(checkout)
      return problems.length > 0 ? data({ problems } satisfies CartResult, 409) : redirect(CHECKOUT)
    }
    case 'remove': {
      const { problem } = await attempt(ask('DELETE /api/cart_items/:id', { params }))
      // Without scripts everything else is sent too.
      const unsaved = query.has(LINE) ? await saveAll() : undefined
      // A line that is already removed is a success.
      if (problem && problem.status !== 404) return refusedWith(problem, unsaved)
      const undo = removedLine(form.get(UNDO) ?? query.get(UNDO))?.text
      const removed: CartResult = { ...DONE.removed, ...(undo ? { undo } : {}) }
      if (unsaved) return data<CartResult>({ ...unsaved.result, ...removed }, unsaved.status)
      // The checkout stays where it is.
      if (!undo && !query.has(LINE)) return accepted(args.request, DONE.removed, 'removed')
      const shown = new URLSearchParams({ done: 'removed', ...(undo ? { [UNDO]: undo } : {}) })
      if (import.meta.env.SSR) return redirect(`/cart?${shown}`)
      return removed
    }
    case 'undo': {
      const { quantity = 0, productId = 0, answers } = removedLine(form.get(UNDO)) ?? {}
      const body = { quantity, ...inBody(answers) }
      const { problem } = await addToCart(ask, productId, body)
      return problem ? refused(problem) : accepted(args.request, null)
    }
    case 'checkout': {
      const { problem } = await attempt(ask('POST /api/orders/checkout', { headers: preconditionsOf(form) }))
      // Already ordered, perhaps in another tab, or emptied there: reload the whole page.
      if (problem?.status === 400)
        return redirectDocument((await isOrdered(ask, String(form.get('items')))) ? ORDERED : '/cart')
      if (problem) return refused(problem, keyAfter(problem, form))
      // The dialog was closed meanwhile, so that the router ignores the redirect: the cart says what was ordered.
      if (!import.meta.env.SSR && args.request.signal.aborted) location.assign(ORDERED)
      return redirectDocument('/orders/view')
    }
    default:
      return data({ problems: ['This form is not one of ours'] } satisfies CartResult, 400)
  }
}

const LOGIN_TO_SAVE = 'Please log in to save your note to the maker'

/** The checkout: a dialog over the cart, or a page. */
export const CHECKOUT = '/cart?checkout=yes'
/** An empty cart that says what it became. */
const ORDERED = '/cart?checkout=ordered'

/** As `refused`, with what else of the form was not saved. */
const refusedWith = ({ status, errors }: Problem, unsaved: Unsaved | undefined) => {
  const { problems = [], notes = {} } = unsaved?.result ?? {}
  return data<CartResult>({ problems: [...errors, ...problems], notes }, status || 503)
}

const refused = ({ status, errors: problems }: Problem, key?: string) =>
  data({ problems, ...(key ? { key } : {}) } satisfies CartResult, status || 503)

/** Maximum length of the sent lines; for longer carts only the total is compared. */
const MAX_ITEMS = 6_000

/** The lines, total and delivery that the form showed, as preconditions of the call. */
function preconditionsOf(form: FormData): Record<string, string> {
  const fields = {
    'idempotency-key': 'key',
    'expected-total': 'total',
    'expected-items': 'items',
    'expected-delivery': 'delivery',
  }
  const shown = Object.entries(fields).map(([header, field]) => [header, String(form.get(field) ?? '')])
  return Object.fromEntries(shown.filter(([, value]) => value && value.length <= MAX_ITEMS))
}

/** The key changes after a final answer: an order, or 422 for a used key. */
const keyAfter = ({ status }: Problem, form: FormData): string =>
  status === 422 ? newIdempotencyKey() : String(form.get('key') ?? '')

export const handle = { title: () => 'Shopping Cart' }
