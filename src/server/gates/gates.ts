import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { networkOf } from '../address.ts'
import type { Config } from '../config.ts'
import type { Load } from './turns.ts'

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
export function endConnections(app: FastifyInstance): void {
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
const TOO_MANY_FILES = 'Too many files at once. Please wait until the others have arrived'

/** Bytes of a body that anybody may send. */
export const SMALL_BODY = 64 * 1024
/** Larger bodies in the machine's memory at the same time. */
const MAX_LARGE = 8
/** In each process at the least: two for one person, and one for others. */
const LEAST_LARGE = 3
/** Beside those in each process, for forms whose session ended a short while ago: what was typed comes back. */
const ENDED_LARGE = 1
/** Senders of whom it is asked at the same time who they are: meanwhile the beginning of a body lies in memory. */
const MAX_ASKED = 8

interface Sender {
  /** Undefined for somebody whose session has ended. */
  person: Id | undefined
  address: string
}

/**
 * Holds large bodies to the routes and people that may send them, and to a number that fits into memory. Of that one
 * person, or one address, takes half: nobody keeps all others from sending photos, however slowly they send theirs.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  const most = Math.max(LEAST_LARGE, Math.ceil(MAX_LARGE / app.config.workers))
  const share = Math.ceil(most / 2)
  const held = new Map<FastifyRequest, Sender>()
  const load: Load = { running: 0, waiting: 0, refused: 0 }
  app.loads.set('large_bodies', load)
  const places = (are: (sender: Sender) => boolean) => [...held.values()].filter(are).length
  const leave = (request: FastifyRequest) => {
    if (held.delete(request)) load.running--
  }
  const refuse = (problem: Problem) => {
    load.refused++
    throw problem
  }
  let asked = 0
  /** Who sends a large body; 'unknown' where the cookie is made up. */
  const senderOf = async (request: FastifyRequest): Promise<Id | 'ended' | 'unknown'> => {
    const { large, sender, lately } = request.routeOptions.config
    if (!large?.(request)) return 'unknown'
    if (asked >= MAX_ASKED) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    asked++
    try {
      return (await sender?.(request))?.id ?? ((await lately?.(request)) ? 'ended' : 'unknown')
    } finally {
      asked--
    }
  }
  // Before any of the body is kept, and once it is known whose cookies came along.
  app.addHook('preParsing', async (request, reply) => {
    const { large } = request.routeOptions.config
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (!large || (encoding === undefined && Number(length ?? 0) <= SMALL_BODY)) return
    const from = await senderOf(request)
    if (from === 'unknown') {
      reply.header('connection', 'close')
      throw new Problem(413, 'The request is too large')
    }
    const person = from === 'ended' ? undefined : from
    // Whoever has gone meanwhile would never leave.
    if (reply.raw.destroyed) return
    const address = networkOf(request.ip)
    const known = places(other => other.person !== undefined)
    if (person === undefined) {
      if (held.size - known >= ENDED_LARGE) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    } else {
      const same = places(other => other.person === person)
      const beside = places(other => other.person !== undefined && other.address === address)
      if (Math.max(same, beside) >= share) refuse(new Problem(429, TOO_MANY_FILES, { retryAfter: 5 }))
      if (known >= most) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    }
    load.running++
    held.set(request, { person, address })
    reply.raw.once('close', () => leave(request))
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request)
    done()
  })
}

/** Bytes of a body that must arrive in each interval; a photo over the slowest mobile line is faster. */
const LEAST_BYTES = 8 * 1024
const INTERVAL_MS = 8_000

/** Ends requests whose body trickles in, be they answered already: each would hold its connection as long as it likes. */
export function refuseSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watchBody(app.config, request.raw, reply.raw, request.id)
  })
}

/** Ends a request unless its body arrives at a fair speed. @param id what it is called in the log, if it has a name there */
export function watchBody(
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
export function holdBrowsers(app: FastifyInstance): void {
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
