import { shopOf } from '#accounts/web/MakerLink.tsx'
import type { Head } from '#web/documentHead.ts'
import type { Shop } from '../contract.ts'

/** What a maker's page tells the world outside. Usernames have one address, whatever case was asked for. */
export const shop: Head<{ shop: Shop }> = {
  address: ({ shop }) => shopOf(shop.username),
  selects: ['cursor'],
  type: 'profile',
}
