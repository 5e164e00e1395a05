import { Problem } from '#problem'
import type { Load } from '../observability/instruments.ts'

/** Load of every concurrency limit of this process, by name. */
export const limitLoads = new Map<string, Load>()

/** Number of processes on this machine, each with its own limits. */
let processes = 1

/** Divides each limit by the number of processes; each process runs at least one task. */
export function setProcessCount(count: number): void {
  processes = count
}

interface ConcurrencyLimit {
  /** Name in the metrics. */
  name: string
  /** Number of tasks that run concurrently on this machine. */
  maxRunning: number
  /** Number of tasks that may wait. */
  maxWaiting: number
  /** Message of the refusal. */
  busy: string
}

/**
 * Limits how many expensive tasks run concurrently: a semaphore with a bounded FIFO queue.
 * @returns runs a task as soon as the limit permits. It throws Problem 503 at once if the queue is full
 */
export function limitConcurrency(limit: ConcurrencyLimit): <T>(work: () => Promise<T>) => Promise<T> {
  const load: Load = { running: 0, waiting: 0, refused: 0 }
  limitLoads.set(limit.name, load)
  const queue: (() => void)[] = []
  return async work => {
    if (load.running < Math.max(1, Math.floor(limit.maxRunning / processes))) load.running++
    else if (queue.length < limit.maxWaiting) {
      load.waiting++
      await new Promise<void>(go => queue.push(go))
    } else {
      load.refused++
      throw new Problem(503, limit.busy, { retryAfter: 5 })
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) {
        load.waiting--
        next()
      } else load.running--
    }
  }
}
