import { createHash, createVerify, type KeyObject } from 'node:crypto'

/** Headers of a message, folded lines joined, from the last to the first. */
const headersOf = (head: string): string[] =>
  head
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .toReversed()

const nameOf = (header: string) => header.slice(0, header.indexOf(':')).trim().toLowerCase()

/** RFC 6376, 3.4.2. */
const relaxedHeader = (header: string) =>
  `${nameOf(header)}:${header
    .slice(header.indexOf(':') + 1)
    .replace(/[ \t]+/g, ' ')
    .trim()}`

/** RFC 6376, 3.4.4. */
const relaxedBody = (body: string) =>
  body
    .replace(/[ \t]+/g, ' ')
    .replace(/ (?=\r\n)/g, '')
    .replace(/(?:\r\n)*$/, '\r\n')

/** A DKIM signature that was verified, and what it covers. */
interface Verified {
  domain: string | undefined
  selector: string | undefined
  /** Names of the signed headers. */
  headers: string[]
}

/**
 * Verifies the DKIM signature of a message (RFC 6376, relaxed/relaxed, rsa-sha256).
 * @param raw the message as it was sent, of ASCII characters
 * @returns undefined if there is none, or it does not fit
 */
export function verifyDkim(raw: string, key: KeyObject): Verified | undefined {
  const end = raw.indexOf('\r\n\r\n')
  const headers = headersOf(raw.slice(0, end))
  const signature = headers.find(header => nameOf(header) === 'dkim-signature')
  if (!signature) return undefined
  const value = signature.slice(signature.indexOf(':') + 1)
  const tags = new Map(
    value.split(';').map(tag => {
      const at = tag.indexOf('=')
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')]
    }),
  )
  if (tags.get('a') !== 'rsa-sha256' || tags.get('c') !== 'relaxed/relaxed') return undefined
  const bodyHash = createHash('sha256')
    .update(relaxedBody(raw.slice(end + 4)))
    .digest('base64')
  if (bodyHash !== tags.get('bh')) return undefined
  const names = (tags.get('h') ?? '').split(':')
  // A header that is named twice is the one above; none of ours is.
  const signed = names.map(name => headers.find(header => nameOf(header) === name.toLowerCase()) ?? '')
  const unsigned = relaxedHeader(signature.replace(/(;\s*b=)[^;]*/, '$1'))
  const text = [...signed.map(relaxedHeader), unsigned].join('\r\n')
  const isValid = createVerify('RSA-SHA256')
    .update(text)
    .verify(key, tags.get('b') ?? '', 'base64')
  return isValid ? { domain: tags.get('d'), selector: tags.get('s'), headers: names } : undefined
}
