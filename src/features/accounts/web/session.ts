import { type LoaderFunctionArgs, useRouteLoaderData } from 'react-router'
import { apiOf, attempt, type SiteFacts, siteFactsContext } from '#ui/api-client.ts'
import type { User } from '../contract.ts'

declare module '#ui/api-client.ts' {
  interface SiteFacts {
    /** Whether sellers may buy and review their own listings. */
    ownListings: boolean
  }
}

interface Session extends SiteFacts {
  /** null for a visitor. */
  user: User | null
  /** Units in the cart. */
  inCart: number
  /** Ids of saved listings. */
  favourites: number[]
  /** Unread notifications, at most 100. */
  unread: number
  /** Whether the user is an operator. Left out for other users. */
  operator?: boolean
}

/** Loads the session before rendering. An error response counts as a visitor. */
export async function loader(args: LoaderFunctionArgs): Promise<Session> {
  const { response, problem } = await attempt(apiOf(args)('GET /api/auth/session'))
  if (problem && problem.status !== 401) throw problem
  const { in_cart: inCart, ...session } = response ?? { user: null, in_cart: 0, favourites: [], unread: 0 }
  return { ...session, inCart, ...args.context.get(siteFactsContext) }
}

/** The session of the page: the user, cart count, favourites, and settings of the shop. */
export const useSession = (): Session => useRouteLoaderData('session') as Session
/** The logged-in user, null for a visitor. */
export const useUser = (): User | null => useSession().user

/** Whether the user sells this listing in a shop where sellers cannot buy or review their own. */
export function useMayNotBuy({ seller_id }: { seller_id: number }): boolean {
  const { user, ownListings } = useSession()
  return !ownListings && user?.id === seller_id
}
