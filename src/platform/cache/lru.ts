/** Approximate overhead of an entry beside its key and value, bytes. */
const ENTRY_BYTES = 200

/** A value or its promise. */
interface Entry {
  value: unknown
  /** Approximate memory, bytes; 0 until it is known. */
  bytes: number
}

/** Map with a limit in bytes. The oldest entry is evicted first. */
class SizedMap {
  readonly #limit: number
  readonly #entries = new Map<string, Entry>()
  bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** The oldest entry. */
  get first(): [key: string, entry: Entry] | undefined {
    return this.#entries.entries().next().value
  }

  set(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.bytes += entry.bytes
    while (this.bytes > this.#limit && this.first) this.delete(this.first[0])
  }

  delete(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    this.bytes -= entry?.bytes ?? 0
    return entry
  }

  clear(): void {
    this.#entries.clear()
    this.bytes = 0
  }
}

/**
 * Segmented LRU: new entries go into a probationary segment, and those that are hit again into a protected one, so that a
 * thousand searches that nobody repeats do not evict the popular pages (Karedla, Love and Wherry, "Caching strategies to
 * improve disk system performance", 1994).
 */
export class SegmentedLru {
  readonly #probationary: SizedMap
  readonly #protected: SizedMap

  /**
   * @param probationary limit of the entries that were requested once, bytes
   * @param protectedBytes limit of those that were requested again, bytes
   */
  constructor(probationary: number, protectedBytes: number) {
    this.#probationary = new SizedMap(probationary)
    this.#protected = new SizedMap(protectedBytes)
  }

  has(key: string): boolean {
    return this.#segmentOf(key) !== undefined
  }

  /** Returns the entry of a key, and moves it into the protected segment. */
  find(key: string): Entry | undefined {
    const entry = this.#protected.delete(key) ?? this.#probationary.delete(key)
    if (entry) this.#protected.set(key, entry)
    return entry
  }

  /** Adds an entry. Its size counts from `setSize` on. */
  add(key: string, value: unknown): Entry {
    const entry = { value, bytes: 0 }
    this.#probationary.set(key, entry)
    return entry
  }

  /** Sets the size of an entry, bytes without its key; no effect after its eviction. */
  setSize(key: string, entry: Entry, bytes: number): void {
    const segment = this.#segmentOf(key)
    if (segment?.get(key) !== entry) return
    segment.delete(key)
    entry.bytes = bytes + 2 * key.length + ENTRY_BYTES
    segment.set(key, entry)
  }

  /** Removes an entry, unless the key has another one by now. */
  remove(key: string, entry: Entry): void {
    const segment = this.#segmentOf(key)
    if (segment?.get(key) === entry) segment.delete(key)
  }

  clear(): void {
    this.#probationary.clear()
    this.#protected.clear()
  }

  /** Approximate memory, bytes. */
  get bytes(): number {
    return this.#probationary.bytes + this.#protected.bytes
  }

  #segmentOf(key: string): SizedMap | undefined {
    return [this.#probationary, this.#protected].find(segment => segment.get(key))
  }
}
