import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { requestIds, routeOf } from '../observability/request-context.ts'
import type { AdmissionQueue } from './admission-queue.ts'
import { hasBody } from './body-limits.ts'
import { FOR_EVERYBODY } from './cached-text.ts'
import { beforeRouting } from './http-server.ts'

/** Characters of what an answer is kept under: whoever asks chooses them, and they are not counted. */
const LONGEST_NAME = 1_000

/** An answer as it left the shop, for the next who asks the same. */
interface Ready {
  /** Names and values in turn, as they are written; without the number of the request. */
  headers: string[]
  body: Buffer
  route: string
}

/**
 * Gives visitors an answer that was given before, and is still the same for everybody, before the framework looks at
 * them: it costs more than the answer. What is given was caught where it left the framework, so it has its very headers.
 * Whoever has a cookie, a body or a tag, or has to wait for room, is met by the framework, and so is everybody while the
 * shop stops.
 */
export function serveFromCacheEarly(app: FastifyInstance, queue: AdmissionQueue): void {
  const { cache, config } = app
  const idOf = requestIds(config)
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  /** What a plain question is about: all that an answer for everybody can depend on. Undefined for any other. */
  const nameOf = (request: IncomingMessage): string | undefined => {
    const { method, url, headers } = request
    if (method !== 'GET' || headers.cookie || headers['if-none-match'] || hasBody(request)) return undefined
    const encoding = headers['accept-encoding'] ?? ''
    const encodings = `${encoding.includes('br') ? 'br' : ''} ${encoding.includes('gzip') ? 'gzip' : ''}`
    const name = `ready ${hostOf(headers)} ${encodings} ${url}`
    return name.length > LONGEST_NAME ? undefined : name
  }
  /** Addresses in an answer name the host that was asked for, as a proxy may tell it, where the settings name none. */
  const hostOf = (headers: IncomingMessage['headers']): string => {
    if (config.publicUrl !== undefined) return ''
    if (config.trustProxy === 0) return headers.host ?? ''
    return JSON.stringify([headers.host, headers['x-forwarded-host'], headers['x-forwarded-proto']])
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const { cacheEpoch } = request
    const name =
      cacheEpoch === undefined || stopping || !isForEverybody(reply) ? undefined : nameOf(request.raw)
    if (name !== undefined && (Buffer.isBuffer(payload) || typeof payload === 'string')) {
      const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
      const ready = readyOf(reply, body, routeOf(request))
      cache.set(name, ready, cacheEpoch, ready.body.length + 2 * ready.headers.join().length)
    }
    done()
  })

  beforeRouting(app, serve => (request, response) => {
    const name = stopping || !queue.hasCapacity ? undefined : nameOf(request)
    const ready = name === undefined ? undefined : cache.peek<Ready>(name)
    if (!ready) return serve(request, response)
    if (app.answered) tellOf(ready, response, app.answered)
    response.writeHead(200, [...ready.headers, 'x-request-id', idOf(request)]).end(ready.body)
  })
}

const isForEverybody = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  reply.getHeader('cache-control') === FOR_EVERYBODY &&
  !reply.hasHeader('set-cookie')

function readyOf(reply: FastifyReply, body: Buffer, route: string): Ready {
  const { 'x-request-id': _, ...headers } = reply.getHeaders()
  const all = { ...headers, 'content-length': body.length }
  return { headers: Object.entries(all).flatMap(([name, value]) => [name, String(value)]), body, route }
}

function tellOf(
  { route }: Ready,
  response: ServerResponse,
  tell: NonNullable<FastifyInstance['answered']>,
): void {
  const began = performance.now()
  response.once('finish', () => tell({ method: 'GET', route, status: 200 }, performance.now() - began))
}
