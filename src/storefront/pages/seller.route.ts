import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { usernameIn } from '#accounts/web/username-in.ts'
import type { SellerDetails } from '#onboarding/contract.ts'
import { type Browsed, browse } from '#search/web/browse.ts'
import type { Section } from '#sections/contract.ts'
import type { Shop } from '#sellers/contract.ts'
import type { ShopPage } from '#sellers/shop-page-contract.ts'
import { apiOf } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'

/** A seller with their listings. */
export interface SellerFound extends Browsed {
  shop: Shop
  /** What only this page shows of the shop. */
  shopPage: ShopPage
  sections: Section[]
  /** Who sells, as the law asks; null: not said. */
  details: SellerDetails | null
}

/** A seller and their listings, filtered. @throws Problem 404 for an unknown username, a redirect from a former one */
export async function loader(args: LoaderFunctionArgs) {
  const url = new URL(args.request.url)
  const username = usernameIn(url, 2)
  const ask = apiOf(args)
  const [shop, shopPage, { sections }, { details }, browsed] = await Promise.all([
    ask('GET /api/shops/:username', { params: { username } }),
    ask('GET /api/shops/:username/page', { params: { username } }),
    ask('GET /api/shops/:username/sections', { params: { username } }),
    ask('GET /api/shops/:username/seller', { params: { username } }),
    browse(args, { seller: username }),
  ])
  // The address of the shop's name is for good; former names may be taken back.
  if (shop.username.toLowerCase() !== username.toLowerCase())
    throw redirect(
      shopPath(shop.username) + url.search,
      shop.address === shopPath(username.toLowerCase()) ? 301 : 302,
    )
  const found: SellerFound = { ...browsed, shop, shopPage, sections, details }
  return data(found, found.refused === undefined ? 200 : 400)
}

export const handle: Handle<SellerFound> = {
  title: ({ shop: { name, username } }) => name || username,
  description: ({ shop: { display_name, words } }) => words || `What ${display_name} makes by hand.`,
}
