import { type RawBuilder, sql } from 'kysely'
import type { Image } from './contract.ts'

interface ImageRow {
  id: number
  folder: string
  kind: string
  width: number | null
  height: number | null
  widths: number[]
  colour: string | null
  alt: string
}

/** The columns of `images as i` that `imageDto` needs beside the id. */
export const imageColumns = [
  'i.folder',
  'i.kind',
  'i.width',
  'i.height',
  'i.widths',
  'i.colour',
  'i.alt',
] as const

/** The order of the photos of a listing, as `images as i`. The first one is its cover. */
export const photoOrder = sql`i.position, i.id`

/** Path of the image files. */
export const IMAGES_PATH = '/images'

/**
 * Cache lifetimes: a day in browsers, a minute in shared caches, so that a deleted picture disappears. Its content
 * never changes, so revalidation is always a 304.
 */
export const PICTURE_CACHING = 'public, max-age=86400, s-maxage=60'

/** An image as the API returns it: every rendition with its width, the widest as `url`. */
export function imageDto({ id, folder, kind, width, height, widths, colour, alt }: ImageRow): Image {
  const at = (file: string) => `${IMAGES_PATH}/${folder}/${file}`
  const document = kind === 'document' ? at('document.pdf') : null
  const widest = widths.at(-1)
  return {
    id,
    url: widest === undefined ? (document ?? '') : at(`${widest}.webp`),
    srcset: widths.map(w => `${at(`${w}.webp`)} ${w}w`).join(', '),
    width,
    height,
    colour,
    document,
    alt,
  }
}

/** SQL: address of the smallest rendition of `images as i`; null without one. */
export const smallestUrl: RawBuilder<string | null> = sql`
  ${`${IMAGES_PATH}/`}::text || i.folder || '/' || i.widths[1] || '.webp'`

/** Names of an image's files in its folder. */
export const imageFiles = ({ kind, widths }: Pick<ImageRow, 'kind' | 'widths'>): string[] => [
  ...widths.map(width => `${width}.webp`),
  ...(kind === 'document' ? ['document.pdf'] : []),
]
