import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { requestIds, routeOf } from '../observability/request-context.ts'
import type { AdmissionQueue } from './admission-queue.ts'
import { hasBody } from './body-limits.ts'
import { PUBLIC_NO_CACHE } from './encoded-text.ts'
import { beforeRouting } from './http-server.ts'

/** Maximum length of a cache key, characters: clients choose it, and its memory is not counted. */
const MAX_KEY = 1_000

/** A cached response, ready to be sent. */
interface Ready {
  /** Names and values in turn, without X-Request-Id. */
  headers: string[]
  body: Buffer
  route: string
}

/**
 * Sends cached public responses before Fastify handles the request, since Fastify costs more than the response. They are
 * recorded in the hook `onSend`, with their headers. Requests with a cookie, a body or If-None-Match, requests that have to
 * wait in the admission queue, and all requests while the server stops, are handled by Fastify.
 */
export function serveFromCacheEarly(app: FastifyInstance, queue: AdmissionQueue): void {
  const { cache, config } = app
  const idOf = requestIds(config)
  /** The cache key of a plain GET: everything that a public response may depend on. Undefined for other requests. */
  const keyOf = (request: IncomingMessage): string | undefined => {
    const { method, url, headers } = request
    if (method !== 'GET' || headers.cookie || headers['if-none-match'] || hasBody(request)) return undefined
    const encoding = headers['accept-encoding'] ?? ''
    const encodings = `${encoding.includes('br') ? 'br' : ''} ${encoding.includes('gzip') ? 'gzip' : ''}`
    const key = `ready ${hostOf(headers)} ${encodings} ${url}`
    return key.length > MAX_KEY ? undefined : key
  }
  /** Without PUBLIC_URL, links in a response contain the host of the request, or of the headers of a proxy. */
  const hostOf = (headers: IncomingMessage['headers']): string => {
    if (config.publicUrl !== undefined) return ''
    if (config.trustProxy === 0) return headers.host ?? ''
    return JSON.stringify([headers.host, headers['x-forwarded-host'], headers['x-forwarded-proto']])
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const key = app.isStopping || !isPublic(reply) ? undefined : keyOf(request.raw)
    if (key !== undefined && (Buffer.isBuffer(payload) || typeof payload === 'string')) {
      const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
      const ready = readyOf(reply, body, routeOf(request))
      cache.set(key, ready, request.cacheEpoch, ready.body.length + 2 * ready.headers.join().length)
    }
    done()
  })

  beforeRouting(app, serve => (request, response) => {
    const key = app.isStopping || !queue.hasCapacity ? undefined : keyOf(request)
    const ready = key === undefined ? undefined : cache.peek<Ready>(key)
    if (!ready) return serve(request, response)
    const { headers, body, route } = ready
    const { observeRequest } = app
    if (observeRequest) {
      const began = performance.now()
      const labels = { method: 'GET', route, status: 200 }
      response.once('finish', () => observeRequest(labels, performance.now() - began))
    }
    response.writeHead(200, [...headers, 'x-request-id', idOf(request)]).end(body)
  })
}

const isPublic = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  reply.getHeader('cache-control') === PUBLIC_NO_CACHE &&
  !reply.hasHeader('set-cookie')

function readyOf(reply: FastifyReply, body: Buffer, route: string): Ready {
  const { 'x-request-id': _, ...headers } = reply.getHeaders()
  const all = { ...headers, 'content-length': body.length }
  return { headers: Object.entries(all).flatMap(([name, value]) => [name, String(value)]), body, route }
}
