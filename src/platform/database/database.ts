import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { StatementEvents } from '../observability/query-log.ts'
import { enableNotices, watchChanges } from './change-notices.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { isRetryable } from './database-errors.ts'
import { ObservedClient } from './observed-client.ts'

/** Name of a table → its columns. The application adds its tables by declaration merging: `src/schema.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: the application fills it
export interface Schema {}
export type Database = Kysely<Schema>

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

/** How to connect: to the Unix socket of the embedded server, or with a connection string. */
export type ConnectionOptions =
  | { host: string; user: string; database: string; port?: number; ssl?: false }
  | { connectionString: string }

/** By type: int8 and date. Ids and totals stay below 2^53, so a number holds them exactly. A day has no time zone. */
const parsers: Record<number, (text: string) => unknown> = { 20: Number, 1082: String }
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    format === 'binary' ? pg.types.getTypeParser(oid, format) : (parsers[oid] ?? pg.types.getTypeParser(oid)),
}

/**
 * SQL for the first statement of a transaction: all statements after it use generic plans (`plan_cache_mode`), made once
 * without values. By default PostgreSQL makes a custom plan for a short list of values each time, because a generic one
 * assumes ten. Not for statements whose best plan depends on the values.
 */
export const forceGenericPlans: RawBuilder<string> = sql`set_config('plan_cache_mode', 'force_generic_plan', true)`

/** The longest wait before a transaction is retried, in milliseconds. */
const LONGEST_BACKOFF_MS = 100

const POOL_TIMEOUTS = {
  statement_timeout: 4_500,
  query_timeout: 4_900,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
}
const COMMON = { connectionTimeoutMillis: 4_500, application_name: 'shop' }

/** An open pool of connections. */
export interface OpenPool {
  db: Database
  pool: pg.Pool
  statements: StatementEvents
  close(): Promise<void>
}

/**
 * Opens a pool of connections. Timeouts: 4.5 s for a statement, 3 s for a lock, 4.5 s for a free connection, 4.9 s
 * for a response, 10 s for an idle transaction. After a timeout a circuit breaker makes further statements fail at
 * once, until the database responds again.
 * @param size maximum number of connections
 * @param timeouts other ones, milliseconds
 * @param publish notifies the other processes that a transaction of this pool has changed something. Without it the
 * database notifies them when the transaction commits, which serialises such commits
 */
export function openPool(
  connection: ConnectionOptions,
  size: number,
  timeouts: Partial<typeof POOL_TIMEOUTS> = {},
  publish?: () => void,
): OpenPool {
  const statements: StatementEvents = new EventEmitter()
  const pool = new pg.Pool({
    ...connection,
    ...COMMON,
    ...POOL_TIMEOUTS,
    ...timeouts,
    max: size,
    types,
    Client: ObservedClient,
    ...(publish && { onConnect: enableNotices }),
  })
  if (publish) watchChanges(pool, publish)
  // Without these listeners a lost connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    if (client instanceof ObservedClient)
      client.finished.on('statement', statement => statements.emit('statement', statement))
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withCircuitBreaker(pool) }) })
  const close = async () => {
    await db.destroy()
    // Kysely does not end a pool that it has never used.
    if (!pool.ended) await pool.end()
  }
  return { db, pool, statements, close }
}

/**
 * Creates a connection outside the pool, not yet open.
 * @param timeouts all of them, milliseconds; those that are missing are off. Default: those of a pool
 */
export function createClient(
  connection: ConnectionOptions,
  timeouts: Partial<typeof POOL_TIMEOUTS> = POOL_TIMEOUTS,
): pg.Client {
  const client = new pg.Client({ ...connection, ...COMMON, ...timeouts, keepAlive: true })
  // Without a listener a lost connection would end the process. The next statement fails.
  client.on('error', () => {})
  return client
}

/**
 * Runs `work` while holding an advisory lock: one process at a time in this database. The others wait without a timeout.
 * @param lock the number of the lock
 * @param work gets the connection that holds the lock, without timeouts
 */
export async function withAdvisoryLock<T>(
  connection: ConnectionOptions,
  lock: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = createClient(connection, {})
  try {
    await client.connect()
    // Roles may have timeouts of their own, also for the time between two statements.
    await client.query(`
      set statement_timeout = 0; set lock_timeout = 0;
      set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0`)
    await client.query('select pg_advisory_lock($1)', [lock])
    return await work(client)
  } finally {
    // The lock is released with its session.
    await client.end()
  }
}

/** The id of the shop in this database. It separates the files of several databases in one storage. */
export async function shopId(db: Database): Promise<string> {
  return (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id
}

/**
 * The same for a command-line program, undefined without a shop. The database may be of an earlier version, which
 * called the table `shop`.
 */
export async function shopIdFor(client: pg.Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `select coalesce(to_regclass('installation'), to_regclass('shop'))::text as name`,
  )
  const name = tables[0]?.name
  if (!name) return undefined
  return (await client.query<{ id: string }>(`select id from ${name}`)).rows[0]?.id
}

/**
 * Runs `work` in a READ COMMITTED transaction. After a deadlock or a serialization failure, when PostgreSQL has rolled it
 * back, it is retried: three attempts at most, with a random wait between them. Two that were rolled back together would
 * deadlock again without it.
 */
export async function transaction<T>(
  db: Database,
  work: (db: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error
      await sleep(Math.random() * LONGEST_BACKOFF_MS)
    }
  }
}
