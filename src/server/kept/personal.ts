import type { Id } from '#contract'
import { Shelf } from './shelves.ts'

/** How long an answer is given again, milliseconds. */
const HELD_MS = 1_000
/** Bytes that all of them may take together. */
const BYTES = 2 * 1024 * 1024
/** People share so many counters: a change that one of them makes has the others asked about anew as well. */
const COUNTERS = 1_024

interface Told {
  answer: unknown
  person: Id
  /** How many changes there had been when it was asked for. */
  since: number
  /** `performance.now()` at which it is over. */
  until: number
}

/**
 * What people were told of themselves, each what only they may know: whoever asks again within a second is told the same,
 * if nothing has changed since they asked. It serves only where every change comes through this very process, which says
 * so here before the change is answered.
 */
export class Personal {
  readonly #told = new Shelf(BYTES)
  readonly #changes = new Float64Array(COUNTERS)
  #allChanged = 0
  #now = 0

  /** How many changes there were until now. An answer is as old as this was before anything was asked for it. */
  get now(): number {
    return this.#now
  }

  /** What was told under a key, where it still holds. */
  find(key: string): unknown {
    const told = this.#told.get(key)?.value as Told | undefined
    const holds =
      told &&
      told.until > performance.now() &&
      told.since >= this.#allChanged &&
      told.since >= this.#changesOf(told.person)
    return holds ? told.answer : undefined
  }

  /** Holds what one person was told. @param since `now`, before anything was asked for it @param bytes what it takes, about */
  put(key: string, answer: unknown, person: Id, since: number, bytes: number): void {
    this.#told.take(key)
    this.#told.put(key, { value: { answer, person, since, until: performance.now() + HELD_MS }, bytes })
  }

  /** Something has changed that this person alone can see; for whomever, where that is not known. */
  changed(person?: Id): void {
    this.#now++
    if (person === undefined) {
      this.#allChanged = this.#now
      this.#told.clear()
    } else this.#changes[person % COUNTERS] = this.#now
  }

  #changesOf = (person: Id) => this.#changes[person % COUNTERS] ?? 0
}
