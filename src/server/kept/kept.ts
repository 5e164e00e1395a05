import type { Client } from 'pg'
import { type Connection, ownClient } from '../database/database.ts'
import { Personal } from './personal.ts'
import { Shelves } from './shelves.ts'

/** Pause before listening again after the connection was lost, milliseconds. */
const RETRY_MS = 500
/** A connection that has silently gone is noticed after this time, milliseconds. */
const HEARTBEAT_MS = 15_000

/** What may be kept: its key, how it is made, and about how much room it takes. */
type Asked<T> = [key: string, load: () => Promise<T>, size: (value: T) => { bytes: number }]
/** Gives a part of an answer, kept or made. */
export type Part = <T>(...asked: Asked<T>) => Promise<T>

/**
 * Answers that are the same for everybody, kept until anything public changes. Triggers notify the channel
 * `changed` when a transaction that touched a public table commits; whoever made the change in this process
 * also drops everything before it is answered, and whoever made it in another one waits for `caughtUp`: so nobody
 * ever reads an answer older than their own change. While the notifications cannot be heard nothing is kept.
 */
export class Kept {
  readonly #alone: boolean
  /** Since the start: answers that were there, that had to be made, and how often all were dropped. */
  readonly counts = { hit: 0, miss: 0, drop: 0 }
  readonly #shelves = new Shelves()
  readonly #personal = new Personal()
  #generation = 0
  #hearing = false
  #client: Client | undefined
  #listening: Promise<void> | undefined
  #closed = false
  #heart: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #lose = () => {}
  #asked: Promise<boolean> = Promise.resolve(true)
  #next: Promise<boolean> | undefined

  /** @param options.alone no other process ever changes this shop */
  constructor({ alone = false } = {}) {
    this.#alone = alone
  }

  /** The kept value of a key, or what `load` gives. Callers at the same time share one load. */
  async get<T>(...asked: Asked<T>): Promise<T> {
    const [key, load] = asked
    this.counts[this.#shelves.has(key) ? 'hit' : 'miss']++
    return this.#hearing ? this.#get(...asked) : load()
  }

  /**
   * As `get`, for what several answers have in common.
   * @param since the generation in which the answer began to be made: its parts may be older than the next one
   */
  part<T>(since: number | undefined, ...asked: Asked<T>): Promise<T> {
    const [, load] = asked
    return since !== undefined && since === this.generation ? this.#get(...asked) : load()
  }

  async #get<T>(...[key, load, size]: Asked<T>): Promise<T> {
    const found = this.#shelves.find(key)
    if (found) return found.value as Promise<T>
    const generation = this.#generation
    const entry = this.#shelves.add(key, load())
    try {
      const value = (await entry.value) as T
      if (generation === this.#generation) this.#shelves.measure(key, entry, size(value).bytes)
      return value
    } catch (error) {
      this.#shelves.remove(key, entry)
      throw error
    }
  }

  /** What was put under a key, where it is still there. */
  look<T>(key: string): T | undefined {
    const found = this.#shelves.find(key)
    if (found) this.counts.hit++
    return found?.value as T | undefined
  }

  /** Keeps what was made since a generation began, unless that is over. @param bytes about how much room it takes */
  put(key: string, value: unknown, since: number | undefined, bytes: number): void {
    if (since === undefined || since !== this.generation || this.#shelves.has(key)) return
    this.#shelves.measure(key, this.#shelves.add(key, value), bytes)
  }

  /** About how much room all of it takes. */
  get bytes(): number {
    return this.#shelves.bytes
  }

  /** Counts the drops: what is loaded now may be kept until the next. Undefined while nothing is kept. */
  get generation(): number | undefined {
    return this.#hearing ? this.#generation : undefined
  }

  /** What people were told of themselves; undefined where there may be changes that this process does not make or hear. */
  get personal(): Personal | undefined {
    return this.#alone && this.#hearing ? this.#personal : undefined
  }

  /** Forgets everything. A load under way still answers those who wait for it, and is not kept. */
  drop(): void {
    this.counts.drop++
    this.#generation++
    this.#shelves.clear()
    this.#personal.changed()
  }

  /**
   * Fulfilled once every change is heard that was committed before this was asked for: true, or false where nothing
   * is kept at the moment. A round trip on the connection that listens is enough, because PostgreSQL signals those who
   * listen before it answers the commit, and hands over what they have to hear before it is ready for the next question.
   * Those who ask while a question is under way share the next one.
   * @throws Error where the database does not answer
   */
  caughtUp(): Promise<boolean> {
    return this.#alone ? this.#asked : this.#inLine()
  }

  #inLine(): Promise<boolean> {
    this.#next ??= this.#asked
      .finally(() => {
        this.#next = undefined
      })
      .then(() => {
        const asked = this.#ask()
        this.#asked = asked
        asked.catch(() => {
          // Whoever stood in line is told the same; the next one tries anew.
          this.#asked = Promise.resolve(true)
        })
        return asked
      })
    return this.#next
  }

  async #ask(): Promise<boolean> {
    const client = this.#client
    try {
      await client?.query('')
      return client !== undefined && client === this.#client
    } catch (error) {
      this.#lose()
      // Who has waited this long is told so; a connection that is gone says nothing of the database.
      if (/timeout/.test((error as Error).message)) throw error
      return false
    }
  }

  /** Begins to listen on a connection of its own, and to keep. Comes back by itself after a lost connection. */
  listen(connection: Connection): Promise<void> {
    this.#listening = this.#listen(connection)
    return this.#listening
  }

  async #listen(connection: Connection): Promise<void> {
    if (this.#closed) return
    const client = ownClient(connection)
    let over = false
    const lost = () => {
      if (over) return
      over = true
      client.end().catch(() => {})
      this.#lost(connection)
    }
    try {
      await client.connect()
      client.on('notification', () => this.drop())
      client.once('end', lost)
      await client.query('listen changed')
      if (this.#closed) return await client.end()
      this.#client = client
      this.drop()
      this.#hearing = true
      this.#lose = lost
      this.#heart = setInterval(() => this.#inLine().catch(() => {}), HEARTBEAT_MS).unref()
    } catch {
      lost()
    }
  }

  #lost(connection: Connection): void {
    clearInterval(this.#heart)
    this.#hearing = false
    this.drop()
    this.#client = undefined
    if (!this.#closed) this.#retry = setTimeout(() => this.listen(connection), RETRY_MS).unref()
  }

  /** Stops listening and keeping, at once. Fulfilled when its connection is closed. */
  async close(): Promise<void> {
    this.#closed = true
    this.#hearing = false
    this.drop()
    clearInterval(this.#heart)
    clearTimeout(this.#retry)
    await this.#listening
    await this.#client?.end()
  }
}
