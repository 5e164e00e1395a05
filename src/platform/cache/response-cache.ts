import { LRUCache } from 'lru-cache'
import type { ConnectionOptions } from '../database/database.ts'
import { InvalidationChannel } from './invalidation-channel.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Public responses, cached until something public changes. */
    cache: ResponseCache
  }
}

const MB = 1024 * 1024
/** Approximate overhead of an entry beside its key and value, bytes. */
const ENTRY_BYTES = 200
/** Maximum age of a response, milliseconds: for changes of a process that died before it could publish them. */
const MAX_AGE_MS = 60_000

/** A cacheable value: its key, how it is loaded, and its approximate memory in bytes. */
type Cacheable<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]
/** Returns a fragment of a response from the cache, or loads it. */
export type LoadFragment = <T>(...args: Cacheable<T>) => Promise<T>

/** A value in the cache. */
interface Entry {
  value: unknown
  bytes: number
}

/** A cache in which concurrent callers of a key share one load (single-flight). @param maxSize limit, bytes */
const loadingCache = (maxSize: number) =>
  new LRUCache<string, Entry, () => Promise<Entry>>({
    maxSize,
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
    fetchMethod: (_key, _stale, { context }) => context(),
    // A load that is no longer in the cache, since that was cleared, still resolves for its callers.
    ignoreFetchAbort: true,
  })

/** Loads a value and caches it, unless the cache is cleared meanwhile. */
async function loadInto<T>(
  cache: ReturnType<typeof loadingCache>,
  ...[key, load, size]: Cacheable<T>
): Promise<{ value: T }> {
  const context = async () => {
    const value = await load()
    return { value, bytes: size(value).bytes }
  }
  return (await cache.fetch(key, { context })) as Entry & { value: T }
}

/** Freezes a plain value and everything in it, and returns it. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

/**
 * Cache of public responses, invalidated as a whole when anything public changes. Read-your-writes: a write in this
 * process clears the cache before its response is sent, a write in another process is published before that one's response is
 * sent, and awaited by `sync`. The cache is off while invalidations cannot be received.
 */
export class ResponseCache {
  /** Since the start: hits, misses, and invalidations (`drop`). */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #responses = loadingCache(8 * MB)
  readonly #fragments = loadingCache(6 * MB)
  #epoch = 0
  readonly #channel = new InvalidationChannel(() => this.invalidateAll())
  #expiry: NodeJS.Timeout | undefined

  /**
   * Returns the cached value of a key, or loads it. Concurrent callers share one load (single-flight). Without a value,
   * as of a page that is not to be cached, the next caller loads again.
   */
  async getOrLoad<T>(...[key, load, size]: Cacheable<T>): Promise<T> {
    const found = this.#responses.get(key)
    this.counts[found ? 'hit' : 'miss']++
    if (found) return found.value as T
    if (!this.#channel.isConnected) return load()
    const entry = await loadInto(this.#responses, key, load, size)
    // Not that of another load, which began after the cache was cleared.
    if (entry.value === undefined && this.#responses.peek(key) === entry) this.#responses.delete(key)
    return entry.value
  }

  /**
   * As `getOrLoad`, for a fragment that several responses share; it is frozen. If a shared load fails, each caller
   * loads for itself, since they may read from different databases.
   * @param since the epoch in which the response began to be computed: later epochs do not use its fragments
   */
  async fragment<T>(since: number | undefined, ...[key, load, size]: Cacheable<T>): Promise<T> {
    if (since === undefined || since !== this.epoch) return load()
    const found = this.#fragments.get(key)
    if (found) return found.value as T
    let isOwn = false
    const own = async () => {
      isOwn = true
      return deepFreeze(await load())
    }
    return loadInto(this.#fragments, key, own, size).then(
      ({ value }) => value,
      error => {
        if (isOwn) throw error
        return load()
      },
    )
  }

  /** Returns a cached value without loading it. */
  peek<T>(key: string): T | undefined {
    const found = this.#responses.get(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /**
   * Caches a value that was computed in an epoch, unless that is over, or the cache was off.
   * @param bytes its approximate memory
   */
  set(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.epoch) return
    this.#responses.set(key, { value, bytes })
  }

  /** Approximate memory of the cache, bytes. */
  get bytes(): number {
    return this.#responses.calculatedSize + this.#fragments.calculatedSize
  }

  /** Number of invalidations so far. Undefined while the cache is off. */
  get epoch(): number | undefined {
    return this.#channel.isConnected ? this.#epoch : undefined
  }

  /** Clears the cache. Loads in flight still resolve for their callers, and are not cached. */
  invalidateAll(): void {
    this.counts.drop++
    this.#epoch++
    this.#responses.clear()
    this.#fragments.clear()
  }

  /** Waits for every invalidation committed so far; see `InvalidationChannel.sync`. */
  sync(): Promise<boolean> {
    return this.#channel.sync()
  }

  /** A transaction of this process has committed a change: see `InvalidationChannel.publish`. */
  publish(): void {
    this.#channel.publish()
  }

  /** Waits until the other processes were notified of every change that this one has committed so far. */
  published(): Promise<void> | undefined {
    return this.#channel.published()
  }

  /** Starts to listen for invalidations, and turns the cache on. */
  listen(connection: ConnectionOptions): Promise<void> {
    this.#expiry ??= setInterval(() => this.invalidateAll(), MAX_AGE_MS).unref()
    return this.#channel.listen(connection)
  }

  /** Turns the cache off at once. Fulfilled when the listener is closed. */
  close(): Promise<void> {
    clearInterval(this.#expiry)
    return this.#channel.close()
  }
}
