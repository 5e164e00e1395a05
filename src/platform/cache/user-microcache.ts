import type { Id } from '#contract'
import { ENTRY_BYTES, SizedMap } from './lru.ts'

/** How long after it was asked for an answer is given again, milliseconds. */
const HELD_MS = 1_000
/** Bytes that all of them may take together. */
const BYTES = 2 * 1024 * 1024
/** People share so many counters: a change that one of them makes has the others asked about anew as well. */
const COUNTERS = 1_024

/** When something was asked for. */
export interface Moment {
  /** How many changes there had been. */
  changes: number
  /** `performance.now()`. */
  at: number
}

interface Told {
  answer: unknown
  person: Id
  asked: Moment
}

/**
 * What people were told of themselves, each what only they may know: whoever asks again within a second is told the same,
 * if nothing has changed since they asked. It serves only where every change comes through this very process, which says
 * so here before the change is answered.
 */
export class UserMicrocache {
  readonly #told = new SizedMap(BYTES)
  /** How many changes there had been with the last one of these people. */
  readonly #changed = new Float64Array(COUNTERS)
  #allChanged = 0
  #changes = 0

  /** Now: an answer is as old as the moment before anything was asked for it. */
  moment(): Moment {
    return { changes: this.#changes, at: performance.now() }
  }

  /** What was told under a key, where it still holds. */
  find(key: string): unknown {
    const told = this.#told.get(key)?.value as Told | undefined
    return told && this.#holds(told) ? told.answer : undefined
  }

  #holds({ person, asked }: Told): boolean {
    const changed = Math.max(this.#allChanged, this.#changed[person % COUNTERS] ?? 0)
    return asked.changes >= changed && !isOver(asked)
  }

  /** Holds what one person was told. @param bytes about what it takes */
  put(key: string, told: Told, bytes: number): void {
    let oldest = this.#told.first
    while (oldest && isOver((oldest[1].value as Told).asked)) {
      this.#told.delete(oldest[0])
      oldest = this.#told.first
    }
    this.#told.delete(key)
    this.#told.set(key, { value: told, bytes: bytes + 2 * key.length + ENTRY_BYTES })
  }

  /** Something has changed that this person alone can see; for whomever, where that is not known. */
  changed(person?: Id): void {
    this.#changes++
    if (person === undefined) {
      this.#allChanged = this.#changes
      this.#told.clear()
    } else this.#changed[person % COUNTERS] = this.#changes
  }

  /** About how much room all of it takes, bytes. */
  get bytes(): number {
    return this.#told.bytes
  }
}

const isOver = ({ at }: Moment) => performance.now() - at >= HELD_MS
