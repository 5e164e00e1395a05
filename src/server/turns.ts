import { Problem } from '#problem'

/** Processes that work on this machine beside each other, each holding to its own turns. */
let processes = 1

/** Tells how many processes divide what may run at the same time between them; each keeps one turn at least. */
export function divideTurns(among: number): void {
  processes = among
}

interface Turns {
  /** How many pieces of work run at the same time on this machine. */
  atOnce: number
  /** How many may wait for their turn. */
  waiting: number
  /** What whoever comes beyond that is told. */
  busy: string
}

/**
 * Holds costly work to a number: first come, first served. What it gives runs the work in its turn.
 * @throws Problem 503 at once where too many wait already
 */
export function turns({ atOnce, waiting, busy }: Turns): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const queue: (() => void)[] = []
  return async work => {
    if (running < Math.max(1, Math.floor(atOnce / processes))) running++
    else if (queue.length < waiting) await new Promise<void>(go => queue.push(go))
    else throw new Problem(503, busy, { retryAfter: 5 })
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
