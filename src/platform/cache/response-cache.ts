import type { Connection } from '../database/database.ts'
import { deepFreeze } from './deep-freeze.ts'
import { InvalidationListener } from './invalidation-listener.ts'
import { LoadingCache } from './loading-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Public responses, cached until something public changes. */
    cache: ResponseCache
  }
}

const MB = 1024 * 1024
/** Maximum age of a response, milliseconds: for changes of a process that died before it could publish them. */
const MAX_AGE_MS = 60_000

/** A cacheable value: its key, how it is loaded, and its approximate memory in bytes. */
type Cacheable<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]
/** Returns a fragment of a response from the cache, or loads it. */
export type LoadFragment = <T>(...asked: Cacheable<T>) => Promise<T>

/**
 * Cache of public responses, invalidated as a whole when anything public changes. Read-your-writes: a write in this
 * process clears the cache before its response is sent, a write in another process is published before that one's response is
 * sent, and awaited by `sync`. The cache is off while invalidations cannot be received.
 */
export class ResponseCache {
  /** Since the start: hits, misses, and invalidations (`drop`). */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #responses = new LoadingCache(8 * MB)
  readonly #fragments = new LoadingCache(6 * MB)
  #epoch = 0
  readonly #listener = new InvalidationListener(() => this.invalidateAll())
  #expiry: NodeJS.Timeout | undefined

  /** Returns the cached value of a key, or loads it. Concurrent callers share one load (single-flight). */
  async getOrLoad<T>(...[key, load, size]: Cacheable<T>): Promise<T> {
    const found = this.#responses.find(key)
    this.counts[found ? 'hit' : 'miss']++
    if (found) return found.value as T | Promise<T>
    return this.#listener.isConnected ? this.#responses.load(key, load, size) : load()
  }

  /**
   * As `getOrLoad`, for a fragment that several responses share; it is frozen. If a shared load fails, each caller
   * loads for itself, since they may read from different databases.
   * @param since the epoch in which the response began to be computed: later epochs do not use its fragments
   */
  async fragment<T>(since: number | undefined, ...[key, load, size]: Cacheable<T>): Promise<T> {
    if (since === undefined || since !== this.epoch) return load()
    const found = this.#fragments.find(key)
    if (!found) return this.#fragments.load(key, async () => deepFreeze(await load()), size)
    return Promise.resolve(found.value as T | Promise<T>).catch(load)
  }

  /** Returns a cached value without loading it. */
  peek<T>(key: string): T | undefined {
    const found = this.#responses.get(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /** Caches a value that was computed in an epoch, unless that is over. @param bytes its approximate memory */
  set(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.epoch) return
    this.#responses.set(key, value, bytes)
  }

  /** Approximate memory of the cache, bytes. */
  get bytes(): number {
    return this.#responses.bytes + this.#fragments.bytes
  }

  /** Number of invalidations so far. Undefined while the cache is off. */
  get epoch(): number | undefined {
    return this.#listener.isConnected ? this.#epoch : undefined
  }

  /** Clears the cache. Loads in flight still answer their callers, and are not cached. */
  invalidateAll(): void {
    this.counts.drop++
    this.#epoch++
    this.#responses.clear()
    this.#fragments.clear()
  }

  /** Waits for every invalidation committed so far; see `InvalidationListener.sync`. */
  sync(): Promise<boolean> {
    return this.#listener.sync()
  }

  /** A transaction of this process has committed a change: see `InvalidationListener.publish`. */
  publish(): void {
    this.#listener.publish()
  }

  /** Waits until the other processes were notified of every change that this one has committed so far. */
  published(): Promise<void> | undefined {
    return this.#listener.published()
  }

  /** Starts to listen for invalidations, and turns the cache on. */
  listen(connection: Connection): Promise<void> {
    this.#expiry ??= setInterval(() => this.invalidateAll(), MAX_AGE_MS).unref()
    return this.#listener.listen(connection)
  }

  /** Turns the cache off at once. Fulfilled when the listener is closed. */
  close(): Promise<void> {
    clearInterval(this.#expiry)
    return this.#listener.close()
  }
}
