import { connect, type Socket } from 'node:net'

/** How long an answer is waited for, milliseconds. */
const ANSWER_MS = 30_000

/** What a line tells whoever asks over it. */
interface Ears {
  /** The line is open and nothing is under way on it. */
  free(line: Line): void
  /** The request of this number was answered with this; with 0 where the connection ended instead. */
  answered(number: number, status: number, retryAfter: number): void
  /** The line has ended, and will not be free again. */
  gone(line: Line): void
}

// Each read is looked at before the next one comes, so all lines share one place for it.
const place = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * A connection to a shop that asks one thing after the other. Whoever floods has as much to do as whoever is flooded, so
 * it makes no promise, no timer and no stream for a request, and reads of an answer what it needs.
 */
export class Line {
  readonly #socket: Socket
  readonly #ears: Ears
  /** The request under way; -1 for none. */
  #number = -1
  /** When it was sent, in milliseconds of `performance.now()`. */
  #since = 0
  /** What has arrived of a head that is not whole yet. */
  #head = ''
  /** Bytes of the body that are still missing; undefined before the head is whole. */
  #missing: number | undefined
  #status = 0
  #retryAfter = 0
  #closes = false

  constructor(port: number, ears: Ears) {
    this.#ears = ears
    const callback = (length: number) => {
      this.#read(length)
      return true
    }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: place, callback } })
      .on('error', () => {})
      .on('connect', () => ears.free(this))
      .on('close', () => {
        ears.gone(this)
        if (this.#number >= 0) ears.answered(this.#number, 0, 0)
      })
  }

  /** Sends a request under this number. */
  ask(number: number, request: Buffer): void {
    this.#number = number
    this.#since = performance.now()
    this.#socket.write(request)
  }

  /** Gives up where an answer has taken too long. */
  look(now: number): void {
    if (this.#number >= 0 && now - this.#since > ANSWER_MS) this.#socket.destroy()
  }

  #read(length: number): void {
    if (this.#missing === undefined) this.#readHead(place.toString('latin1', 0, length))
    else this.#missing -= length
    if (this.#missing === undefined || this.#missing > 0) return
    const number = this.#number
    this.#number = -1
    this.#missing = undefined
    if (number >= 0) this.#ears.answered(number, this.#status, this.#retryAfter)
    // What comes unasked, such as 408 to whoever sent nothing, is followed by the end.
    if (this.#closes || number < 0) this.#socket.destroy()
    else this.#ears.free(this)
  }

  #readHead(part: string): void {
    this.#head += part
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#head.slice(0, end + 2).toLowerCase()
    this.#missing = numberIn(head, '\r\ncontent-length:') - (this.#head.length - end - 4)
    this.#head = ''
    this.#status = Number(head.slice(9, 12))
    this.#retryAfter = numberIn(head, '\r\nretry-after:')
    this.#closes = head.includes('\r\nconnection: close')
  }
}

/** The whole number that a header has, 0 without it. Looking for a text takes half the time of looking for a pattern. */
function numberIn(head: string, start: string): number {
  const at = head.indexOf(start)
  return at < 0 ? 0 : Number.parseInt(head.slice(at + start.length, at + start.length + 12), 10)
}
