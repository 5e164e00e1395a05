import type { Brand } from '#brand'
import { type Category, categoryPath } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import type { Shop } from '#sellers/contract.ts'

/** Contents of a share picture: nothing that changes often, such as a price. */
export interface Card {
  /** Small line above the title. */
  over: string
  title: string
  /** Line below it. */
  under: string
  /** Address of a photo of this shop. */
  photo: string | null
}

/** Size that link previews use, pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const

/** What a picture shows of the brand. */
export type Drawn = Pick<Brand, 'name' | 'mark' | 'logo' | 'colours'>

/** Raise it when the drawing changes, so that all addresses change. */
const DRAWING = 1

/** A page's share picture. `of` identifies it within its kind. */
export interface Share {
  kind: 'listings' | 'categories' | 'makers' | 'shop'
  of: string
  card: Card
}

const photoOf = (image: { url: string; width: number | null } | null | undefined): string | null =>
  image?.width ? image.url : null

/** The share picture of a listing: its cover, with name, category and maker. */
export const listingShare = ({ id, name, category, maker, images }: Listing): Share => ({
  kind: 'listings',
  of: String(id),
  card: { over: category, title: name, under: `Made by ${maker}`, photo: photoOf(images[0]) },
})

/** The share picture of a seller's page: their picture, with shop name and place. */
export const sellerShare = ({ username, name, display_name, place, picture }: Shop): Share => ({
  kind: 'makers',
  of: username,
  card: { over: 'Made by hand', title: name || display_name, under: place, photo: photoOf(picture) },
})

/** The share picture of a category: its name. */
export const categoryShare = (category: Category): Share => ({
  kind: 'categories',
  of: categoryPath(category).slice('/categories/'.length),
  card: { over: 'Made by hand', title: category, under: '', photo: null },
})

/** The share picture of the shop: its name and tagline. */
export const homeShare = ({ name, tagline }: Pick<Brand, 'name' | 'tagline'>): Share => ({
  kind: 'shop',
  of: 'welcome',
  card: { over: 'Made by hand', title: name, under: tagline, photo: null },
})

/** Address of the picture. It contains a version, so that no cache serves an old one. */
export const shareImagePath = ({ kind, of, card }: Share, brand: Drawn): string =>
  `/share/${kind}/${encodeURIComponent(of)}-${versionOf(card, brand)}.jpg`

/** The picture as a page's meta tags name it. */
export const pictureOf = (share: Share, brand: Drawn) => ({
  address: shareImagePath(share, brand),
  ...SHARE_SIZE,
})

/** A version, not a secret. Bob Jenkins's one-at-a-time hash, run twice. */
function versionOf(card: Card, { name, mark, logo, colours }: Drawn): string {
  const text = JSON.stringify([DRAWING, name, logo?.url ?? mark, colours.light, card])
  return [1, 2].map(seed => oneAtATime(text, seed).toString(36)).join('')
}

function oneAtATime(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = (hash + text.charCodeAt(at)) | 0
    hash = (hash + (hash << 10)) | 0
    hash ^= hash >>> 6
  }
  hash = (hash + (hash << 3)) | 0
  hash ^= hash >>> 11
  return (hash + (hash << 15)) >>> 0
}
