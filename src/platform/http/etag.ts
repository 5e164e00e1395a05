import { createHash } from 'node:crypto'

/** Returns a weak ETag of a text: one tag for all its encodings, which differ in their bytes (RFC 9110, 8.8.1). */
export const etagOf = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

/** Whether a header If-None-Match contains a weak ETag, by the weak comparison of RFC 9110, section 8.8.3.2. */
export const isNamed = (list: string | undefined, etag: string): boolean =>
  list?.split(',').some(tag => ['*', etag, etag.slice(2)].includes(tag.trim())) ?? false
