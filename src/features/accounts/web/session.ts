import { type LoaderFunctionArgs, useRouteLoaderData } from 'react-router'
import { apiOf, attempt, shopContext } from '#ui/api-client.ts'
import type { User } from '../contract.ts'

interface Session {
  /** null for a visitor. */
  user: User | null
  /** Units in the cart. */
  inCart: number
  /** Ids of saved listings. */
  favourites: number[]
  demo: boolean
  /** Whether passkeys work at this address. */
  passkeys: boolean
}

/** Loads the session before rendering. An error response counts as a visitor. */
export async function loader(args: LoaderFunctionArgs): Promise<Session> {
  const ask = apiOf(args)
  const shop = args.context.get(shopContext)
  const visitor = { user: null, inCart: 0, favourites: [], ...shop }
  if (import.meta.env.SSR) {
    // One query on the server; the browser needs three calls.
    const { answer, problem } = await attempt(ask('GET /api/auth/session'))
    if (problem && problem.status !== 401) throw problem
    return answer
      ? { user: answer.user, inCart: answer.in_cart, favourites: answer.favourites, ...shop }
      : visitor
  }
  const { answer: user, problem } = await attempt(ask('GET /api/auth/'))
  if (problem && problem.status !== 401) throw problem
  if (!user) return visitor
  const [{ cart_items }, { ids }] = await Promise.all([
    ask('GET /api/cart_items/:id', { params: { id: user.id } }),
    ask('GET /api/favourites/ids'),
  ])
  const inCart = cart_items.reduce((sum, { quantity }) => sum + quantity, 0)
  return { user, inCart, favourites: ids, ...shop }
}

export const useSession = (): Session => useRouteLoaderData('session') as Session
/** The logged-in user, null for a visitor. */
export const useUser = (): User | null => useSession().user
