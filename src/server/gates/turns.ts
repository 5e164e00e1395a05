import { Problem } from '#problem'

declare module 'fastify' {
  interface FastifyInstance {
    /** Name → how busy it is, of everything that turns requests away when there are too many. */
    loads: Map<string, Load>
  }
}

/** How busy something is that takes so much at a time, and no more. */
export interface Load {
  running: number
  waiting: number
  /** Turned away since the start. */
  refused: number
}
/** Name → the load of everything in this process that works in turns. */
export const turnLoads = new Map<string, Load>()

/** Processes that work on this machine beside each other, each holding to its own turns. */
let processes = 1

/** Tells how many processes divide what may run at the same time between them; each keeps one turn at least. */
export function divideTurns(among: number): void {
  processes = among
}

interface Turns {
  /** What waits here, for those who watch: 'pictures'. */
  name: string
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
export function turns({ name, atOnce, waiting, busy }: Turns): <T>(work: () => Promise<T>) => Promise<T> {
  const load: Load = { running: 0, waiting: 0, refused: 0 }
  turnLoads.set(name, load)
  const queue: (() => void)[] = []
  return async work => {
    if (load.running < Math.max(1, Math.floor(atOnce / processes))) load.running++
    else if (queue.length < waiting) {
      load.waiting++
      await new Promise<void>(go => queue.push(go))
    } else {
      load.refused++
      throw new Problem(503, busy, { retryAfter: 5 })
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
