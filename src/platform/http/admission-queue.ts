import type { Load } from '../observability/instruments.ts'

/** The limits of an `AdmissionQueue`. */
export interface QueueLimits {
  /** Sum of the costs that may run at the same time. A small request costs 1. */
  maxRunning: number
  /** Sums of the costs that may wait: of cheap requests (cost 1), and of costly ones. */
  waiting: { cheap: number; costly: number }
  /** Longest wait, milliseconds. */
  maxWait: number
  /** Longest wait while requests are refused, milliseconds. */
  targetDelay: number
  /** A new cheap request is refused if the first in its line has waited for longer than this, milliseconds. */
  standingDelay: number
}

interface Waiter {
  cost: number
  /** When it began to wait: `performance.now()`. */
  since: number
  settle: (admitted: boolean) => void
}

/** A flood lasts this long after the last refusal, milliseconds. */
const FLOOD_MS = 250
/** Of this many waiting requests that are admitted, one may be costly while cheap ones wait. */
const CHEAP_FIRST = 4

/**
 * Admission queue: limits the cost of the requests that run at the same time. The others wait in two lines, cheap requests
 * first, each line in the order of arrival.
 *
 * In a burst a request may wait for `maxWait`. In a flood, while requests are refused, it waits for `targetDelay` at most, so
 * that admitted requests are served soon: requests that waited longer are refused, and so are new ones if the first in
 * line has waited for half of that. A flood begins when a line is full, or when a cheap request comes while the first in its
 * line has waited for `standingDelay`; it holds for both lines. The delay of the first in line is the measure of CoDel ("Controlling queue delay", Nichols
 * and Jacobson, 2012).
 */
export class AdmissionQueue {
  readonly #limits: QueueLimits
  /** For the metrics. */
  readonly load: Load = { running: 0, waiting: 0, refused: 0 }
  #lines: Record<'cheap' | 'costly', Waiter[]> = { cheap: [], costly: [] }
  #waiting = { cheap: 0, costly: 0 }
  #admitted = 0
  #lastRefusal = Number.NEGATIVE_INFINITY

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Whether a request is admitted without waiting. */
  get hasCapacity(): boolean {
    return this.load.running < this.#limits.maxRunning
  }

  #flooded(): boolean {
    return performance.now() - this.#lastRefusal < FLOOD_MS
  }

  /** Whether a request of this cost would be refused now. */
  isFull(cost: number): boolean {
    if (this.hasCapacity) return false
    const line = lineOf(cost)
    if (this.#waiting[line] + cost > this.#limits.waiting[line]) return true
    // If the first in line has waited for so long, a new request would wait too long.
    const { targetDelay, standingDelay } = this.#limits
    const standing = line === 'cheap' ? standingDelay : Number.POSITIVE_INFINITY
    const bound = this.#flooded() ? targetDelay / 2 : standing
    const [first] = this.#lines[line]
    return first !== undefined && performance.now() - first.since > bound
  }

  /** Counts a request that was refused, here or before it came here. */
  countRefusal(): void {
    this.#lastRefusal = performance.now()
    this.load.refused++
  }

  /**
   * Admits a request, at once or after waiting.
   * @param onClose registers a function that has to be called if the client closes the connection: it is not admitted, and not
   *   counted as refused
   * @returns whether it was admitted. If so, `release` has to be called with the same cost
   */
  acquire(cost: number, onClose: (cancel: () => void) => void): Promise<boolean> | boolean {
    if (this.isFull(cost)) {
      this.countRefusal()
      return false
    }
    if (this.hasCapacity) {
      this.load.running += cost
      return true
    }
    return new Promise(resolve => {
      const line = lineOf(cost)
      const settle = (admitted: boolean) => {
        clearTimeout(timer)
        this.#waiting[line] -= cost
        this.load.waiting -= cost
        resolve(admitted)
      }
      const leaveQueue = () => {
        const at = this.#lines[line].indexOf(waiter)
        if (at < 0) return false
        this.#lines[line].splice(at, 1)
        waiter.settle(false)
        return true
      }
      const timer = setTimeout(() => {
        // Not `countRefusal`: a refusal after a wait does not prolong the flood.
        if (leaveQueue()) this.load.refused++
      }, this.#limits.maxWait)
      const waiter: Waiter = { cost, since: performance.now(), settle }
      this.#lines[line].push(waiter)
      this.#waiting[line] += cost
      this.load.waiting += cost
      onClose(leaveQueue)
    })
  }

  /** Ends a request of this cost, and admits the next ones. */
  release(cost: number): void {
    this.load.running -= cost
    while (this.hasCapacity) {
      const next = this.#next()
      if (!next) return
      this.load.running += next.cost
      next.settle(true)
    }
  }

  /** Takes the next request from the lines. In a flood, those that have waited too long are refused. */
  #next(): Waiter | undefined {
    const now = performance.now()
    const flooded = this.#flooded()
    for (;;) {
      const { cheap, costly } = this.#lines
      const costlyFirst = this.#admitted % CHEAP_FIRST === CHEAP_FIRST - 1
      const line = (costlyFirst ? costly.length > 0 : cheap.length === 0) ? costly : cheap
      const next = line.shift()
      if (!next) return undefined
      if (!flooded || now - next.since < this.#limits.targetDelay) {
        this.#admitted++
        return next
      }
      this.load.refused++
      next.settle(false)
    }
  }
}

const lineOf = (cost: number): 'cheap' | 'costly' => (cost > 1 ? 'costly' : 'cheap')
