import { data, type LoaderFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import { type Browsed, browse } from '#search/web/browse.ts'
import type { Shop } from '#sellers/contract.ts'
import { apiOf } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'

/** A seller with their listings. */
export interface SellerFound extends Browsed {
  shop: Shop
}

/** A seller and their listings, filtered. @throws Problem 404 for an unknown username */
export async function loader(args: LoaderFunctionArgs) {
  const username = usernameIn(new URL(args.request.url))
  const [shop, browsed] = await Promise.all([
    apiOf(args)('GET /api/shops/:username', { params: { username } }),
    browse(args, { seller: username }),
  ])
  const found: SellerFound = { ...browsed, shop }
  return data(found, found.refused === undefined ? 200 : 400)
}

/** From the raw path: the router decodes '%2F' in a username to a slash. */
function usernameIn({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.split('/')[2] ?? '')
  } catch (cause) {
    throw new Problem(404, 'There is no such maker', { cause })
  }
}

export const handle: Handle<SellerFound> = {
  title: ({ shop }) => shop.username,
  description: ({ shop: { username, words } }) => words || `What ${username} makes by hand.`,
}
