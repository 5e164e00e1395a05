import type { IncomingMessage, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { AdmissionQueue } from './admission-queue.ts'
import { hasBody } from './body-limits.ts'
import { BUSY, errorBody } from './error-handler.ts'
import { beforeRouting } from './http-server.ts'
import { detectOverload } from './overload-detector.ts'
import { securityHeaders } from './security-headers.ts'
import { watchBodyTimeout } from './slow-body-timeout.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many small requests this one costs as much as: 1 unless told. 0: it is never refused. */
    cost?: (request: FastifyRequest) => number
  }
}

/**
 * In the measure of a small request. More at once would make nothing faster: there is one thread, and ten connections to
 * the database. What may wait is what two seconds are enough for on a small machine.
 */
const SIZE = { atOnce: 32, waiting: { cheap: 240, costly: 180 }, maxWait: 5_000, targetDelay: 250 }
const RETRY_AFTER = 1
/** Milliseconds between two words about it in the log. */
const TOLD_MS = 1_000

/** Never turned away: files that cost little, and those who watch the process. */
const ALWAYS = /^\/(assets\/|(healthz|readyz|metrics)\/?(\?|$))/

/**
 * Lets requests in while there is queue, each for what it costs, until their answer is ready: one who reads it slowly
 * takes no place from others. Nor does a body that is still on its way: whoever sends slowly would take it from others.
 */
export function shedLoad(app: FastifyInstance, costOfUrl: (url: string) => number): AdmissionQueue {
  // Where more processes than cores work, each gets on more slowly: fewer are inside, and fewer may wait.
  const part = Math.min(1, availableParallelism() / app.config.workers)
  const { cheap, costly } = SIZE.waiting
  const waiting = { cheap: part * cheap, costly: part * costly }
  const queue = new AdmissionQueue({ ...SIZE, atOnce: part * SIZE.atOnce, waiting })
  app.loads.set('requests', queue.load)
  const held = new WeakMap<FastifyRequest, number>()
  let told = Number.NEGATIVE_INFINITY
  const leave = (request: FastifyRequest) => {
    const cost = held.get(request)
    if (cost === undefined) return
    held.delete(request)
    queue.release(cost)
  }
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const cost = costOf(request, costOfUrl)
    if (cost === 0 || ALWAYS.test(request.url)) return
    if (await queue.acquire(cost, left => reply.raw.once('close', left))) {
      held.set(request, cost)
      if (reply.raw.destroyed) leave(request)
      else reply.raw.once('close', () => leave(request))
      return
    }
    if (performance.now() - told > TOLD_MS) {
      told = performance.now()
      app.log.warn('more is asked than can be answered: some are turned away')
    }
    throw new Problem(503, BUSY, { retryAfter: RETRY_AFTER })
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) await admit(request, reply)
  })
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request)) await admit(request, reply)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request)
    done()
  })
  return queue
}

/** Large bodies are held to a number of their own, and wait for their turn where they are worked on. */
const costOf = (request: FastifyRequest, costOfUrl: (url: string) => number): number => {
  const { large, cost } = request.routeOptions.config
  if (large) return 1
  const own = cost?.(request) ?? 1
  return own === 0 ? 0 : Math.max(own, costOfUrl(request.url))
}

/**
 * Answers those for whom there is no room before the framework looks at them: in a flood that is nearly everybody, and
 * what turning them away costs is taken from those who are let in. So everything is made at the start, and nothing is
 * noted but how many they are.
 * @param page the HTML of a refused page
 * @param mayBeFree prefix of the urls whose route may say that they cost nothing
 */
export function rejectBeforeRouting(
  app: FastifyInstance,
  queue: AdmissionQueue,
  page: string | undefined,
  mayBeFree: string,
): void {
  const problem = new Problem(503, BUSY)
  const inFields = callsWithFields(app)
  beforeRouting(app, serve => {
    const answer = (type: string, body: string) => refusal(app, type, body)
    const json = answer('application/json', JSON.stringify(errorBody(problem, undefined)))
    const fields = answer('application/json', JSON.stringify(errorBody(problem, 'fields')))
    const html = page === undefined ? json : answer('text/html', page)
    const answerFor = ({ method, url = '', headers }: IncomingMessage) => {
      if (!url.startsWith('/api/')) return headers.accept === 'application/json' ? json : html
      return inFields.has(`${method} ${url.replace(/\/?(\?.*)?$/, '')}`) ? fields : json
    }
    const isBehind = detectOverload()
    const turnAway = inSlices(
      (request: IncomingMessage, response: ServerResponse) => {
        // Its body may have come in too slowly meanwhile.
        if (response.headersSent) return
        const { body, headers, last } = answerFor(request)
        response.writeHead(503, app.server.listening ? headers : last).end(body, 'latin1')
      },
      took => {
        const behind = isBehind(took)
        if (behind !== undefined) queue.adjustLimit(behind)
      },
    )
    return (request, response) => {
      const { url = '' } = request
      if (!queue.isFull(leastCostOf(request)) || ALWAYS.test(url) || url.startsWith(mayBeFree))
        return serve(request, response)
      queue.countRefusal()
      // Most bodies are there with the next bytes that are read.
      if (hasBody(request)) setImmediate(watchBodyTimeout, app.config, request, response)
      turnAway(request, response)
    }
  })
}

/** An answer as it goes out: the names and values of its headers in turn, which costs least, and its body's bytes. */
function refusal(app: FastifyInstance, type: string, text: string) {
  const bytes = Buffer.from(text)
  const headers = Object.entries({
    ...securityHeaders(app.config),
    'cache-control': 'no-store',
    'content-type': `${type}; charset=utf-8`,
    'content-length': String(bytes.length),
    'retry-after': String(RETRY_AFTER),
  }).flat()
  return { body: bytes.toString('latin1'), headers, last: [...headers, 'connection', 'close'] }
}

/** Milliseconds of answers in one go, before it is everybody else's turn. */
const SLICE_MS = 20

/**
 * Does something at once, but only for a short while, then lets everything else in this process go on before it does
 * more: what the database has answered to those who are inside must not wait behind a thousand who are turned away.
 * @param note is told after each round how long it took, in milliseconds from the first that was done in it
 */
function inSlices<A extends unknown[]>(
  work: (...args: A) => void,
  note: (took: number) => void,
): (...args: A) => void {
  const waiting: A[] = []
  /** When the first of this round was done; 0 before it. */
  let began = 0
  const begin = () => {
    began = performance.now()
    setImmediate(nextRound)
  }
  const hasTime = () => performance.now() - began < SLICE_MS
  const nextRound = () => {
    note(performance.now() - began)
    began = 0
    if (waiting.length === 0) return
    begin()
    let done = 0
    while (done < waiting.length && hasTime()) work(...waiting[done++]!)
    waiting.splice(0, done)
  }
  return (...args) => {
    if (began === 0) begin()
    if (waiting.length === 0 && hasTime()) work(...args)
    else waiting.push(args)
  }
}

/** What a request costs at least, as far as its first line and headers tell. */
const leastCostOf = ({ url = '', headers }: IncomingMessage) =>
  url.startsWith('/api/') || headers.cookie === undefined ? 1 : 2

/** 'METHOD /path' of the calls whose errors are told field by field. */
function callsWithFields(app: FastifyInstance): Set<string> {
  const found = new Set<string>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.errors === 'fields') found.add(`${method} ${url}`)
  })
  return found
}
