import type { FastifyReply, FastifyRequest } from 'fastify'
import { canReadCache } from '#platform/cache/request-cache.ts'
import { encodeText, PUBLIC_NO_CACHE, sendEncoded } from '#platform/http/encoded-text.ts'
import { publicOrigin } from '#platform/http/origin.ts'

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
  const load = async () => encodeText(await make())
  const text = (await canReadCache(request))
    ? await request.server.cache.getOrLoad(`${key} ${publicOrigin(request)}`, load, text => text)
    : await load()
  reply.headers({ 'cache-control': PUBLIC_NO_CACHE, vary: 'accept-encoding' })
  return sendEncoded(request, reply, text, type)
}
