import type { Connection } from '../database/database.ts'
import { InvalidationListener } from './invalidation-listener.ts'
import { SegmentedLru } from './lru.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Public responses, cached until something public changes. */
    cache: ResponseCache
  }
}

const MB = 1024 * 1024

/** A cacheable value: its key, how it is loaded, and its approximate memory in bytes. */
type Cacheable<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]

/**
 * Cache of public responses, invalidated as a whole when anything public changes. Read-your-writes: a write in this
 * process clears the cache before its response is sent, a write in another process is awaited by `sync`. The cache is
 * off while invalidations cannot be received.
 */
export class ResponseCache {
  /** Since the start: hits, misses, and invalidations (`drop`). */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #responses = new SegmentedLru(4 * MB, 4 * MB)
  #epoch = 0
  readonly #listener = new InvalidationListener(() => this.invalidateAll())

  /** Returns the cached value of a key, or loads it. Concurrent callers share one load (single-flight). */
  async getOrLoad<T>(...asked: Cacheable<T>): Promise<T> {
    const [key, load] = asked
    const found = this.#responses.find(key)
    this.counts[found ? 'hit' : 'miss']++
    if (found) return found.value as Promise<T>
    return this.#listener.isConnected ? this.#load(...asked) : load()
  }

  async #load<T>(...[key, load, size]: Cacheable<T>): Promise<T> {
    const epoch = this.#epoch
    const entry = this.#responses.add(key, load())
    try {
      const value = (await entry.value) as T
      if (epoch === this.#epoch) this.#responses.setSize(key, entry, size(value).bytes)
      return value
    } catch (error) {
      this.#responses.remove(key, entry)
      throw error
    }
  }

  /** Returns a cached value without loading it. */
  peek<T>(key: string): T | undefined {
    const found = this.#responses.find(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /** Caches a value that was computed in an epoch, unless that is over. @param bytes its approximate memory */
  set(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.epoch || this.#responses.has(key)) return
    this.#responses.setSize(key, this.#responses.add(key, value), bytes)
  }

  /** Approximate memory of the cache, bytes. */
  get bytes(): number {
    return this.#responses.bytes
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
  }

  /** Waits for every invalidation committed so far; see `InvalidationListener.sync`. */
  sync(): Promise<boolean> {
    return this.#listener.sync()
  }

  /** Starts to listen for invalidations, and turns the cache on. */
  listen(connection: Connection): Promise<void> {
    return this.#listener.listen(connection)
  }

  /** Turns the cache off at once. Fulfilled when the listener is closed. */
  close(): Promise<void> {
    return this.#listener.close()
  }
}
