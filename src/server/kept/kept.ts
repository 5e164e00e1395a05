import type { Connection } from '../database/database.ts'
import { frozen } from '../frozen.ts'
import { Listening } from './listening.ts'
import { Personal } from './personal.ts'
import { Shelves } from './shelves.ts'

const MB = 1024 * 1024

/** What may be kept: its key, how it is made, and about how much room it takes. */
type Asked<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]
/** Gives a part of an answer, kept or made. */
export type Part = <T>(...asked: Asked<T>) => Promise<T>

/**
 * Answers that are the same for everybody, kept until anything public changes. Whoever made the change in
 * this process drops everything before it is answered, and whoever made it in another one waits for `caughtUp`: so nobody
 * ever reads an answer older than their own change. While changes cannot be heard nothing is kept.
 */
export class Kept {
  /** Since the start: answers that were there, that had to be made, and how often all were dropped. */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #shelves = new Shelves(4 * MB, 4 * MB)
  readonly #parts = new Shelves(2 * MB, 4 * MB)
  readonly #personal = new Personal()
  #generation = 0
  readonly #listening: Listening

  /** @param options.alone no other process changes this shop, as long as none is heard of */
  constructor({ alone = false } = {}) {
    this.#listening = new Listening(alone, {
      changed: () => this.drop(),
      ended: () => this.#personal.changed(),
    })
  }

  /** The kept value of a key, or what `load` gives. Callers at the same time share one load. */
  async get<T>(...asked: Asked<T>): Promise<T> {
    const [key, load] = asked
    const found = this.#shelves.find(key)
    this.counts[found ? 'hit' : 'miss']++
    if (found) return found.value as Promise<T>
    return this.#listening.hears ? this.#load(this.#shelves, ...asked) : load()
  }

  /**
   * As `get`, for what several answers have in common, so that nobody can change it. They may read from different places,
   * so that nobody fails because another's load did.
   * @param since the generation in which the answer began to be made: its parts may be older than the next one
   */
  part<T>(since: number | undefined, ...asked: Asked<T>): Promise<T> {
    const [key, load, size] = asked
    if (since === undefined || since !== this.generation) return load()
    const found = this.#parts.find(key)
    return found
      ? (found.value as Promise<T>).catch(load)
      : this.#load(this.#parts, key, async () => frozen(await load()), size)
  }

  async #load<T>(shelves: Shelves, ...[key, load, size]: Asked<T>): Promise<T> {
    const generation = this.#generation
    const entry = shelves.add(key, load())
    try {
      const value = (await entry.value) as T
      if (generation === this.#generation) shelves.measure(key, entry, size(value).bytes)
      return value
    } catch (error) {
      shelves.remove(key, entry)
      throw error
    }
  }

  /** What was put under a key, where it is still there. */
  look<T>(key: string): T | undefined {
    const found = this.#shelves.find(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /** Keeps what was made since a generation began, unless that is over. @param bytes about how much room it takes */
  put(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.generation || this.#shelves.has(key)) return
    this.#shelves.measure(key, this.#shelves.add(key, value), bytes)
  }

  /** About how much room all of it takes. */
  get bytes(): number {
    return this.#shelves.bytes + this.#parts.bytes + this.#personal.bytes
  }

  /** Counts the drops: what is loaded now may be kept until the next. Undefined while nothing is kept. */
  get generation(): number | undefined {
    return this.#listening.hears ? this.#generation : undefined
  }

  /** What people were told of themselves; undefined where there may be changes that this process does not make or hear. */
  get personal(): Personal | undefined {
    return this.#listening.isAlone && this.#listening.hears ? this.#personal : undefined
  }

  /** Forgets everything. A load under way still answers those who wait for it, and is not kept. */
  drop(): void {
    this.counts.drop++
    this.#generation++
    this.#shelves.clear()
    this.#parts.clear()
    this.#personal.changed()
  }

  /** Fulfilled once every change is heard that was committed before this was asked for, as `Listening.caughtUp`. */
  caughtUp(): Promise<boolean> {
    return this.#listening.caughtUp()
  }

  /** Begins to hear of changes, and to keep. */
  listen(connection: Connection): Promise<void> {
    return this.#listening.listen(connection)
  }

  /** Stops keeping, at once. Fulfilled when nothing is listened to any more. */
  close(): Promise<void> {
    return this.#listening.close()
  }
}
