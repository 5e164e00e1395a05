import * as z from 'zod/mini'
import { Id, optionalText } from '#contract'

/**
 * A photo of a listing, or of a seller. `url` is its widest rendition. A pdf that could not be rendered has no
 * `width`, and `url` is the document.
 */
export const Image = z.object({
  id: Id,
  url: z.string(),
  /** For `srcset`: 'url 320w, url 640w'. Empty without a picture. */
  srcset: z.string(),
  /** Pixels of the widest rendition. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** Placeholder colour until the picture loads: '#c9b8a2'. */
  colour: z.nullable(z.string()),
  /** Address of the pdf, if this is its first page. */
  document: z.nullable(z.string()),
  /** What it shows, in its maker's words. Empty: pages say the name of the listing. */
  alt: z.string(),
})
export type Image = z.infer<typeof Image>

/** Maximum size of a file, bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Maximum number of photos of a listing. */
export const MAX_IMAGES = 12

/** Maximum length of an alt text, code points. */
export const ALT_LENGTH = 500
export const TOO_MANY = `A listing can have at most ${MAX_IMAGES} photos`

/** A photo at its place, with its alt text; without one the alt text stays as it is. */
export const PlacedPhoto = z.object({
  id: Id,
  alt: z.optional(optionalText('Alt text', ALT_LENGTH)),
})
export type PlacedPhoto = z.infer<typeof PlacedPhoto>
/** All photos of a listing in order; the first one is its cover. */
export const PhotoOrder = z.object({
  photos: z.array(PlacedPhoto, 'Photos must be a list').check(
    z.maxLength(MAX_IMAGES, TOO_MANY),
    z.refine(
      photos => new Set(photos.map(({ id }) => id)).size === photos.length,
      'Each photo has one place',
    ),
  ),
})

/** Meaning of the idempotency key of an upload. */
export const ONE_PHOTO =
  'Sent again with the same key, a file is not added twice: the response is the photo that it added, while it exists.'

/** As the specification says it. Webp and avif are accepted too. */
export const WRONG_TYPE = 'File does not have an approved extension: pdf, jpg, jpeg, png, gif'
/** A seller's picture cannot be a document. */
export const NOT_A_PICTURE = 'File does not have an approved extension: jpg, jpeg, png, gif, webp, avif'
export const TOO_LARGE = 'Files can be at most 10 MB'
export const NO_FILE = 'Photo or video is required'

/** For the file picker; the server checks the content. */
export const ACCEPT_PICTURES = 'image/jpeg,image/png,image/gif,image/webp,image/avif'
export const ACCEPT = `${ACCEPT_PICTURES},application/pdf`

/**
 * What the browser can check before sending a file; undefined if it may be sent.
 * @param kinds 'pictures' if documents are refused
 */
export function validateFile(
  file: { name: string; size: number; type: string } | null,
  kinds: 'all' | 'pictures' = 'all',
): string | undefined {
  if (!file || (file.size === 0 && file.name === '')) return NO_FILE
  if (file.size > MAX_FILE_BYTES) return TOO_LARGE
  const isDocument = file.type === 'application/pdf' || /\.pdf$/i.test(file.name)
  if (isDocument) return kinds === 'all' ? undefined : NOT_A_PICTURE
  const known =
    ACCEPT_PICTURES.split(',').includes(file.type) || /\.(jpe?g|png|gif|webp|avif)$/i.test(file.name)
  if (known) return undefined
  return kinds === 'all' ? WRONG_TYPE : NOT_A_PICTURE
}

/** Where each photo is after a new order: its place from 1; null where it is removed. @param before by their former places */
export const placesAfter = (before: { id: Id }[], after: { id: Id }[]): (number | null)[] =>
  before.map(({ id }) => after.findIndex(photo => photo.id === id) + 1 || null)
