/** About what an entry takes beside its key and its answer: many small ones are large too. */
export const ENTRY_BYTES = 200

/** An answer, or the promise of one. */
interface Entry {
  value: unknown
  /** About how much room it takes; 0 until that is known. */
  bytes: number
}

/** Holds so many bytes: what was put there first goes first. */
export class Shelf {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()
  bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** What was put there first. */
  get first(): [key: string, entry: Entry] | undefined {
    return this.#entries.entries().next().value
  }

  put(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.bytes += entry.bytes
    while (this.bytes > this.#most && this.first) this.take(this.first[0])
  }

  take(key: string): Entry | undefined {
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
 * Two shelves, so that a thousand searches which nobody repeats do not drive out the pages that everybody looks at:
 * what is asked for a second time moves to the other (segmented LRU; Karedla, Love and Wherry, "Caching strategies to
 * improve disk system performance", 1994).
 */
export class Shelves {
  readonly #once: Shelf
  readonly #again: Shelf

  /**
   * @param once bytes that answers may take together for which one person has asked, and nobody since: most of them nobody
   * ever will @param again bytes for those that were asked for again
   */
  constructor(once: number, again: number) {
    this.#once = new Shelf(once)
    this.#again = new Shelf(again)
  }

  has(key: string): boolean {
    return this.#shelfOf(key) !== undefined
  }

  /** What stands under a key, for somebody who asks. */
  find(key: string): Entry | undefined {
    const entry = this.#again.take(key) ?? this.#once.take(key)
    if (entry) this.#again.put(key, entry)
    return entry
  }

  /** Puts something new under a key, which takes no room until it is measured. */
  add(key: string, value: unknown): Entry {
    const entry = { value, bytes: 0 }
    this.#once.put(key, entry)
    return entry
  }

  /** Says how much room an entry takes, beside its key; nothing, where it is gone by now. */
  measure(key: string, entry: Entry, bytes: number): void {
    const shelf = this.#shelfOf(key)
    if (shelf?.get(key) !== entry) return
    shelf.take(key)
    entry.bytes = bytes + 2 * key.length + ENTRY_BYTES
    shelf.put(key, entry)
  }

  /** Takes an entry away, unless another stands there by now. */
  remove(key: string, entry: Entry): void {
    const shelf = this.#shelfOf(key)
    if (shelf?.get(key) === entry) shelf.take(key)
  }

  clear(): void {
    this.#once.clear()
    this.#again.clear()
  }

  /** About how much room all of it takes. */
  get bytes(): number {
    return this.#once.bytes + this.#again.bytes
  }

  #shelfOf(key: string): Shelf | undefined {
    return [this.#once, this.#again].find(shelf => shelf.get(key))
  }
}
