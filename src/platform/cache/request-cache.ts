import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import type { LoadFragment } from './response-cache.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The epoch of the cache when this request arrived; undefined while the cache is off. */
    cacheEpoch: number | undefined
  }
}

/** Sets the cache epoch of each request, so that a response computed before an invalidation is not cached after it. */
export function trackEpoch(app: FastifyInstance): void {
  app.decorateRequest('cacheEpoch', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.cacheEpoch = app.cache.epoch
    done()
  })
}

/** One check for each request, however many API calls its page makes. */
const checks = new WeakMap<FastifyRequest, Promise<boolean>>()
const YES = Promise.resolve(true)

/**
 * Whether a request may be served from the cache. Read-your-writes: a request with a cookie first waits until this
 * process has received every invalidation that was committed before, also by other processes. Visitors do not wait.
 * @throws Error if the database does not respond
 */
export function canReadCache(request: FastifyRequest): Promise<boolean> {
  if (!request.headers.cookie) return YES
  let check = checks.get(request)
  if (!check) {
    check = request.server.cache.sync()
    checks.set(request, check)
  }
  return check
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
  read: (db: Database, loadFragment: LoadFragment) => Promise<T>,
  size: (value: T) => { bytes: number },
): Promise<T> {
  const { cache, readPublic } = request.server
  if (!(await canReadCache(request))) return readPublic(db => read(db, uncached))
  const load = () => {
    const since = cache.epoch
    return readPublic(db => read(db, (...args) => cache.fragment(since, ...args)))
  }
  return cache.getOrLoad(key, load, size)
}

/** Loads a fragment without the cache. */
export const uncached: LoadFragment = (_key, load) => load()
