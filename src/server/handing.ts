import type { Worker } from 'node:cluster'

/** So many connections more than the process that took the fewest may another take at once. */
const AHEAD = 8
/** Milliseconds until whoever is further ahead is handed its next. */
const PAUSE_MS = 5
/** What is handed out is counted anew so often, milliseconds. */
const MOMENT_MS = 250

interface Connection {
  close(): void
}
/** What the processes of a cluster tell each other. */
interface Told {
  /** 'newconn' hands a connection to a worker, 'close' says that the worker takes no more. */
  act?: string
  /** Number of this message; `ack` is that of the one it answers. */
  seq?: number
  ack?: number
  /** Whether the worker took the connection. */
  accepted?: boolean
}
type Send = (...args: unknown[]) => boolean

/**
 * How connections come to the processes of a crew. Node hands each to the next process that has taken its last one. In a
 * rush that may be the same again and again, while others wait for a core: one of four was handed 144 of 200, and had to
 * turn people away whom the others had room for. So whoever is ahead pauses before its next.
 */
export class Handing {
  /** Worker → what it was handed in this moment. It is counted from its first one on. */
  readonly #handed = new Map<Worker, number>()
  #moment = 0
  readonly #listening = new Set<Worker>()
  /** Hands over what pauses still. */
  readonly #paused = new Set<() => void>()
  #over = false

  /** Pauses no more: from now on workers are told to end, and take no longer what comes late. */
  end(): void {
    this.#over = true
    for (const give of this.#paused) give()
  }

  /**
   * Watches over what this worker is handed. What it had not taken when it died, and what it refuses when no other listens
   * any more, Node keeps open and forgets, and whoever asked would wait for ever: that is closed here.
   */
  watch(worker: Worker): void {
    const untaken = new Map<number, Connection>()
    const send = worker.process.send?.bind(worker.process) as Send
    worker.process.send = (...args: unknown[]) => {
      const [{ act, seq = 0 }, connection] = args as [Told, Connection]
      if (act !== 'newconn') return send(...args)
      untaken.set(seq, connection)
      if (this.#over || !this.#isAhead(worker)) return send(...args)
      const give = () => {
        if (this.#paused.delete(give) && untaken.has(seq)) send(...args)
      }
      this.#paused.add(give)
      setTimeout(give, PAUSE_MS)
      return true
    }
    worker.once('listening', () => this.#listening.add(worker))
    worker.process.on('internalMessage', ({ act, ack = 0, accepted }: Told) => {
      if (act === 'close') this.#listening.delete(worker)
      const connection = untaken.get(ack)
      untaken.delete(ack)
      // Else Node has handed it to the next already, or will as soon as that one is free.
      if (accepted === false && this.#listening.size === 0) connection?.close()
    })
    worker.once('exit', () => {
      this.#handed.delete(worker)
      this.#listening.delete(worker)
      for (const connection of untaken.values()) connection.close()
      untaken.clear()
    })
  }

  /** Counts one more for this worker. @returns whether it is far ahead of another */
  #isAhead(worker: Worker): boolean {
    const now = performance.now()
    if (now - this.#moment > MOMENT_MS) {
      this.#moment = now
      for (const each of this.#handed.keys()) this.#handed.set(each, 0)
    }
    const handed = (this.#handed.get(worker) ?? 0) + 1
    this.#handed.set(worker, handed)
    return handed > AHEAD + Math.min(...this.#handed.values())
  }
}
