import { connect, type Socket } from 'node:net'

/** Timeout of a response, ms. */
const ANSWER_MS = 30_000

/** Events of a connection. */
interface Listener {
  /** The connection is open and idle. */
  free(connection: RawConnection): void
  /** The response to a request; status 0 if the connection ended instead. */
  answered(number: number, status: number, retryAfter: number): void
  /** The connection has ended. */
  onClose(connection: RawConnection): void
}

// One shared buffer: each read is processed synchronously.
const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * A connection to a shop with one request at a time. The load generator must be cheaper than the shop, so it uses no
 * promise, timer or stream per request, and parses only what it needs.
 */
export class RawConnection {
  readonly #socket: Socket
  readonly #listener: Listener
  /** The current request; -1 for none. */
  #number = -1
  /** When it was sent, in ms of `performance.now()`. */
  #since = 0
  /** Part of an incomplete head. */
  #head = ''
  /** Missing bytes of the body; undefined before the head is complete. */
  #missing: number | undefined
  #status = 0
  #retryAfter = 0
  #closes = false

  constructor(port: number, listener: Listener) {
    this.#listener = listener
    const callback = (length: number) => {
      this.#read(length)
      return true
    }
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: sharedBuffer, callback },
    })
      .on('error', () => {})
      .on('connect', () => listener.free(this))
      .on('close', () => {
        listener.onClose(this)
        if (this.#number >= 0) listener.answered(this.#number, 0, 0)
      })
  }

  /** Sends a request under this number. */
  ask(number: number, request: Buffer): void {
    this.#number = number
    this.#since = performance.now()
    this.#socket.write(request)
  }

  /** Closes the connection after a timeout. */
  checkTimeout(now: number): void {
    if (this.#number >= 0 && now - this.#since > ANSWER_MS) this.#socket.destroy()
  }

  #read(length: number): void {
    if (this.#missing === undefined) this.#readHead(sharedBuffer.toString('latin1', 0, length))
    else this.#missing -= length
    if (this.#missing === undefined || this.#missing > 0) return
    const number = this.#number
    this.#number = -1
    this.#missing = undefined
    if (number >= 0) this.#listener.answered(number, this.#status, this.#retryAfter)
    // An unsolicited response, such as 408, is followed by the end.
    if (this.#closes || number < 0) this.#socket.destroy()
    else this.#listener.free(this)
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

/** The integer value of a header, 0 without it. indexOf takes half the time of a regular expression. */
function numberIn(head: string, start: string): number {
  const at = head.indexOf(start)
  return at < 0 ? 0 : Number.parseInt(head.slice(at + start.length, at + start.length + 12), 10)
}
