import { randomUUID } from 'node:crypto'
import pg, { type Client } from 'pg'
import { coalesce } from '../async/coalesce.ts'
import { timeoutError } from '../database/circuit-breaker.ts'
import { type ConnectionOptions, createClient } from '../database/database.ts'

/** Delay before reconnecting, milliseconds. */
const RETRY_MS = 500
/** Interval of the heartbeat that detects a dead connection, milliseconds. */
const HEARTBEAT_MS = 15_000
/**
 * Publishes invalidations, and subscribes to those of other processes (LISTEN/NOTIFY, channel `changed`). A process
 * publishes after its commit; sessions outside of the shop notify when they commit.
 */
export class InvalidationChannel {
  readonly #onInvalidate: () => void
  /** The payload of the notifications of this process. */
  readonly #id = randomUUID()
  #client: Client | undefined
  #listening: Promise<void> | undefined
  #closed = false
  #heartbeat: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #dropConnection = (_cause: unknown) => {}
  /** Whether a query has timed out, until the next listening connection is open. */
  #isSilent = false
  /** How often a listening connection has timed out. */
  #timeouts = 0
  #connection: ConnectionOptions | undefined
  #notifyOthers = coalesce(() => this.#notify())
  #publication: Promise<void> | undefined

  /** @param onInvalidate called when public data has changed, or when a notification may have been missed */
  constructor(onInvalidate: () => void) {
    this.#onInvalidate = onInvalidate
  }

  /** Whether notifications are received at the moment. */
  get isConnected(): boolean {
    return this.#client !== undefined && !this.#closed
  }

  /**
   * Waits until every notification committed before this call was received: true, or false while the cache is off. One
   * round trip on the listening connection is enough, because PostgreSQL signals the listeners before it confirms the
   * commit, and delivers pending notifications before it is ready for the next query. Calls during a round trip share
   * the next one.
   * @throws Error if the listening connection has timed out
   */
  async sync(): Promise<boolean> {
    const before = this.#timeouts
    const isCurrent = await this.#nextRoundTrip()
    // The connection timed out while this call waited. A query without the cache would probably wait as long again.
    if (!isCurrent && this.#timeouts > before) throw timeoutError()
    return isCurrent
  }

  #nextRoundTrip = coalesce(() => this.#roundTrip())

  async #roundTrip(): Promise<boolean> {
    const client = this.#client
    try {
      await client?.query('')
      return client !== undefined && client === this.#client
    } catch (error) {
      this.#dropConnection(error)
      // A timeout, here or of a NOTIFY on this connection, is an error of the database: without the cache the request
      // would wait as long again. A lost connection only turns the cache off.
      if (isTimeout(error) || this.#isSilent) throw error
      return false
    }
  }

  /**
   * A transaction of this process has committed a change: clears its own cache at once, and notifies all other processes.
   * Changes during a notification share the next one.
   */
  publish(): void {
    this.#onInvalidate()
    const publication = this.#notifyOthers()
    this.#publication = publication
    void publication.then(() => {
      if (this.#publication === publication) this.#publication = undefined
    })
  }

  /** Waits until every process was notified of the changes so far. Undefined if no notification is pending. */
  published(): Promise<void> | undefined {
    return this.#publication
  }

  async #notify(): Promise<void> {
    // After a timeout another connection would time out too, and the request would wait twice.
    if (this.#isSilent) return
    const text = `notify changed, '${this.#id}'`
    try {
      if (this.#client) return void (await this.#client.query(text))
    } catch (error) {
      this.#dropConnection(error)
      if (this.#isSilent) return
    }
    await this.#notifyApart(text).catch(error => {
      // The listening connection may be there again by now.
      if (this.#client) return this.#client.query(text).then(undefined, this.#dropConnection)
      this.#isSilent = isTimeout(error)
    })
  }

  /** Sends NOTIFY over a connection of its own, while the listening one is lost. */
  async #notifyApart(text: string): Promise<void> {
    if (!this.#connection || this.#closed) return
    const client = createClient(this.#connection)
    try {
      await client.connect()
      await client.query(text)
    } finally {
      client.end().catch(() => {})
    }
  }

  /** Opens the listening connection, and reconnects whenever it is lost. */
  listen(connection: ConnectionOptions): Promise<void> {
    this.#connection = connection
    this.#listening = this.#listen()
    return this.#listening
  }

  async #listen(): Promise<void> {
    if (!this.#connection || this.#closed) return
    const client = createClient(this.#connection)
    let hasEnded = false
    const dropConnection = (cause?: unknown) => {
      if (hasEnded) return
      hasEnded = true
      // Set before the connection ends, which also fails a pending NOTIFY on it.
      if (isTimeout(cause)) {
        this.#isSilent = true
        this.#timeouts++
      }
      client.end().catch(() => {})
      this.#reconnectLater()
    }
    try {
      await client.connect()
      client.on('notification', ({ payload }) => {
        // Its own cache was cleared before this process published.
        if (payload !== this.#id) this.#onInvalidate()
      })
      client.once('end', () => dropConnection())
      await client.query(
        `set application_name = 'shop, listening'; set synchronous_commit = off; listen changed`,
      )
      // A process that has died may not have published its last change: the others clear their caches.
      await client.query(`notify changed, '${this.#id}'`)
      if (this.#closed) return await client.end()
      this.#client = client
      this.#onInvalidate()
      this.#dropConnection = dropConnection
      // Publishes the changes since the timeout.
      if (this.#isSilent) {
        this.#isSilent = false
        this.publish()
      }
      this.#heartbeat = setInterval(() => this.sync().catch(() => {}), HEARTBEAT_MS).unref()
    } catch (error) {
      dropConnection(error)
    }
  }

  #reconnectLater(): void {
    clearInterval(this.#heartbeat)
    this.#client = undefined
    this.#onInvalidate()
    if (this.#closed) return
    this.#retry = setTimeout(() => {
      this.#listening = this.#listen()
    }, RETRY_MS).unref()
  }

  /** Stops listening. Fulfilled when the connection is closed. */
  async close(): Promise<void> {
    this.#closed = true
    this.#onInvalidate()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#retry)
    await this.#listening
    await this.published()
    await this.#client?.end()
  }
}

/** Whether there was no response: a lock or statement timeout is a response of the database. */
const isTimeout = (error: unknown) =>
  error instanceof Error && !(error instanceof pg.DatabaseError) && /timeout/.test(error.message)
