import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../address.ts'
import { etagOf, isNamed } from '../etag.ts'
import { mayHaveKept } from './changes.ts'
import { FOR_EVERYBODY } from './ready.ts'

const compress = promisify(gzip)

/**
 * Answers with a text that is the same for everybody: kept until something public changes, with a tag by which
 * whoever has it already is told so. `key` names it; the shop's address is part of it.
 */
export async function sendKeptText(
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
  const kept = (await mayHaveKept(request))
    ? await request.server.kept.get(`${key} ${addressOf(request)}`, load, sizeOf)
    : await load()
  reply.header('etag', kept.etag).header('cache-control', FOR_EVERYBODY).header('vary', 'accept-encoding')
  if (isNamed(request.headers['if-none-match'], kept.etag)) return reply.code(304).send()
  reply.type(type)
  if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(kept.text)
  return reply.header('content-encoding', 'gzip').send(kept.gzip)
}
