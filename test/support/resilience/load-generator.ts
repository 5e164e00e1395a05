/**
 * A load generator in a process of its own, so that it is not slowed by its parent. It opens as many connections as
 * users would have, and waits for a response on each before it begins, since a connection accepted only by the
 * kernel would wait for a process. A request without a free connection waits in a queue, which counts as response
 * time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Columns, Plan } from './flood.ts'
import { RawConnection } from './raw-connection.ts'

/** Number of connections. */
const CONNECTIONS = 1_000
/** The first request on each connection, not counted. */
const GREETING = Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
/** Number of that first request. */
const UNNOTED = Number.MAX_SAFE_INTEGER
/** Maximum of recorded requests per second in a closed loop. */
const MAX_PER_SECOND = 50_000
/** Interval of timeout checks, ms. */
const POLL_MS = 20

/** Requests over connections to a shop, with their results. */
class Flood {
  readonly #columns: Columns
  /** Number of requests so far; the last ones wait for a connection. */
  started = 0
  answered = 0
  /** Called when a connection is free and no request waits. */
  idle = () => {}
  #sent = 0
  /** Scheduled time of each, in ms of `performance.now()`. */
  readonly #scheduled: Float64Array
  readonly #requests: Buffer[]
  readonly #port: number
  readonly #connections = new Set<RawConnection>()
  readonly #free: RawConnection[] = []

  /** @param most maximum number of requests */
  constructor({ port, requests }: Plan, maxRequests: number) {
    this.#port = port
    this.#requests = requests.map(request => Buffer.from(request))
    this.#scheduled = new Float64Array(maxRequests)
    this.#columns = {
      status: new Uint16Array(maxRequests),
      retryAfter: new Uint16Array(maxRequests),
      took: new Float64Array(maxRequests),
      delay: new Float64Array(maxRequests),
    }
  }

  get free(): number {
    return this.#free.length
  }

  /** Whether the maximum is reached. */
  get full(): boolean {
    return this.started === this.#scheduled.length
  }

  /** Results so far. */
  get columns(): Columns {
    const { status, retryAfter, took, delay } = this.#columns
    const sent = <T extends Uint16Array | Float64Array>(values: T) => values.slice(0, this.started) as T
    return { status: sent(status), retryAfter: sent(retryAfter), took: sent(took), delay: sent(delay) }
  }

  /** Opens a connection, and another one when it ends. */
  open(): void {
    let greeted = false
    const connection = new RawConnection(this.#port, {
      free: () => {
        if (!greeted) {
          greeted = true
          connection.ask(UNNOTED, GREETING)
        } else if (this.#sent < this.started) this.#send(connection)
        else {
          this.#free.push(connection)
          this.idle()
        }
      },
      answered: (number, status, retryAfter) => {
        if (number === UNNOTED) return
        this.#columns.status[number] = status
        this.#columns.retryAfter[number] = retryAfter
        this.#columns.took[number] = performance.now() - this.#scheduled[number]!
        this.answered++
      },
      onClose: () => {
        this.#connections.delete(connection)
        const at = this.#free.indexOf(connection)
        if (at >= 0) this.#free.splice(at, 1)
        this.open()
      },
    })
    this.#connections.add(connection)
  }

  /** Queues a request scheduled at this time, in ms of `performance.now()`, possibly in the past. */
  begin(scheduled: number): void {
    this.#scheduled[this.started] = scheduled
    this.#columns.delay[this.started] = performance.now() - scheduled
    this.started++
    const connection = this.#free.pop()
    if (connection) this.#send(connection)
  }

  #send(connection: RawConnection): void {
    connection.ask(this.#sent, this.#requests[this.#sent % this.#requests.length]!)
    this.#sent++
  }

  /** Ends requests after a timeout. */
  checkTimeouts(): void {
    const now = performance.now()
    for (const connection of this.#connections) connection.checkTimeout(now)
  }
}

/** A closed loop with so many connections. */
async function closedLoop(flood: Flood, ms: number): Promise<void> {
  const end = performance.now() + ms
  flood.idle = () => {
    const now = performance.now()
    if (now < end && !flood.full) flood.begin(now)
  }
  while (flood.free > 0) flood.idle()
  await sleep(ms)
}

/** An open loop at a fixed rate. */
async function openLoop(flood: Flood, ms: number, perSecond: number): Promise<void> {
  const began = performance.now()
  for (let now = 0; now < ms; now = performance.now() - began) {
    while (flood.started < (now / 1_000) * perSecond && !flood.full)
      flood.begin(began + (flood.started / perSecond) * 1_000)
    await sleep(1)
  }
}

process.once('message', async (plan: Plan) => {
  const { perSecond, ms, connections = CONNECTIONS } = plan
  const flood = new Flood(plan, Math.ceil((ms / 1_000) * (perSecond ?? MAX_PER_SECOND)))
  for (let n = 0; n < connections; n++) flood.open()
  while (flood.free < connections) await sleep(POLL_MS)
  await (perSecond === undefined ? closedLoop(flood, ms) : openLoop(flood, ms, perSecond))
  while (flood.answered < flood.started) {
    await sleep(POLL_MS)
    flood.checkTimeouts()
  }
  process.send?.(flood.columns, () => process.exit(0))
})
