import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import type { Database } from '../database/database.ts'
import type { LoadFragment, ResponseCache } from './response-cache.ts'
import type { Moment } from './user-microcache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Public responses, cached until something public changes. */
    cache: ResponseCache
  }
  interface FastifyRequest {
    /** The epoch of the cache when this request arrived; undefined while the cache is off. */
    cacheEpoch: number | undefined
    /** When it arrived; undefined without a cache per user. */
    startedAt: Moment | undefined
    /** The user who sent it, null for a visitor; undefined until the session is looked up. */
    userId: Id | null | undefined
  }
}

/** Sets the cache epoch of each request, so that a response computed before an invalidation is not cached after it. */
export function trackEpoch(app: FastifyInstance): void {
  app
    .decorateRequest('cacheEpoch', undefined)
    .decorateRequest('startedAt', undefined)
    .decorateRequest('userId', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.cacheEpoch = app.cache.epoch
    request.startedAt = app.cache.personal?.moment()
    done()
  })
}

/** One check for each request, however many API calls its page makes. */
const looks = new WeakMap<FastifyRequest, Promise<boolean>>()
const YES = Promise.resolve(true)

/**
 * Whether a request may be answered from the cache. Read-your-writes: a request with a cookie first waits until this
 * process has received every invalidation that was committed before, also by other processes. Visitors do not wait.
 * @throws Error if the database does not answer
 */
export function canReadCache(request: FastifyRequest): Promise<boolean> {
  if (!request.headers.cookie) return YES
  let look = looks.get(request)
  if (!look) {
    look = request.server.cache.sync()
    looks.set(request, look)
  }
  return look
}

/**
 * Returns a public response from the cache, or loads and caches it until the next invalidation.
 * @param read loads it. It may run twice, and may be given the read replica; fragments that several responses share are
 * loaded with its second parameter
 * @param size the approximate memory of the value, bytes
 */
export async function cachedForAll<T>(
  request: FastifyRequest,
  key: string,
  read: (db: Database, part: LoadFragment) => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { cache, reads } = request.server
  if (!(await canReadCache(request))) return reads.forEverybody(db => read(db, unshared))
  const load = () => {
    const since = cache.epoch
    return reads.forEverybody(db => read(db, (...asked) => cache.fragment(since, ...asked)))
  }
  return cache.getOrLoad(key, load, size)
}

/** Loads a fragment without the cache. */
export const unshared: LoadFragment = (_key, load) => load()

/**
 * Returns the response for one user. Where this process is the only writer it is cached for a second, or until the user
 * or public data change. The cookie is part of the key, so that nobody gets the response of another session.
 * @param size the approximate memory of the value, bytes
 */
export async function cachedForUser<T>(
  request: FastifyRequest,
  key: string,
  ask: () => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { personal } = request.server.cache
  const { cookie } = request.headers
  // A form changes something first, or starts another session.
  if (!personal || !cookie || request.method !== 'GET') return ask()
  const name = `${cookie} ${key}`
  const held = personal.find(name) as T | undefined
  if (held !== undefined) return held
  const answer = await ask()
  const { userId, startedAt } = request
  if (userId && startedAt)
    personal.put(name, { answer, person: userId, asked: startedAt }, size(answer).bytes)
  return answer
}

/** Invalidates the cached responses of the user who sent this request. */
export function invalidateUser({ server, userId }: FastifyRequest): void {
  // A visitor has no cached responses.
  if (userId !== null) server.cache.personal?.changed(userId)
}
