import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import type { Load } from '../observability/instruments.ts'
import { BUSY } from './error-handler.ts'
import { ipSubnet } from './origin.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts a body over 64 kB with this request. */
    large?: (request: FastifyRequest) => boolean
    /** The user who sends such a body, looked up before it is read; undefined for a visitor. It may throw a Problem. */
    sender?: (request: FastifyRequest) => Promise<{ id: Id } | undefined>
    /** Without a sender: whether the session of the request has ended a short while ago. */
    hasEndedSession?: (request: FastifyRequest) => Promise<boolean>
  }
}

/** Bytes of a body that every route accepts from anybody. */
export const SMALL_BODY = 64 * 1024

type WithHeaders = Pick<IncomingMessage, 'headers'>

/** Whether, by its headers, the body of a request may have more than so many bytes. */
export const mayExceed = ({ headers }: WithHeaders, bytes: number): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes

/** Whether the headers of a request announce a body. */
export const hasBody = (request: WithHeaders): boolean => mayExceed(request, 0)

/** Time for the sender of a refused body to read the response, ms. */
const LINGER_MS = 2_000

const TOO_MANY_FILES = 'Too many files at once. Please wait until the others have arrived'

/** Number of large bodies in the memory of a process at the same time. */
const MAX_LARGE = 8
/** In addition, for each process: forms whose session has just ended. Their text is shown again after the login. */
const ENDED_LARGE = 1
/** Concurrent lookups of a sender's session. During a lookup the beginning of the body is in memory. */
const MAX_LOOKUPS = 8

interface Sender {
  /** Undefined for an ended session. */
  userId: Id | undefined
  network: string
}

/**
 * Accepts bodies over 64 kB only on routes with the option `large` and from known senders, and limits how many are received
 * at the same time. One user, or one network, gets half of them at most, so that slow uploads of one sender do not block
 * all others. It throws Problem 413 for other routes and senders, 429 to a sender with too many, 503 while all are taken.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  const limitPerSender = MAX_LARGE / 2
  const uploads = new Map<FastifyRequest, Sender>()
  const load: Load = { running: 0, waiting: 0, refused: 0 }
  app.loads.set('large_bodies', load)
  const countSlots = (matches: (sender: Sender) => boolean) => [...uploads.values()].filter(matches).length
  const release = (request: FastifyRequest) => {
    if (uploads.delete(request)) load.running--
  }
  const refuse = (problem: Problem) => {
    load.refused++
    throw problem
  }
  let lookups = 0
  /** The user who sends a large body; undefined for an ended session. @throws Problem 413 for anybody else */
  const senderOf = async (request: FastifyRequest): Promise<Id | undefined> => {
    const { large, sender, hasEndedSession } = request.routeOptions.config
    const tooLarge = () => new Problem(413, 'The request is too large')
    if (!large?.(request)) throw tooLarge()
    if (lookups >= MAX_LOOKUPS) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    lookups++
    try {
      const user = await sender?.(request)
      if (!user && !(await hasEndedSession?.(request))) throw tooLarge()
      return user?.id
    } finally {
      lookups--
    }
  }
  // Before the body is read, and after the cookies were parsed.
  app.addHook('preParsing', async (request, reply) => {
    const { config, bodyLimit } = request.routeOptions
    if (!config.large || !mayExceed(request, SMALL_BODY)) return
    // A body of an acceptable size that is refused is read to its end and discarded.
    const userId = await senderOf(request).catch(error => {
      if (mayExceed(request, bodyLimit)) reply.header('connection', 'close')
      throw error
    })
    // The client is gone: 'close' would not be emitted again.
    if (reply.raw.destroyed) return
    const network = ipSubnet(request.ip)
    const signedIn = countSlots(other => other.userId !== undefined)
    if (userId === undefined) {
      if (uploads.size - signedIn >= ENDED_LARGE) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    } else {
      const sameUser = countSlots(other => other.userId === userId)
      const sameNetwork = countSlots(other => other.userId !== undefined && other.network === network)
      if (Math.max(sameUser, sameNetwork) >= limitPerSender)
        refuse(new Problem(429, TOO_MANY_FILES, { retryAfter: 5 }))
      if (signedIn >= MAX_LARGE) refuse(new Problem(503, BUSY, { retryAfter: 5 }))
    }
    load.running++
    uploads.set(request, { userId, network })
    reply.raw.once('close', () => release(request))
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    release(request)
    const { raw } = request
    // Lingering close (RFC 9112, 9.6): with this header Node would close the connection at once. TCP would reset it, and a
    // sender that still writes could lose the response. What arrives meanwhile is discarded. A stopping shop does not wait.
    const isClosed = !app.isStopping && reply.getHeader('connection') === 'close'
    if (isClosed && hasBody(request) && !raw.complete) {
      reply.removeHeader('connection')
      setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS)
    }
    done()
  })
}
