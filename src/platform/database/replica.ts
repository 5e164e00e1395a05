import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { Problem } from '#problem'
import {
  type ConnectionOptions,
  createClient,
  type Database,
  type OpenPool,
  openPool,
  shopId,
} from './database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reads public data from the replica while it has every change that this process knows of, otherwise from the
     * primary. If the replica fails, the primary is read.
     * @param read may be called twice
     */
    readPublic: <T>(read: (db: Database) => Promise<T>) => Promise<T>
  }
}

/** Timeouts of the replica, ms: after them the primary is read. */
const TIMEOUTS = { statement_timeout: 2_000, query_timeout: 2_400 }
/** Pauses between two checks of a lagging replica, ms: the first, and the longest. */
const FIRST_PAUSE_MS = 4
const MAX_PAUSE_MS = 1_000
/** Time without a usable replica after which that is logged, ms. */
const REPORT_AFTER_MS = 5_000
/** Interval of the heartbeat that detects a lost connection, ms. */
const HEARTBEAT_MS = 15_000

/** The server responds, but is no replica of this database. */
class NotAReplica extends Error {}

/**
 * A streaming replica of the database, read only while it has replayed every change that this process knows of. Each
 * invalidation begins an epoch with a position in the primary's log, and no response of that epoch is read from the replica
 * before it has replayed that position. So a cached response is never older than the invalidation before it.
 */
export class Replica {
  readonly pool: OpenPool
  readonly #primary: Database
  readonly #connection: ConnectionOptions
  readonly #log: (line: string) => void
  readonly #closing = new AbortController()
  #monitor: pg.Client | undefined
  #heartbeat: NodeJS.Timeout | undefined
  /** The epoch whose position it has replayed; undefined if that is not known. */
  #replayedEpoch: number | undefined
  #targetEpoch = 0
  #checking: Promise<void> | undefined
  #unusableSince: number | undefined
  #isReported = false

  /** @param log receives a sentence when the replica is unusable for long, and when it is usable again */
  constructor(primary: Database, connection: ConnectionOptions, size: number, log: (line: string) => void) {
    this.#primary = primary
    this.#connection = connection
    this.pool = openPool(connection, size, TIMEOUTS)
    this.#log = log
  }

  /** Its connections, if it has replayed every change of an epoch. Otherwise it is checked, and may be ready a moment later. */
  at(epoch: number): Database | undefined {
    if (this.#replayedEpoch === epoch) return this.pool.db
    this.#targetEpoch = epoch
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return undefined
  }

  /** After an error: it is not read before the next check. */
  markStale(): void {
    this.#replayedEpoch = undefined
  }

  /** Checks it until it has replayed the requested epoch, without a time limit. */
  async #check(): Promise<void> {
    const { signal } = this.#closing
    let target = { epoch: Number.NaN, lsn: '' }
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        if (target.epoch !== this.#targetEpoch)
          target = { epoch: this.#targetEpoch, lsn: await this.#position() }
        if (await this.#hasReplayed(target.lsn)) return this.#markUsable(target.epoch)
        this.#markUnusable('is behind')
      } catch (error) {
        this.#disconnect()
        this.#markUnusable((error as Error).message, error instanceof NotAReplica)
      }
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** The end of the primary's log (LSN). Every change that this process knows of is before it. */
  async #position(): Promise<string> {
    const query = sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`
    return (await query.execute(this.#primary)).rows[0]?.lsn ?? ''
  }

  /** @throws Error if it does not respond, is no standby, or belongs to another shop */
  async #hasReplayed(lsn: string): Promise<boolean> {
    this.#monitor ??= await this.#openMonitor()
    const { rows } = await this.#monitor.query<{ follows: boolean; reached: boolean }>(
      'select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
      [lsn],
    )
    // A promoted one has a log of its own, which says nothing about the primary's.
    if (!rows[0]?.follows) throw new NotAReplica('it is no replica')
    return rows[0].reached
  }

  /** The connection for checks. When it ends, the state is unknown: another server may get the same address. */
  async #openMonitor(): Promise<pg.Client> {
    const client = createClient(this.#connection, TIMEOUTS)
    try {
      await client.connect()
      const { rows } = await client.query<{ id: string }>('select id from installation')
      if (rows[0]?.id !== (await shopId(this.#primary))) throw new NotAReplica('it is another shop’s')
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#disconnect(client))
    this.#heartbeat = setInterval(
      () => client.query('').catch(() => this.#disconnect(client)),
      HEARTBEAT_MS,
    ).unref()
    return client
  }

  #disconnect(client = this.#monitor): void {
    if (!client || client !== this.#monitor) return
    clearInterval(this.#heartbeat)
    this.#monitor = undefined
    this.markStale()
    client.end().catch(() => {})
  }

  #markUsable(epoch: number): void {
    this.#replayedEpoch = epoch
    this.#unusableSince = undefined
    if (this.#isReported) this.#log('The read replica is used again')
    this.#isReported = false
  }

  #markUnusable(why: string, atOnce = false): void {
    this.#unusableSince ??= performance.now()
    if (this.#isReported || (!atOnce && performance.now() - this.#unusableSince < REPORT_AFTER_MS)) return
    this.#isReported = true
    this.#log(`The read replica is not used, all reads go to the primary: ${why}`)
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#checking
    clearInterval(this.#heartbeat)
    await this.#monitor?.end().catch(() => {})
    await this.pool.close()
  }
}

/** Returns `readPublic` of an app. @param cache knows how many invalidations this process has received */
export function readRouter(
  db: Database,
  cache: { readonly epoch: number | undefined },
  replica?: Replica,
): FastifyInstance['readPublic'] {
  return async read => {
    const { epoch } = cache
    const copy = epoch === undefined ? undefined : replica?.at(epoch)
    if (!copy) return read(db)
    try {
      return await read(copy)
    } catch (error) {
      if (error instanceof Problem) throw error
      replica?.markStale()
      return read(db)
    }
  }
}
