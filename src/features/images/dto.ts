import type { Image } from './contract.ts'

interface ImageRow {
  id: number
  folder: string
  kind: string
  width: number | null
  height: number | null
  widths: number[]
  colour: string | null
}

/** The columns of `images as i` that `imageDto` takes beside the id. */
export const imageColumns = ['i.folder', 'i.kind', 'i.width', 'i.height', 'i.widths', 'i.colour'] as const

/** Where the files of a picture are served. */
export const IMAGES_PATH = '/images'

/**
 * How long a picture may be kept: by a browser for a day, by caches that many share for a minute, so that one that was
 * deleted goes. It never changes under its address: to ask again costs no more than the answer that it is still there.
 */
export const PICTURE_CACHING = 'public, max-age=86400, s-maxage=60'

/** A stored picture as pages see it: every rendition with its width, the widest as its address. */
export function imageDto({ id, folder, kind, width, height, widths, colour }: ImageRow): Image {
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
  }
}

/** The names of a picture's files, in its folder. */
export const imageFiles = ({ kind, widths }: Pick<ImageRow, 'kind' | 'widths'>): string[] => [
  ...widths.map(width => `${width}.webp`),
  ...(kind === 'document' ? ['document.pdf'] : []),
]
