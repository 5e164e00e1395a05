import type { Load } from '../observability/queue-load.ts'

interface QueueLimits {
  /** What is inside at the same time, in the measure of a small request. */
  atOnce: number
  /** What may wait beside that: requests that cost little, and those that cost more. */
  waiting: { cheap: number; costly: number }
  /** Milliseconds that anybody waits. */
  maxWait: number
  /** Milliseconds that anybody waits while others are turned away. */
  targetDelay: number
}

interface Waiter {
  cost: number
  /** When it began to wait, in milliseconds of `performance.now()`. */
  since: number
  answer: (inside: boolean) => void
  late: NodeJS.Timeout
}

/** Whoever is turned away makes everybody hasten for this long, milliseconds. */
const FLOOD_MS = 250
/** What may be inside at the least, in the measure of a small request. */
const LEAST = 4
/** Of so many who are let in from the line, one may be costly while cheap ones wait. */
const CHEAP_FIRST = 4

/**
 * Lets work in, each for what it costs, and lets the rest wait: what costs little first, and in the order of coming.
 * More at once would make nothing faster. A burst may wait for a while. In a flood, when not even the lines have room,
 * waiting is short: nobody joins a line whose first has waited for half of the time that is left to them, and whoever
 * has waited longer is turned away too, so that those who are let in are answered soon. What is measured is how long the
 * first in line has waited, as in "Controlling queue delay" (Nichols and Jacobson, 2012). And where even turning away
 * keeps the process behind, fewer are let in: whoever cannot be refused in time waits in front of the shop, unseen.
 */
export class AdmissionQueue {
  readonly #size: QueueLimits
  /** How busy it is, for those who watch. */
  readonly load: Load = { running: 0, waiting: 0, refused: 0 }
  #lines: Record<'cheap' | 'costly', Waiter[]> = { cheap: [], costly: [] }
  #waiting = { cheap: 0, costly: 0 }
  #let = 0
  #turnedAway = Number.NEGATIVE_INFINITY

  /** What may be inside at the same time in a flood. */
  #places: number

  constructor(size: QueueLimits) {
    this.#size = size
    this.#places = size.atOnce
  }

  /** Whether nobody has to wait. */
  get hasCapacity(): boolean {
    const { running } = this.load
    return running < this.#places || (running < this.#size.atOnce && !this.#flooded())
  }

  #flooded(): boolean {
    return performance.now() - this.#turnedAway < FLOOD_MS
  }

  /** Tells in a flood, some twenty times a second, whether the process cannot keep up with turning people away. */
  adjustLimit(behind: boolean): void {
    // Less by a part and more by a step, as those who send over one line share it in TCP.
    if (behind) this.#places = Math.max(LEAST, this.#places * 0.7)
    else this.#places = Math.min(this.#size.atOnce, this.#places + 4)
    this.#letIn()
  }

  /** Whether somebody at this cost would be turned away now. */
  isFull(cost: number): boolean {
    if (this.hasCapacity) return false
    const line = lineOf(cost)
    return this.#waiting[line] + cost > this.#size.waiting[line] || this.#isSlow(line)
  }

  /** Whether in a flood the first in line has waited so long that whoever comes now would wait in vain. */
  #isSlow(line: 'cheap' | 'costly'): boolean {
    const [first] = this.#lines[line]
    return (
      first !== undefined && this.#flooded() && performance.now() - first.since > this.#size.targetDelay / 2
    )
  }

  /** Notes that somebody was turned away, here or before they had come here. */
  countRefusal(): void {
    this.#turnedAway = performance.now()
    this.load.refused++
  }

  /**
   * Goes in, at once or after waiting.
   * @param gone calls back when whoever waits has gone
   * @returns whether there was room in time; whoever is inside has to `leave` with the same cost
   */
  acquire(cost: number, gone: (left: () => void) => void): Promise<boolean> | boolean {
    if (this.isFull(cost)) {
      this.countRefusal()
      return false
    }
    if (this.hasCapacity) {
      this.load.running += cost
      return true
    }
    return new Promise(answer => {
      const line = lineOf(cost)
      const give = (inside: boolean) => {
        clearTimeout(waiter.late)
        this.#waiting[line] -= cost
        this.load.waiting -= cost
        if (!inside) this.load.refused++
        answer(inside)
      }
      const leaveLine = () => {
        const at = this.#lines[line].indexOf(waiter)
        if (at < 0) return
        this.#lines[line].splice(at, 1)
        waiter.answer(false)
      }
      const late = setTimeout(leaveLine, this.#size.maxWait)
      const waiter: Waiter = { cost, since: performance.now(), answer: give, late }
      this.#lines[line].push(waiter)
      this.#waiting[line] += cost
      this.load.waiting += cost
      gone(leaveLine)
    })
  }

  /** Makes room, and lets in whoever is next. */
  release(cost: number): void {
    this.load.running -= cost
    this.#letIn()
  }

  #letIn(): void {
    while (this.hasCapacity) {
      const next = this.#next()
      if (!next) return
      this.load.running += next.cost
      next.answer(true)
    }
  }

  /** Who is next; whoever has waited too long for a flood is turned away on the way. */
  #next(): Waiter | undefined {
    const now = performance.now()
    const hasten = this.#flooded()
    for (;;) {
      const { cheap, costly } = this.#lines
      const costlyFirst = this.#let % CHEAP_FIRST === CHEAP_FIRST - 1
      const line = (costlyFirst ? costly.length > 0 : cheap.length === 0) ? costly : cheap
      const next = line.shift()
      if (!next) return undefined
      if (!hasten || now - next.since < this.#size.targetDelay) {
        this.#let++
        return next
      }
      next.answer(false)
    }
  }
}

const lineOf = (cost: number): 'cheap' | 'costly' => (cost > 1 ? 'costly' : 'cheap')
