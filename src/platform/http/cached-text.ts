import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canReadCache } from '../cache/request-cache.ts'
import { etagOf, isNamed } from './etag.ts'
import { publicOrigin } from './origin.ts'

/** Value of `cache-control` for public responses: stored by anybody, and validated by its ETag before each use. */
export const PUBLIC_NO_CACHE = 'public, no-cache'

const compress = promisify(gzip)

/**
 * Answers with a public text from the cache, with an ETag and compressed; 304 if the client has it.
 * @param text.key its cache key, to which the public origin is added
 * @param text.make produces it when it is not cached
 */
export async function sendCachedText(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, type, make }: { key: string; type: string; make: () => Promise<string> },
): Promise<FastifyReply> {
  const load = async () => {
    const text = await make()
    return { text, etag: etagOf(text), gzip: await compress(text) }
  }
  const sizeOf = ({ text, gzip }: { text: string; gzip: Buffer }) => ({
    bytes: 2 * text.length + gzip.length,
  })
  const cached = (await canReadCache(request))
    ? await request.server.cache.getOrLoad(`${key} ${publicOrigin(request)}`, load, sizeOf)
    : await load()
  reply.header('etag', cached.etag).header('cache-control', PUBLIC_NO_CACHE).header('vary', 'accept-encoding')
  if (isNamed(request.headers['if-none-match'], cached.etag)) return reply.code(304).send()
  reply.type(type)
  if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(cached.text)
  return reply.header('content-encoding', 'gzip').send(cached.gzip)
}
