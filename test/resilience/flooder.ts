/**
 * A load generator in a process of its own, so that it is not slowed by its parent. It opens as many connections as
 * users would have, and waits for a response on each before it begins, since a connection accepted only by the
 * kernel would wait for a process. A request without a free connection waits in a queue, which counts as response
 * time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Noted, Plan } from './flood.ts'
import { Line } from './raw-connection.ts'

/** Number of connections. */
const CONNECTIONS = 1_000
/** The first request on each connection, not counted. */
const GREETING = Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
/** Number of that first request. */
const UNNOTED = Number.MAX_SAFE_INTEGER
/** Maximum of recorded requests per second in a closed loop. */
const MOST_PER_SECOND = 50_000
/** Interval of timeout checks, ms. */
const LOOK_MS = 20

/** Requests over connections to a shop, with their results. */
class Flood {
  readonly #noted: Noted
  /** Number of requests so far; the last ones wait for a connection. */
  begun = 0
  answered = 0
  /** Called when a connection is free and no request waits. */
  idle = () => {}
  #sent = 0
  /** Scheduled time of each, in ms of `performance.now()`. */
  readonly #scheduled: Float64Array
  readonly #requests: Buffer[]
  readonly #port: number
  readonly #lines = new Set<Line>()
  readonly #free: Line[] = []

  /** @param most maximum number of requests */
  constructor({ port, requests }: Plan, most: number) {
    this.#port = port
    this.#requests = requests.map(request => Buffer.from(request))
    this.#scheduled = new Float64Array(most)
    this.#noted = {
      status: new Uint16Array(most),
      retryAfter: new Uint16Array(most),
      took: new Float64Array(most),
      late: new Float64Array(most),
    }
  }

  get free(): number {
    return this.#free.length
  }

  /** Whether the maximum is reached. */
  get full(): boolean {
    return this.begun === this.#scheduled.length
  }

  /** Results so far. */
  get noted(): Noted {
    const { status, retryAfter, took, late } = this.#noted
    const so = <T extends Uint16Array | Float64Array>(values: T) => values.slice(0, this.begun) as T
    return { status: so(status), retryAfter: so(retryAfter), took: so(took), late: so(late) }
  }

  /** Opens a connection, and another one when it ends. */
  open(): void {
    let greeted = false
    const line = new Line(this.#port, {
      free: () => {
        if (!greeted) {
          greeted = true
          line.ask(UNNOTED, GREETING)
        } else if (this.#sent < this.begun) this.#send(line)
        else {
          this.#free.push(line)
          this.idle()
        }
      },
      answered: (number, status, retryAfter) => {
        if (number === UNNOTED) return
        this.#noted.status[number] = status
        this.#noted.retryAfter[number] = retryAfter
        this.#noted.took[number] = performance.now() - this.#scheduled[number]!
        this.answered++
      },
      gone: () => {
        this.#lines.delete(line)
        const at = this.#free.indexOf(line)
        if (at >= 0) this.#free.splice(at, 1)
        this.open()
      },
    })
    this.#lines.add(line)
  }

  /** Queues a request scheduled at this time, in ms of `performance.now()`, possibly in the past. */
  begin(scheduled: number): void {
    this.#scheduled[this.begun] = scheduled
    this.#noted.late[this.begun] = performance.now() - scheduled
    this.begun++
    const line = this.#free.pop()
    if (line) this.#send(line)
  }

  #send(line: Line): void {
    line.ask(this.#sent, this.#requests[this.#sent % this.#requests.length]!)
    this.#sent++
  }

  /** Ends requests after a timeout. */
  look(): void {
    const now = performance.now()
    for (const line of this.#lines) line.look(now)
  }
}

/** A closed loop with so many connections. */
async function inTurn(flood: Flood, ms: number): Promise<void> {
  const end = performance.now() + ms
  flood.idle = () => {
    const now = performance.now()
    if (now < end && !flood.full) flood.begin(now)
  }
  while (flood.free > 0) flood.idle()
  await sleep(ms)
}

/** An open loop at a fixed rate. */
async function atRate(flood: Flood, ms: number, perSecond: number): Promise<void> {
  const began = performance.now()
  for (let now = 0; now < ms; now = performance.now() - began) {
    while (flood.begun < (now / 1_000) * perSecond && !flood.full)
      flood.begin(began + (flood.begun / perSecond) * 1_000)
    await sleep(1)
  }
}

process.once('message', async (plan: Plan) => {
  const { perSecond, ms, atOnce = CONNECTIONS } = plan
  const flood = new Flood(plan, Math.ceil((ms / 1_000) * (perSecond ?? MOST_PER_SECOND)))
  for (let n = 0; n < atOnce; n++) flood.open()
  while (flood.free < atOnce) await sleep(LOOK_MS)
  await (perSecond === undefined ? inTurn(flood, ms) : atRate(flood, ms, perSecond))
  while (flood.answered < flood.begun) {
    await sleep(LOOK_MS)
    flood.look()
  }
  process.send?.(flood.noted, () => process.exit(0))
})
