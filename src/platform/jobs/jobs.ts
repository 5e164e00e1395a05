import type pg from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import { type ConnectionOptions, withAdvisoryLock } from '../database/database.ts'
import { MIGRATION_LOCK } from '../database/migrations.ts'

/** Work that one process does for all. */
export interface Job {
  name: string
  /** When it runs by itself, as a cron expression in UTC: '0 * * * *'. */
  schedule: string
  /** Another process may take the job over after this time, seconds: the first one is dead, or hangs. */
  expireInSeconds: number
  /** How often a process asks for it, seconds. */
  pollingIntervalSeconds: number
  /** @param signal aborts when the shop stops, with the reason `STOPPING`, or when the job has expired */
  run: (signal: AbortSignal) => Promise<void>
}

/** The running jobs of a process. */
export interface Jobs {
  /**
   * Requests a run, in any process. At most one waits; if there is one, this process polls for it at once.
   * @param slot seconds: at most one run in each
   */
  wake(name: string, slot?: number): Promise<void>
  /** Waits a few seconds for what runs, then leaves it to another process. */
  stop(): Promise<void>
}

/** Reason of the signal of a job when the shop stops. */
export const STOPPING = new Error('The shop stops')

interface Log {
  warn(context: object, message: string): void
}

const SCHEMA = 'pgboss'
/** How long the rows of finished jobs are retained, for operators, seconds. */
const RETAINED_SECONDS = 60 * 60
/**
 * How long running jobs may take when the shop stops, ms, so that a letter that is being sent is not sent twice. Less than
 * requests get, and less than a supervisor waits.
 */
const STOP_MS = 7_000

/** Runs statements of pg-boss, some of which are several in one text. */
const executor = (query: (text: string, values: unknown[]) => Promise<unknown>): Db => ({
  async executeSql(text, values = []) {
    const result = await query(text, values)
    const results = (Array.isArray(result) ? result : [result]) as pg.QueryResult[]
    return { rows: results.flatMap(({ rows }) => rows ?? []) }
  },
})

/** As `pool.query`, whose callback would hide the statement from metrics, log and circuit breaker. */
async function queryObserved(pool: pg.Pool, text: string, values: unknown[]): Promise<unknown> {
  const client = await pool.connect()
  try {
    return await client.query(text, values)
  } finally {
    client.release()
  }
}

/**
 * Creates or migrates the tables of pg-boss, in a schema of their own. One process at a time; an earlier version
 * of the shop that starts later changes nothing. Backups leave the schema out: jobs are about this database only.
 */
export function installJobs(connection: ConnectionOptions): Promise<void> {
  return withAdvisoryLock(connection, MIGRATION_LOCK, async client => {
    const boss = new PgBoss({
      db: executor((...statement) => client.query(...statement)),
      schema: SCHEMA,
      supervise: false,
      schedule: false,
    })
    await boss.start()
    await boss.stop({ graceful: false })
  })
}

/**
 * Starts to run jobs in this process. A waiting job is run by one process of all. A job that is requested while it
 * runs may run in another process at the same time: so a run that was lost with its process blocks nothing, and each
 * run claims its own work. Processes poll, without NOTIFY. A failed job is logged, and runs again at its next time.
 */
export async function startJobs(pool: pg.Pool, jobs: Job[], log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    db: executor((...statement) => queryObserved(pool, ...statement)),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    // Intervals that fit a handful of jobs: an idle shop stays idle.
    flowIntervalSeconds: 60 * 60,
    bamIntervalSeconds: 60 * 60,
    maintenanceIntervalSeconds: 60 * 60,
    monitorVacuum: false,
    registerInstance: false,
  })
  // Such as a lost connection. pg-boss tries again.
  boss.on('error', error => log.warn({ err: error }, 'the job queue has failed; it is tried again'))
  await boss.start()
  const stopping = new AbortController()
  const workers = new Map<string, string>()
  for (const { name, schedule, run, expireInSeconds, pollingIntervalSeconds } of jobs) {
    // At most one run waits. A run that is lost with its process blocks no later one.
    const settings = { policy: 'short', retryLimit: 0, expireInSeconds, deleteAfterSeconds: RETAINED_SECONDS }
    await boss.createQueue(name, settings)
    await boss.schedule(name, schedule)
    const worker = await boss.work(name, { pollingIntervalSeconds }, async ([job]) => {
      try {
        await run(AbortSignal.any([stopping.signal, ...(job ? [job.signal] : [])]))
      } catch (error) {
        log.warn({ err: error, job: name }, 'a job has failed; it runs again')
      }
    })
    workers.set(name, worker)
  }
  return {
    async wake(name, slot) {
      await boss.send(name, null, slot ? { singletonSeconds: slot } : {})
      // Also where one waits already: it would wait for the next poll.
      const worker = workers.get(name)
      if (worker) boss.notifyWorker(worker)
    },
    stop() {
      stopping.abort(STOPPING)
      return boss.stop({ graceful: true, timeout: STOP_MS })
    },
  }
}
