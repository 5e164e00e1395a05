import { LRUCache } from 'lru-cache'
import type { Connection } from '../database/database.ts'
import { InvalidationListener } from './invalidation-listener.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Public responses, cached until something public changes. */
    cache: ResponseCache
  }
}

/** Limit of the cache, bytes. */
const MAX_BYTES = 8 * 1024 * 1024
/** Maximum age of a response, milliseconds: for changes of a process that died before it could publish them. */
const MAX_AGE_MS = 60_000
/** Approximate overhead of an entry beside its key and value, bytes. */
const ENTRY_BYTES = 200

/** A cacheable value: its key, how it is loaded, and its approximate memory in bytes. */
type Cacheable<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]

/**
 * Cache of public responses, invalidated as a whole when anything public changes. Read-your-writes: a write in this
 * process clears the cache before its response is sent, a write in another process is published before that one's response is
 * sent, and awaited by `sync`. The cache is off while invalidations cannot be received.
 */
export class ResponseCache {
  /** Since the start: hits, misses, and invalidations (`drop`). */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #entries = new LRUCache<string, { value: unknown }>({ maxSize: MAX_BYTES })
  readonly #loading = new Map<string, Promise<unknown>>()
  #epoch = 0
  readonly #listener = new InvalidationListener(() => this.invalidateAll())
  #expiry: NodeJS.Timeout | undefined

  /** Returns the cached value of a key, or loads it. Concurrent callers share one load (single-flight). */
  async getOrLoad<T>(...[key, load, size]: Cacheable<T>): Promise<T> {
    const found = this.#entries.get(key) ?? this.#loading.get(key)
    this.counts[found ? 'hit' : 'miss']++
    if (found) return 'value' in found ? (found.value as T) : (found as Promise<T>)
    if (!this.#listener.isConnected) return load()
    const epoch = this.#epoch
    const loading = load()
    this.#loading.set(key, loading)
    try {
      const value = await loading
      this.set(key, value, epoch, size(value).bytes)
      return value
    } finally {
      // After an invalidation the key may have another load.
      if (this.#loading.get(key) === loading) this.#loading.delete(key)
    }
  }

  /** Returns a cached value without loading it. */
  peek<T>(key: string): T | undefined {
    const found = this.#entries.get(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /** Caches a value that was computed in an epoch, unless that is over. @param bytes its approximate memory */
  set(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.epoch) return
    this.#entries.set(key, { value }, { size: bytes + 2 * key.length + ENTRY_BYTES })
  }

  /** Approximate memory of the cache, bytes. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }

  /** Number of invalidations so far. Undefined while the cache is off. */
  get epoch(): number | undefined {
    return this.#listener.isConnected ? this.#epoch : undefined
  }

  /** Clears the cache. Loads in flight still answer their callers, and are not cached. */
  invalidateAll(): void {
    this.counts.drop++
    this.#epoch++
    this.#entries.clear()
    this.#loading.clear()
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
