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

  /**
   * Watches over what this worker is handed, and ends what it had not taken when it died: Node keeps such a connection open
   * and forgets it, and whoever asked would wait for ever. It numbers each (`seq`), and the worker confirms that (`ack`).
   */
  watch(worker: Worker): void {
    const untaken = new Map<number | undefined, Connection>()
    const send = worker.process.send?.bind(worker.process) as Send
    worker.process.send = (...args: unknown[]) => {
      const [message, connection] = args as [{ seq?: number }, Connection | undefined]
      if (!connection) return send(...args)
      untaken.set(message.seq, connection)
      if (!this.#isAhead(worker)) return send(...args)
      setTimeout(() => {
        if (untaken.has(message.seq)) send(...args)
      }, PAUSE_MS)
      return true
    }
    worker.process.on('internalMessage', ({ ack }: { ack?: number }) => untaken.delete(ack))
    worker.once('exit', () => {
      this.#handed.delete(worker)
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
