import { setTimeout } from 'node:timers/promises'
import type { LimitName } from '#platform/config/config.ts'
import { windowOf } from '#platform/http/rate-limit.ts'
import type { Shop } from './person.ts'

/** What a scenario found: its figure in words, and whether the promise holds. */
export interface Outcome {
  figure: string
  holds: boolean
  /** What could not be looked at here; the rest holds or not. */
  unseen?: string | undefined
}

/** A risk, and the program that shows whether the shop withstands it. It is a row of docs/reliability.md. */
export interface Scenario {
  risk: string
  /** What is done, and what must hold. */
  promise: string
  /** It holds or not by how long something takes, so nothing else may run meanwhile. */
  timed?: true
  /** It takes longer than 20 s, or asks somebody outside. */
  slow?: true
  /** test/integration/resilience.test.ts runs the same program, so `--quick` leaves it out. */
  tested?: true
  run(): Promise<Outcome>
}

/** A shop to attack: a test's own, or one that runs by itself. */
export interface Target extends Shop {
  /** What a statement answers, asked of the shop's own database. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the statement selects
  rows(statement: string): Promise<any[]>
}

/** Collects what went wrong. The promise holds if nothing did. */
export class Faults {
  readonly found: string[] = []

  /** Notes a fault unless this is so. */
  expect(so: boolean, otherwise: string): void {
    if (!so) this.found.push(otherwise)
  }

  /** The outcome: the figure, and the first faults where there are any. */
  outcome(figure: string): Outcome {
    const more = this.found.length > 3 ? ` and ${this.found.length - 3} more` : ''
    const faults = this.found.length > 0 ? `. FAULTS: ${this.found.slice(0, 3).join('; ')}${more}` : ''
    return { figure: figure + faults, holds: this.found.length === 0 }
  }
}

/** The value below which this part of the values lie: `percentile(99, latencies)`. */
export function percentile(part: number, values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((part / 100) * sorted.length))] ?? Number.NaN
}

/** Statuses and how often each was answered, for people: '5 × 201, 195 × 409'. */
export const inWords = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')

/** Goes through all, so many at a time. */
export async function each<T>(
  all: Iterable<T>,
  atOnce: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = all[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

export const milliseconds = (value: number): string => `${Math.round(value)} ms`

/** Waits for the next window in which a limit counts, if this one ends within so many milliseconds. */
export async function wholeWindow(name: LimitName, ms: number): Promise<void> {
  const window = windowOf(name) * 1_000
  const left = window - (Date.now() % window)
  if (left < ms) await setTimeout(left + 1_000)
}
