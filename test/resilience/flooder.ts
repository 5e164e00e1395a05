/**
 * Asks a shop as told by its parent, in a process of its own: what asks must not be slower than what answers. As many
 * connections as people would have are open before it begins, and the shop has answered on each: one that only the
 * kernel has taken would wait to be handed to a process. Who finds none free waits for one, in the order of coming, and
 * that counts as waiting for the answer.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Noted, Plan } from './flood.ts'
import { Line } from './raw-connection.ts'

/** Connections of a flood: those of many people at the same time. */
const CONNECTIONS = 1_000
/** What is asked first on each connection, and not noted. */
const GREETING = Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
/** The number of a greeting. */
const UNNOTED = Number.MAX_SAFE_INTEGER
/** Requests a second that can be noted where no rate is given. */
const MOST_PER_SECOND = 50_000
/** Milliseconds between two looks at how far it is. */
const LOOK_MS = 20

/** What is asked over lines to a shop, and what became of it. */
class Flood {
  readonly #noted: Noted
  /** How many requests there are so far; the last of them wait for a line. */
  begun = 0
  answered = 0
  /** Called when a line is free and nobody waits for it. */
  idle = () => {}
  #sent = 0
  /** When each was to be sent, in milliseconds of `performance.now()`. */
  readonly #scheduled: Float64Array
  readonly #requests: Buffer[]
  readonly #port: number
  readonly #lines = new Set<Line>()
  readonly #free: Line[] = []

  /** @param most how many requests there may be */
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

  /** Whether no more can be noted. */
  get full(): boolean {
    return this.begun === this.#scheduled.length
  }

  /** Of all requests so far. */
  get noted(): Noted {
    const { status, retryAfter, took, late } = this.#noted
    const so = <T extends Uint16Array | Float64Array>(values: T) => values.slice(0, this.begun) as T
    return { status: so(status), retryAfter: so(retryAfter), took: so(took), late: so(late) }
  }

  /** Opens a line, and another one should it end. */
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

  /** One more request, to be sent at this time in milliseconds of `performance.now()`, which may be past. */
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

  /** Gives up what has waited too long for its answer. */
  look(): void {
    const now = performance.now()
    for (const line of this.#lines) line.look(now)
  }
}

/** So many ask one after the other without pause. */
async function inTurn(flood: Flood, ms: number): Promise<void> {
  const end = performance.now() + ms
  flood.idle = () => {
    const now = performance.now()
    if (now < end && !flood.full) flood.begin(now)
  }
  while (flood.free > 0) flood.idle()
  await sleep(ms)
}

/** Asks at a rate whatever is answered, as people do who do not know of each other. */
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
