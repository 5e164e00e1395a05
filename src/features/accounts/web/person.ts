import { createContext, type LoaderFunctionArgs, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import type { User } from '../contract.ts'

/** The logged-in user, for loaders. @throws a redirect to the login page, which leads back here */
export async function requireLogin(args: LoaderFunctionArgs): Promise<User> {
  const { response, problem } = await attempt(apiOf(args)('GET /api/auth/'))
  if (response) return response
  if (problem.status !== 401) throw problem
  const { pathname, search } = new URL(args.request.url)
  throw redirect(loginTo(pathname + search))
}

/** Whether the browser can use passkeys. Here, because both pages that ask load this file already. */
export const canUsePasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Set by an action that refused a form: the page must show the typed values again. */
const typedContext = createContext(false)
/** Keeps the typed values: the page of a refused form is shown, even if the session has ended. */
export const keepTyped = ({ context }: Pick<LoaderFunctionArgs, 'context'>): void =>
  context.set(typedContext, true)
/** Whether the page of a refused form is shown again, with the typed values. */
export const hasTyped = ({ context }: Pick<LoaderFunctionArgs, 'context'>): boolean =>
  context.get(typedContext)
/** As `requireLogin`, but null instead of a redirect for a refused form, so that its values are not lost. */
export async function requireLoginUnlessTyped(args: LoaderFunctionArgs): Promise<User | null> {
  if (!hasTyped(args)) return requireLogin(args)
  const { response } = await attempt(apiOf(args)('GET /api/auth/'))
  return response ?? null
}

/** Address of the login or signup page that continues at `next`. */
export const loginTo = (next: string, page: '/login' | '/signup' = '/login'): string =>
  next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`

/** Where a login or signup continues. Read from the address, so that a refused attempt keeps it. */
export const nextOf = ({ request }: Pick<LoaderFunctionArgs, 'request'>): string =>
  safeNext(new URL(request.url).searchParams.get('next'))

/** A same-origin path for `next`, percent-encoded for a header; else home. */
export function safeNext(next: FormDataEntryValue | string | null): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/'
  const { pathname, search, hash } = new URL(next, 'http://shop')
  // '/.//elsewhere' becomes '//elsewhere', which is another site.
  return pathname.startsWith('//') ? '/' : pathname + search + hash
}

/** Addresses that complete a heart or "Add to cart" after the login. */
const SAVES = /^\/favourites\?save=([1-9]\d{0,15})$/
const ADDS = /^(\/cart\?add=([1-9]\d{0,15})&quantity=(\d))(?:&answers=([^&#]+))?$/

/** Where somebody goes who is logged in already. Opening a page completes nothing: it is pressed again on the page of the piece. */
export function withoutPendingAction(next: string): string {
  const id = SAVES.exec(next)?.[1] ?? ADDS.exec(next)?.[2]
  return id === undefined ? next : `/products/${id}`
}

/**
 * Completes the heart or "Add to cart" that a visitor pressed before the login; `next` names it.
 * @returns the address to continue at, which says if it was refused
 */
export async function resumePendingAction(
  args: Pick<LoaderFunctionArgs, 'context'>,
  next: string,
): Promise<string> {
  const ask = apiOf(args)
  const [, saved] = SAVES.exec(next) ?? []
  if (saved) {
    const { problem } = await attempt(ask('PUT /api/favourites/:productId', { params: { productId: saved } }))
    return problem ? `${next}&failed=${problem.status === 409 ? 'full' : 'yes'}` : next
  }
  const [, cart = next, added, quantity, answers] = ADDS.exec(next) ?? []
  if (added) {
    const body = { quantity: Number(quantity), ...(answers ? { answers: parsed(answers) } : {}) }
    const input = { params: { productId: added }, body }
    const { problem } = await attempt(ask('POST /api/cart_items/add/:productId', input))
    return problem ? `${cart}&failed=${problem.status === 0 ? 'lost' : 'yes'}` : cart
  }
  return next
}

/** What an address has as JSON. Undefined: it is none. */
function parsed(text: string): never | undefined {
  try {
    return JSON.parse(decodeURIComponent(text)) as never
  } catch {
    return undefined
  }
}
