import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import type { Config } from './config.ts'
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
  return new URL(source).host !== (own ? new URL(own).host : request.host)
}

/** Refuses every request of another site that could change something. */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
    if (fromAnotherSite(request)) throw new Problem(403, 'Requests from another site are not accepted')
  })
}

/**
 * What may be in work at the same time, in the measure of a small request; beyond it the answer is 503 at once instead
 * of a slow one for everybody. What costs more is turned away sooner: the last places are for what costs little.
 */
const MAX_IN_WORK = 400
const MAX_COSTLY = 300
/** Milliseconds between two words about it in the log. */
const TOLD_MS = 1_000

/** Never turned away: files that cost little, and those who watch the process. */
const ALWAYS = /^\/(assets\/|images\/|(healthz|readyz|metrics)\/?(\?|$))/

/**
 * Lets requests in while there is room, each for what it costs, until their answer is ready: one who reads it slowly
 * takes no place from others.
 */
function places(app: FastifyInstance, name: string) {
  const held = new WeakMap<FastifyRequest, number>()
  const load: Load = { running: 0, waiting: 0, refused: 0 }
  app.loads.set(name, load)
  const leave = (request: FastifyRequest) => {
    load.running -= held.get(request) ?? 0
    held.delete(request)
  }
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request)
    done()
  })
  return (request: FastifyRequest, reply: FastifyReply, room: number, cost = 1): boolean => {
    if (load.running + cost > room) {
      load.refused++
      return false
    }
    load.running += cost
    held.set(request, cost)
    reply.raw.once('close', () => leave(request))
    return true
  }
}

/**
 * Turns requests away while too many are in work. A body that is still on its way takes no place: whoever sends slowly
 * would take it from others.
 */
export function shedLoad(app: FastifyInstance): void {
  const enter = places(app, 'requests')
  // Where more processes than cores work, each gets on more slowly, and may keep fewer people waiting.
  const part = Math.min(1, availableParallelism() / app.config.workers)
  let told = 0
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    if (ALWAYS.test(request.url)) return
    const cost = request.routeOptions.config.cost?.(request) ?? 1
    if (enter(request, reply, part * (cost > 1 ? MAX_COSTLY : MAX_IN_WORK), cost)) return
    if (performance.now() - told > TOLD_MS) {
      told = performance.now()
      app.log.warn('more is asked than can be answered: some are turned away')
    }
    throw new Problem(503, 'The shop is very busy. Please try again', { retryAfter: 1 })
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) await admit(request, reply)
  })
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request)) await admit(request, reply)
  })
}

/** Whether the headers announce a body. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
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

/** Bytes of a body that anybody may send. */
export const SMALL_BODY = 64 * 1024
/** Larger bodies in the machine's memory at the same time. */
const MAX_LARGE = 8

/** Holds large bodies to the routes and people that may send them, and to a number that fits into memory. */
export function limitLargeBodies(app: FastifyInstance): void {
  const enter = places(app, 'large_bodies')
  const most = Math.ceil(MAX_LARGE / app.config.workers)
  app.addHook('onRequest', async (request, reply) => {
    const { large } = request.routeOptions.config
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (!large || (encoding === undefined && Number(length ?? 0) <= SMALL_BODY)) return
    if (!large(request)) {
      reply.header('connection', 'close')
      throw new Problem(413, 'The request is too large')
    }
    if (!enter(request, reply, most))
      throw new Problem(503, 'The shop is very busy. Please try again', { retryAfter: 5 })
  })
}

/** Bytes of a body that must arrive in each interval; a photo over the slowest mobile line is faster. */
const LEAST_BYTES = 8 * 1024
const INTERVAL_MS = 8_000

/** Ends requests whose body trickles in, be they answered already: each would hold its connection as long as it likes. */
export function refuseSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    // Within the process nothing trickles, and there is no socket to end.
    if (raw.complete || !hasBody(request) || raw.socket.bytesRead === undefined) return
    let before = raw.socket.bytesRead
    const watch = setInterval(() => {
      const arrived = raw.socket.bytesRead - before
      before += arrived
      if (raw.complete || arrived >= LEAST_BYTES) return
      clearInterval(watch)
      // Answered already, or still behind answers that nobody reads: there is nothing to say any more.
      if (reply.raw.headersSent || !reply.raw.socket?.writable) return void raw.socket.destroy()
      const type = 'application/json; charset=utf-8'
      reply.raw.writeHead(408, { connection: 'close', 'content-type': type, 'x-request-id': request.id })
      const message = 'The request came in too slowly. Please try again'
      reply.raw.end(JSON.stringify({ message, errors: [message] }), () => raw.socket.destroy())
    }, INTERVAL_MS)
    raw.once('close', () => clearInterval(watch))
  })
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

function securityHeaders({ publicUrl }: Config): Record<string, string> {
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
