import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { type Connection, ownClient } from '../database/database.ts'

/** Pause before listening again after the connection was lost, milliseconds. */
const RETRY_MS = 500
/** A connection that has silently gone is noticed after this time, milliseconds. */
const HEARTBEAT_MS = 15_000
/** What the connection is called by which a process listens: whoever else has one may make changes. */
const NAME = 'shop, listening'
const OTHERS = `select 1 from pg_stat_activity
  where datname = current_database() and application_name = '${NAME}' and pid <> pg_backend_pid()`

interface Heard {
  /** Something public has changed; also called whenever that may have been missed. */
  changed(): void
  /** Sessions have ended. */
  ended(): void
}

/** Hears of what whoever has done: triggers notify the channels `changed` and `ended` when a transaction commits. */
export class Listening {
  #alone: boolean
  readonly #heard: Heard
  /** By which processes that serve the same shop tell each other apart. */
  readonly #id = randomUUID()
  #hearing = false
  #client: Client | undefined
  #listening: Promise<void> | undefined
  #closed = false
  #heart: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #lose = () => {}
  #asked: Promise<boolean> = Promise.resolve(true)
  #next: Promise<boolean> | undefined

  /** @param alone no other process changes this shop, as long as none is heard of */
  constructor(alone: boolean, heard: Heard) {
    this.#alone = alone
    this.#heard = heard
  }

  /** Whether changes are heard at the moment. */
  get hears(): boolean {
    return this.#hearing
  }

  /** Whether this process makes every change itself. It is for good that another one was heard of. */
  get isAlone(): boolean {
    return this.#alone
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
      client.on('notification', ({ channel, payload }) => {
        if (channel === 'ended') return this.#heard.ended()
        if (payload && payload !== this.#id) this.#alone = false
        this.#heard.changed()
      })
      client.once('end', lost)
      await client.query(`set application_name = '${NAME}'; listen changed; listen ended`)
      await client.query(`notify changed, '${this.#id}'`)
      // Whoever listened before this has now been told; whoever begins after it will be.
      if ((await client.query(OTHERS)).rows.length > 0) this.#alone = false
      if (this.#closed) return await client.end()
      this.#client = client
      this.#heard.changed()
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
    this.#heard.changed()
    this.#client = undefined
    if (!this.#closed) this.#retry = setTimeout(() => this.listen(connection), RETRY_MS).unref()
  }

  /** Stops listening and keeping, at once. Fulfilled when its connection is closed. */
  async close(): Promise<void> {
    this.#closed = true
    this.#hearing = false
    this.#heard.changed()
    clearInterval(this.#heart)
    clearTimeout(this.#retry)
    await this.#listening
    await this.#client?.end()
  }
}
