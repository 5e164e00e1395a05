import { MIMEType } from 'node:util'
import { Problem } from '#problem'

/**
 * Limits of the parts of a multipart form, and of the fields of a urlencoded one. The longest form of the
 * pages has about 2,500.
 */
const MAX_PARTS = 2_600
const MAX_FIELDS = 1_000
/** Longest headers of a part, bytes. */
const MAX_HEADERS = 8 * 1024
/** The headers of all parts together, bytes: those of 2,500 fields have 190 kB. */
const MAX_ALL_HEADERS = 1024 * 1024

/**
 * Refuses forms that would block the event loop for seconds while they are parsed: many small parts, or parts with very long
 * headers. Counting them takes a few milliseconds.
 * @throws Problem 413
 */
export function refuseCostly(contentType: string, body: Buffer): void {
  const type = mimeOf(contentType)
  if (type?.essence === 'application/x-www-form-urlencoded') {
    if (body.toString('latin1').split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooMany('fields')
    return
  }
  const boundary = type?.params.get('boundary')
  if (!boundary) return
  const delimiter = Buffer.from(`--${boundary}`)
  let parts = 0
  let headers = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (++parts > MAX_PARTS) throw tooMany('parts')
    const head = body.subarray(at, at + delimiter.length + MAX_HEADERS)
    const end = head.indexOf('\r\n\r\n')
    headers += end < 0 ? head.length : end
    if ((end < 0 && head.length === delimiter.length + MAX_HEADERS) || headers > MAX_ALL_HEADERS)
      throw new Problem(413, 'A part of the form has headers that are too long')
  }
}

const tooMany = (name: string) => new Problem(413, `The form has too many ${name}`)

/** Parses a content type; undefined if it is invalid. The form is parsed with this type too, so that the parts are the same. */
export function mimeOf(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType)
  } catch {
    return undefined
  }
}
