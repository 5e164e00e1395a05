import { createContext, type LoaderFunctionArgs, redirect } from 'react-router'
import { apiOf, attempt } from '#ui/api-client.ts'
import type { User } from '../contract.ts'

/** The person signed in, for loaders. @throws a redirect to the login page, which leads back here */
export async function personOf(args: LoaderFunctionArgs): Promise<User> {
  const { answer, problem } = await attempt(apiOf(args)('GET /api/auth/'))
  if (answer) return answer
  if (problem.status !== 401) throw problem
  const { pathname, search } = new URL(args.request.url)
  throw redirect(loginTo(pathname + search))
}

/** Set by an action that refused a form: the page that comes back must hold what was typed. */
const draftContext = createContext(false)
/** Keeps the page of a refused form, even where the session has ended meanwhile. */
export const keepDraft = ({ context }: Pick<LoaderFunctionArgs, 'context'>): void =>
  context.set(draftContext, true)
/** Whether a refused form is shown again. */
export const draftKept = ({ context }: Pick<LoaderFunctionArgs, 'context'>): boolean =>
  context.get(draftContext)
/** As `personOf`, but null instead of a redirect where a refused form is shown again: nothing typed is lost. */
export async function personOrDraft(args: LoaderFunctionArgs): Promise<User | null> {
  if (!draftKept(args)) return personOf(args)
  const { answer } = await attempt(apiOf(args)('GET /api/auth/'))
  return answer ?? null
}

/** The login or the signup page, from which a person goes on to an address of this shop. */
export const loginTo = (next: string, page: '/login' | '/signup' = '/login'): string =>
  next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`

/** Where a login or signup leads. In the address of their pages, so that it is still there after a refused attempt. */
export const nextOf = ({ request }: Pick<LoaderFunctionArgs, 'request'>): string =>
  safeNext(new URL(request.url).searchParams.get('next'))

/** Where to go on to: an address of this shop, as it is written in a header (percent-encoded), or home. */
export function safeNext(next: FormDataEntryValue | string | null): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/'
  const { pathname, search, hash } = new URL(next, 'http://shop')
  // '/.//elsewhere' has become '//elsewhere', which names another site.
  return pathname.startsWith('//') ? '/' : pathname + search + hash
}

/**
 * Finishes what a visitor began at a heart or with "Add to cart", now that they are somebody: the address they go on to
 * names it. @returns where they go on to: what could not be put into the cart is told there
 */
export async function finishBegun(args: Pick<LoaderFunctionArgs, 'context'>, next: string): Promise<string> {
  const ask = apiOf(args)
  const [, saved] = /^\/favourites\?save=([1-9]\d{0,15})$/.exec(next) ?? []
  if (saved) await attempt(ask('PUT /api/favourites/:productId', { params: { productId: saved } }))
  const [, added, quantity] = /^\/cart\?add=([1-9]\d{0,15})&quantity=(\d)$/.exec(next) ?? []
  if (added) {
    const asked = { params: { productId: added }, body: { quantity: Number(quantity) } }
    const { problem } = await attempt(ask('POST /api/cart_items/add/:productId', asked))
    if (problem) return `${next}&failed=yes`
  }
  return next
}
