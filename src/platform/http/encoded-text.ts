import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { memoize } from '../async/memoize.ts'

/** Value of `cache-control` for public responses: stored by anybody, and validated by its ETag before each use. */
export const PUBLIC_NO_CACHE = 'public, no-cache'

const compressBrotli = promisify(brotliCompress)
export const compressGzip = promisify(gzip)
const expand = promisify(gunzip)
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A text in its encodings, with its ETag and its approximate memory in bytes. */
export type EncodedText = Awaited<ReturnType<typeof encodeText>>

/**
 * Compresses a text with gzip. The uncompressed text is not stored: it is five times as large, and few clients need it.
 * @param options.level from 1, the fastest, to 9
 * @param options.brotli whether to compress it with brotli as well, when a client first accepts that
 */
export async function encodeText(text: string, { level = 6, brotli = false } = {}) {
  // Copies: the buffer of a compressor is a slice of a larger one, which would stay in memory.
  const small = Buffer.from(await compressGzip(text, { level }))
  const plain = () => expand(small)
  return {
    // Weak: one tag for all encodings, which differ in their bytes (RFC 9110, 8.8.1).
    etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    gzip: small,
    plain,
    br: brotli ? memoize(async () => Buffer.from(await compressBrotli(await plain(), BROTLI))) : undefined,
    bytes: (brotli ? 2 : 1) * small.length,
  }
}

/** Sends a text in the best encoding that the client accepts; 304 if the client has it. */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, gzip, br, plain }: EncodedText,
  type: string,
): Promise<FastifyReply> {
  reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  const accepts = request.headers['accept-encoding'] ?? ''
  if (br && accepts.includes('br')) return reply.header('content-encoding', 'br').send(await br())
  if (accepts.includes('gzip')) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(await plain())
}

/** Whether a header If-None-Match contains a weak ETag, by the weak comparison of RFC 9110, section 8.8.3.2. */
export const matchesEtag = (list: string | undefined, etag: string): boolean =>
  list?.split(',').some(tag => ['*', etag, etag.slice(2)].includes(tag.trim())) ?? false
