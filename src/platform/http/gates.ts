import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import type { Config } from '../config/config.ts'

/**
 * True where a request that changes something may have been made by another site: browsers say so in
 * Sec-Fetch-Site; older ones in Origin or Referer. Programs that send none of them carry nobody's cookies.
 */
export function fromAnotherSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const source = request.headers.origin ?? request.headers.referer
  if (source === undefined) return false
  if (!URL.canParse(source)) return true
  const own = request.server.config.publicUrl
  // Without a public address the scheme is not known: a proxy in front may speak https.
  return own ? new URL(source).origin !== new URL(own).origin : new URL(source).host !== request.host
}

/**
 * True where a browser follows a link without a word of where it stands, as over plain http from another site that has
 * `rel=noreferrer`. Browsers announce each navigation with this header; programs do not.
 */
export const fromNowhere = ({ headers }: FastifyRequest): boolean =>
  headers['upgrade-insecure-requests'] !== undefined &&
  (headers['sec-fetch-site'] ?? headers.origin ?? headers.referer) === undefined

/** Refuses every request of another site that could change something. */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
    if (fromAnotherSite(request)) throw new Problem(403, 'Requests from another site are not accepted')
  })
}

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Once the shop stops, each answer ends its connection: one that is kept for a next request would keep the shop up. */
export function closeGracefully(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
}

export const BUSY = 'The shop is very busy. Please try again'
/** Bytes of a body that anybody may send. */
export const SMALL_BODY = 64 * 1024

/** Bytes of a body that must arrive in each interval; a photo over the slowest mobile line is faster. */
const LEAST_BYTES = 8 * 1024
const INTERVAL_MS = 8_000

/** Ends requests whose body trickles in, be they answered already: each would hold its connection as long as it likes. */
export function refuseSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watchBodyTimeout(app.config, request.raw, reply.raw, request.id)
  })
}

/** Ends a request unless its body arrives at a fair speed. @param id what it is called in the log, if it has a name there */
export function watchBodyTimeout(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  id?: string,
): void {
  const { socket } = request
  // Within the process nothing trickles, and there is no socket to end.
  if (request.complete || socket.bytesRead === undefined) return
  let before = socket.bytesRead
  const watch = setInterval(() => {
    const arrived = socket.bytesRead - before
    before += arrived
    if (request.complete || arrived >= LEAST_BYTES) return
    clearInterval(watch)
    // Answered already, or still behind answers that nobody reads: there is nothing to say any more.
    if (response.headersSent || !response.socket?.writable) return void socket.destroy()
    response.writeHead(408, {
      ...securityHeaders(config),
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      ...(id && { 'x-request-id': id }),
    })
    const message = 'The request came in too slowly. Please try again'
    response.end(JSON.stringify({ message, errors: [message] }), () => socket.destroy())
  }, INTERVAL_MS)
  request.once('close', () => clearInterval(watch))
}

/**
 * Headers that hold the browser to what the shop needs: own scripts, own styles, own pictures, no frames. They are the
 * same for every answer, so they are written once.
 */
export function setSecurityHeaders(app: FastifyInstance): void {
  const headers = securityHeaders(app.config)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** What every answer carries, whoever writes it. */
export function securityHeaders({ publicUrl }: Config): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const always = {
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Browsers' own filters once opened holes themselves.
    'x-xss-protection': '0',
  }
  if (!publicUrl?.startsWith('https:')) return { ...always, 'content-security-policy': policy.join(';') }
  return {
    ...always,
    'content-security-policy': [...policy, 'upgrade-insecure-requests'].join(';'),
    // The shop speaks for its own name: what else lives below that name is not ours to decide.
    'strict-transport-security': 'max-age=63072000',
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
  }
}
