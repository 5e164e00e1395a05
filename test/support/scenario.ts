import { setTimeout } from 'node:timers/promises'
import type { Limits } from '#platform/config/config.ts'
import { limitOf } from '#platform/http/rate-limit.ts'
import { readConfig } from '../../src/config.ts'
import type { Shop } from './person.ts'

/** Result of a scenario: its figures as text, and whether it passed. */
export interface Outcome {
  figure: string
  passed: boolean
  /** What could not be checked here. */
  unchecked?: string | undefined
}

/** A row of docs/reliability.md: a risk, and a program that tests it. */
export interface Scenario {
  risk: string
  /** Scenario and expectation. */
  promise: string
  /** Measures time, so nothing else may run meanwhile. */
  timed?: true
  /** Takes longer than 20 s, or needs the internet. */
  slow?: true
  /** test/integration/resilience.test.ts runs the same program, so `--quick` leaves it out. */
  tested?: true
  run(): Promise<Outcome>
}

/** A shop to attack: a test's own, or a running one. */
export interface Target extends Shop {
  /** Rows of a statement in the shop's database. */
  // biome-ignore lint/suspicious/noExplicitAny: the columns depend on the statement
  rows(statement: string): Promise<any[]>
}

/** Collects faults. The scenario passes if there are none. */
export class Faults {
  readonly found: string[] = []

  /** Records a fault unless this is true. */
  expect(condition: boolean, message: string): void {
    if (!condition) this.found.push(message)
  }

  /** The outcome: the figures, and the first faults. */
  outcome(figure: string): Outcome {
    const more = this.found.length > 3 ? ` and ${this.found.length - 3} more` : ''
    const faults = this.found.length > 0 ? `. FAULTS: ${this.found.slice(0, 3).join('; ')}${more}` : ''
    return { figure: figure + faults, passed: this.found.length === 0 }
  }
}

/** A percentile: `percentile(99, latencies)`. */
export function percentile(part: number, values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((part / 100) * sorted.length))] ?? Number.NaN
}

/** Number of responses by status, as text: '5 × 201, 195 × 409'. */
export const formatCounts = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')

/** Processes all, so many concurrently. */
export async function each<T>(
  all: Iterable<T>,
  concurrency: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const iterator = all[Symbol.iterator]()
  const worker = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** A duration in ms as text: '12 ms'. */
export const milliseconds = (value: number): string => `${Math.round(value)} ms`

/** Waits for the next window of a rate limit, if this one ends within so many ms. */
export async function wholeWindow(name: keyof Limits, ms: number): Promise<void> {
  const window = (limitOf(readConfig({}), name)?.seconds ?? 0) * 1_000
  const iterator = window - (Date.now() % window)
  if (iterator < ms) await setTimeout(iterator + 1_000)
}
