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
  /** Connections on their way to a worker. */
  readonly #underWay = new Set<Connection>()
  /** Hands over what pauses still. */
  readonly #paused = new Set<() => void>()
  #over = false

  /** Pauses no more, before the workers are told to end, and ends what none of them takes any more. */
  end(): void {
    this.#over = true
    for (const give of this.#paused) give()
  }

  /**
   * Watches over what this worker is handed. Node numbers each connection (`seq`), and the worker confirms that it took it or
   * did not (`ack`). What it had not taken when it died, and what nobody takes because all of them end, Node keeps open and
   * forgets, and whoever asked would wait for ever: that is ended here.
   */
  watch(worker: Worker): void {
    const untaken = new Map<number | undefined, Connection>()
    const send = worker.process.send?.bind(worker.process) as Send
    worker.process.send = (...args: unknown[]) => {
      const [message, connection] = args as [{ seq?: number }, Connection | undefined]
      if (!connection) return send(...args)
      untaken.set(message.seq, connection)
      this.#underWay.add(connection)
      if (this.#over || !this.#isAhead(worker)) return send(...args)
      const give = () => {
        if (this.#paused.delete(give) && untaken.has(message.seq)) send(...args)
      }
      this.#paused.add(give)
      setTimeout(give, PAUSE_MS)
      return true
    }
    worker.process.on('internalMessage', ({ ack, accepted }: { ack?: number; accepted?: boolean }) => {
      const connection = untaken.get(ack)
      if (!connection) return
      untaken.delete(ack)
      this.#underWay.delete(connection)
      // Node tries the next worker at once, if there is one.
      const end = () => this.#underWay.has(connection) || connection.close()
      if (accepted === false && this.#over) setImmediate(end)
    })
    worker.once('exit', () => {
      this.#handed.delete(worker)
      for (const connection of untaken.values()) {
        this.#underWay.delete(connection)
        connection.close()
      }
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
