import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { Problem } from '#problem'
import { type Connection, connect, createClient, type Database, type OpenPool, shopId } from './database.ts'

/** Timeouts of the replica, ms: after them the primary is asked. */
const PATIENCE = { statement_timeout: 2_000, query_timeout: 2_400 }
/** Pauses between two checks of a lagging replica, ms: the first, and the longest. */
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 1_000
/** Lag or silence after which it is logged, ms. */
const REPORT_AFTER_MS = 5_000
/** Interval of the heartbeat that detects a lost connection, ms. */
const HEARTBEAT_MS = 15_000

/** It answers, but is no replica of this database. */
class Mistaken extends Error {}

/**
 * A streaming replica of the database, read only while it has replayed every change that this process knows of. Each
 * invalidation begins an epoch with a position in the primary's log, and no response of that epoch is read from the replica
 * before it has replayed that position. So a cached response is never older than the invalidation before it.
 */
export class Replica {
  readonly pool: OpenPool
  readonly #primary: Database
  readonly #connection: Connection
  readonly #log: (words: string) => void
  readonly #closing = new AbortController()
  #monitor: pg.Client | undefined
  #heart: NodeJS.Timeout | undefined
  /** The epoch whose position it has replayed; undefined if that is not known. */
  #has: number | undefined
  #wanted = 0
  #looking: Promise<void> | undefined
  #awaySince: number | undefined
  #isReported = false

  /** @param log receives a sentence when the replica is away for long, and when it is back */
  constructor(primary: Database, connection: Connection, size: number, log: (line: string) => void) {
    this.#primary = primary
    this.#connection = connection
    this.pool = connect(connection, size, PATIENCE)
    this.#log = log
  }

  /** Its connections, if it has replayed every change of an epoch. Otherwise it is checked, and may be ready a moment later. */
  at(epoch: number): Database | undefined {
    if (this.#has === epoch) return this.pool.db
    this.#wanted = epoch
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return undefined
  }

  /** It failed: it is not read until it was checked. */
  doubt(): void {
    this.#has = undefined
  }

  /** Checks it until it has replayed what is wanted, however long that takes. */
  async #look(): Promise<void> {
    let floor = { epoch: Number.NaN, lsn: '' }
    for (
      let pause = FIRST_PAUSE_MS;
      !this.#closing.signal.aborted;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    ) {
      try {
        if (floor.epoch !== this.#wanted) floor = { epoch: this.#wanted, lsn: await this.#position() }
        if (await this.#reached(floor.lsn)) return this.#back(floor.epoch)
        this.#away('is behind')
      } catch (error) {
        this.#forget()
        this.#away((error as Error).message, error instanceof Mistaken)
      }
      await sleep(pause, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {})
    }
  }

  /** The end of the primary's log (LSN). Every change that this process knows of is before it. */
  async #position(): Promise<string> {
    const query = sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`
    return (await query.execute(this.#primary)).rows[0]?.lsn ?? ''
  }

  /** @throws Error if it does not answer, is no standby, or belongs to another shop */
  async #reached(lsn: string): Promise<boolean> {
    this.#monitor ??= await this.#openMonitor()
    const { rows } = await this.#monitor.query<{ follows: boolean; reached: boolean }>(
      'select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
      [lsn],
    )
    // A promoted one has a log of its own, which says nothing about the primary's.
    if (!rows[0]?.follows) throw new Mistaken('it is no replica')
    return rows[0].reached
  }

  /** The connection for checks. When it ends, nothing is known any more: another server may have the address next. */
  async #openMonitor(): Promise<pg.Client> {
    const client = createClient(this.#connection, PATIENCE)
    try {
      await client.connect()
      const { rows } = await client.query<{ id: string }>('select id from installation')
      if (rows[0]?.id !== (await shopId(this.#primary))) throw new Mistaken('it is another shop’s')
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#forget(client))
    this.#heart = setInterval(() => client.query('').catch(() => this.#forget(client)), HEARTBEAT_MS).unref()
    return client
  }

  #forget(client = this.#monitor): void {
    if (!client || client !== this.#monitor) return
    clearInterval(this.#heart)
    this.#monitor = undefined
    this.doubt()
    client.end().catch(() => {})
  }

  #back(epoch: number): void {
    this.#has = epoch
    this.#awaySince = undefined
    if (this.#isReported) this.#log('The replica is there again, and is read')
    this.#isReported = false
  }

  #away(why: string, atOnce = false): void {
    this.#awaySince ??= performance.now()
    if (this.#isReported || (!atOnce && performance.now() - this.#awaySince < REPORT_AFTER_MS)) return
    this.#isReported = true
    this.#log(`Everything is read from the database itself, for the replica is away: ${why}`)
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#looking
    clearInterval(this.#heart)
    await this.#monitor?.end().catch(() => {})
    await this.pool.close()
  }
}

/** Counts the invalidations that this process has received; undefined while it cannot receive any. */
interface Epochs {
  readonly epoch: number | undefined
}

/** Where responses that are the same for everybody are read. */
export const readRouter = (db: Database, epochs: Epochs, replica?: Replica) => ({
  /**
   * Reads from the replica while it has every change that this process knows of, otherwise from the primary, also if the
   * replica fails.
   * @param read may be called twice
   */
  async forEverybody<T>(read: (db: Database) => Promise<T>): Promise<T> {
    const copy = epochs.epoch === undefined ? undefined : replica?.at(epochs.epoch)
    if (!copy) return read(db)
    try {
      return await read(copy)
    } catch (error) {
      if (error instanceof Problem) throw error
      replica?.doubt()
      return read(db)
    }
  },
})

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads public data: from the replica while it is up to date, otherwise from the primary. */
    reads: ReturnType<typeof readRouter>
  }
}
