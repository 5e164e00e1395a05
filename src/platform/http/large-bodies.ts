import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import type { Load } from './concurrency-limit.ts'
import { BUSY, SMALL_BODY } from './gates.ts'
import { ipSubnet } from './origin.ts'

const TOO_MANY_FILES = 'Too many files at once. Please wait until the others have arrived'

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
    const address = ipSubnet(request.ip)
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
