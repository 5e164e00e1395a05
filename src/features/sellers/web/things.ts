import type { ProfilePage } from 'schema-dts'
import { shopOf } from '#accounts/web/MakerLink.tsx'
import type { Shop } from '../contract.ts'

/** A maker's page in the words of schema.org; `at` is the address of the shop. */
export const profile = (
  at: string,
  { username, words, picture, member_since }: Shop,
): ProfilePage & object => ({
  '@type': 'ProfilePage',
  dateCreated: member_since,
  mainEntity: {
    '@type': 'Person',
    name: username,
    url: at + shopOf(username),
    ...(words ? { description: words } : {}),
    ...(picture?.width ? { image: at + picture.url } : {}),
  },
})
