import { shopOf } from '#accounts/web/MakerLink.tsx'
import { filters, selects } from '#products/web/heads.ts'
import { ofMaker, pictureOf } from '#social-images/contract.ts'
import type { Head } from '#ui/meta-tags.ts'
import type { Shop } from '../contract.ts'
import { profile } from './things.ts'

/** What a maker's page tells the world outside. Usernames have one address, whatever case was asked for. */
export const shop: Head<{ shop: Shop }> = {
  address: ({ shop }) => shopOf(shop.username),
  selects,
  type: 'profile',
  picture: ({ shop }) => pictureOf(ofMaker(shop)),
  feed: ({ shop }, query) => ({ ...filters(query), seller: shop.username }),
  things: ({ shop }, at) => [profile(at, shop)],
}
