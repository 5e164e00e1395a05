import type { IncomingMessage } from 'node:http'
import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { throttle } from '../async/throttle.ts'
import { AdmissionQueue, type QueueLimits } from './admission-queue.ts'
import { hasBody } from './body-limits.ts'
import { BUSY, errorBody, rawHeaders } from './error-handler.ts'
import { beforeRouting } from './http-server.ts'
import { watchBodyTimeout } from './slow-body-timeout.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Cost in the admission queue, in small requests; default 1. 0: never refused. */
    cost?: (request: FastifyRequest) => number
  }
}

/**
 * Limits of the queue of one process on two cores, one for it and one for the database; a small request costs 1. More at the
 * same time would not be faster, since there is one thread, and ten connections to the database. A small machine serves
 * the waiting requests within two seconds.
 */
const LIMITS: QueueLimits = {
  maxRunning: 32,
  waiting: { cheap: 240, costly: 180 },
  maxWait: 5_000,
  targetDelay: 250,
  standingDelay: Number.POSITIVE_INFINITY,
}
const CORES_PER_PROCESS = 2
/** `standingDelay` where several processes share cores, milliseconds. */
const STANDING_MS = 500

/**
 * Limits of the queue of each process. Several processes with fewer than two cores for each divide what runs, but not what
 * waits: connections are spread unevenly, so one process may get most of a burst, and must have room for it. The
 * process with the fewest connections is slow, but its queue is never full, so a long wait counts as overload too.
 */
export function queueLimits(processes: number, cores = availableParallelism()): QueueLimits {
  const share = cores / CORES_PER_PROCESS / processes
  if (processes === 1 || share >= 1) return LIMITS
  return { ...LIMITS, maxRunning: share * LIMITS.maxRunning, standingDelay: STANDING_MS }
}

/** Seconds. */
const RETRY_AFTER = 1
/** Lifetime of the page that is sent with a refusal, milliseconds: the name of the shop may change. */
const PAGE_MS = 1_000
/** Interval between two log lines about refused requests, milliseconds. */
const LOG_INTERVAL_MS = 1_000

/** URLs that are never refused: static files, which cost little, and monitoring. */
const NEVER_REFUSED = /^\/(assets\/|(healthz|readyz|metrics)\/?(\?|$))/

/**
 * Load shedding: requests pass an admission queue by their cost, and are refused with 503 if it is full. A request occupies
 * the queue from its complete body until its response is ready, so that slow clients do not block others.
 * @param costOfUrl lowest cost of a URL; the route option `cost` may be higher, or 0
 */
export function shedLoad(app: FastifyInstance, costOfUrl: (url: string) => number): AdmissionQueue {
  const queue = new AdmissionQueue(queueLimits(app.config.workers))
  app.loads.set('requests', queue.load)
  const admitted = new WeakMap<FastifyRequest, number>()
  const logRefusal = throttle(LOG_INTERVAL_MS, () => app.log.warn('overload: refusing requests'))
  const release = (request: FastifyRequest) => {
    const cost = admitted.get(request)
    if (cost === undefined) return
    admitted.delete(request)
    queue.release(cost)
  }
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const cost = costOf(request, costOfUrl)
    if (cost === 0 || NEVER_REFUSED.test(request.url)) return
    if (await queue.acquire(cost, cancel => reply.raw.once('close', cancel))) {
      admitted.set(request, cost)
      if (reply.raw.destroyed) release(request)
      else reply.raw.once('close', () => release(request))
      return
    }
    // Unless the client has left.
    if (!reply.raw.destroyed) logRefusal()
    throw new Problem(503, BUSY, { retryAfter: RETRY_AFTER })
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) await admit(request, reply)
  })
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request)) await admit(request, reply)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    release(request)
    done()
  })
  return queue
}

/** Requests with a large body cost 1: they have limits of their own, in body-limits.ts and where files are processed. */
const costOf = (request: FastifyRequest, costOfUrl: (url: string) => number): number => {
  const { large, cost } = request.routeOptions.config
  if (large) return 1
  const own = cost?.(request) ?? 1
  return own === 0 ? 0 : Math.max(own, costOfUrl(request.url))
}

/**
 * Refuses requests before Fastify handles them, while the queue is full. In a flood most requests are refused, so refusing
 * has to be cheap: the responses are prepared at the start, and refusals are counted and not logged.
 * @param page draws the HTML of a refused page, at most once a second
 * @param freePrefix prefix of the URLs whose route may have the cost 0
 */
export function rejectBeforeRouting(
  app: FastifyInstance,
  queue: AdmissionQueue,
  page: () => string,
  freePrefix: string,
): void {
  const problem = new Problem(503, BUSY)
  beforeRouting(app, serve => {
    const response = (type: string, body: string) => refusal(app, type, body)
    const json = response('application/json', JSON.stringify(errorBody(problem)))
    const fields = response('application/json', JSON.stringify(errorBody(problem, 'fields')))
    let html = response('text/html', page())
    let drawn = performance.now()
    const currentPage = () => {
      if (performance.now() - drawn > PAGE_MS) {
        html = response('text/html', page())
        drawn = performance.now()
      }
      return html
    }
    const responseFor = ({ method, url = '', headers }: IncomingMessage) => {
      if (!url.startsWith('/api/')) return headers.accept === 'application/json' ? json : currentPage()
      return app.calls.get(`${method} ${url.replace(/\/?(\?.*)?$/, '')}`)?.namesFields ? fields : json
    }
    return (request, response) => {
      const { url = '' } = request
      if (!queue.isFull(minCostOf(request)) || NEVER_REFUSED.test(url) || url.startsWith(freePrefix))
        return serve(request, response)
      queue.countRefusal()
      // Later: most bodies have arrived completely by then.
      if (hasBody(request)) setImmediate(watchBodyTimeout, app.config, request, response)
      const { body, headers, last } = responseFor(request)
      response.writeHead(503, app.isStopping ? last : headers).end(body, 'latin1')
    }
  })
}

/**
 * A prepared 503 response. `headers` are names and values in turn, the fastest form for `writeHead`; `last` closes
 * the connection.
 */
function refusal({ config }: FastifyInstance, type: string, body: string) {
  const all = { ...rawHeaders(config, body, type), 'retry-after': String(RETRY_AFTER) }
  const headers = Object.entries(all).flat()
  return { body: Buffer.from(body).toString('latin1'), headers, last: [...headers, 'connection', 'close'] }
}

/** Estimated cost of a request before it is routed: 2 with a cookie outside of /api/, otherwise 1. */
const minCostOf = ({ url = '', headers }: IncomingMessage) =>
  url.startsWith('/api/') || headers.cookie === undefined ? 1 : 2
