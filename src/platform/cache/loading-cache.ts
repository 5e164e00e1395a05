import { LRUCache } from 'lru-cache'

/** Approximate overhead of an entry beside its key and value, bytes. */
const ENTRY_BYTES = 200

interface Entry {
  /** A cached value, or the promise of one that is loading. */
  value: unknown
}

/** A cache with a limit in bytes, in which concurrent callers of a key share one load (single-flight). */
export class LoadingCache {
  readonly #entries: LRUCache<string, Entry>
  readonly #loading = new Map<string, Entry>()

  /** @param maxSize limit, bytes */
  constructor(maxSize: number) {
    this.#entries = new LRUCache({ maxSize })
  }

  /** Returns the entry of a key, cached or loading. */
  find(key: string): Entry | undefined {
    return this.#entries.get(key) ?? this.#loading.get(key)
  }

  /** Returns the cached entry of a key. */
  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Loads and caches a value, unless the cache is cleared meanwhile. @param size its approximate memory */
  async load<T>(key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }): Promise<T> {
    const loading = load()
    const entry = { value: loading }
    const isCurrent = () => this.#loading.get(key) === entry
    this.#loading.set(key, entry)
    try {
      const value = await loading
      if (isCurrent()) this.set(key, value, size(value).bytes)
      return value
    } finally {
      if (isCurrent()) this.#loading.delete(key)
    }
  }

  /** Caches a value. @param bytes its approximate memory */
  set(key: string, value: unknown, bytes: number): void {
    this.#entries.set(key, { value }, { size: bytes + 2 * key.length + ENTRY_BYTES })
  }

  clear(): void {
    this.#entries.clear()
    this.#loading.clear()
  }

  /** Approximate memory, bytes. */
  get bytes(): number {
    return this.#entries.calculatedSize
  }
}
