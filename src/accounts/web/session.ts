import { createContext, type LoaderFunctionArgs, redirect, useRouteLoaderData } from 'react-router'
import { apiOf, attempt, shopContext } from '#web/api.ts'
import type { User } from '../contract.ts'

interface Session {
  /** null for a visitor. */
  user: User | null
  /** How many pieces are in the cart. */
  inCart: number
  /** Ids of the listings whose hearts are filled. */
  favourites: number[]
  demo: boolean
}

/** Who is there, asked before anything is rendered. An answer with errors means nobody. */
export async function loader(args: LoaderFunctionArgs): Promise<Session> {
  const ask = apiOf(args)
  const { demo } = args.context.get(shopContext)
  const nobody = { user: null, inCart: 0, favourites: [], demo }
  if (import.meta.env.SSR) {
    // What takes the browser three calls is one question to the database.
    const { answer, problem } = await attempt(ask('GET /api/auth/session'))
    if (problem && problem.status !== 401) throw problem
    return answer
      ? { user: answer.user, inCart: answer.in_cart, favourites: answer.favourites, demo }
      : nobody
  }
  const { answer: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem && problem.status !== 401) throw problem
  if (!user) return nobody
  const [{ cart_items }, { ids }] = await Promise.all([
    ask('GET /api/cart_items/:id', { params: { id: user.id } }),
    ask('GET /api/favourites/ids'),
  ])
  const inCart = cart_items.reduce((sum, { quantity }) => sum + quantity, 0)
  return { user, inCart, favourites: ids, demo }
}

/** The session of the page. */
export const useSession = (): Session => useRouteLoaderData('session') as Session
/** The person signed in, null for a visitor. */
export const useUser = (): User | null => useSession().user

/** The person signed in, for loaders. @throws a redirect to the login page, which leads back here */
export async function personOf(args: LoaderFunctionArgs): Promise<User> {
  const { answer, problem } = await attempt(apiOf(args)('GET /api/auth/'))
  if (answer) return answer
  if (problem.status !== 401) throw problem
  const { pathname, search } = new URL(args.request.url)
  throw redirect(`/login?next=${encodeURIComponent(pathname + search)}`)
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

/** Where to go after login: an address of this shop, as it is written in a header (percent-encoded), or home. */
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
