import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type ConnectionOptions, withAdvisoryLock } from './database.ts'
import { isLockConflict } from './database-errors.ts'

/** How a migration waits for its locks. */
export interface LockWait {
  /**
   * `lock_timeout` of a migration, milliseconds. A statement that waits for a lock blocks every later one on that table,
   * readers too. So this is shorter than the 3 s after which a statement of the pool is refused.
   */
  lockTimeout: number
  /** Pause before the second try, milliseconds. It doubles each time. */
  firstPause: number
  maxPause: number
  /** How long a migration is tried again, milliseconds. A backup holds its locks for minutes. */
  total: number
}
const LOCK_WAIT: LockWait = { lockTimeout: 2_000, firstPause: 500, maxPause: 10_000, total: 5 * 60_000 }

/** The advisory lock of migrations. Each lock of this database needs a number of its own. */
export const MIGRATION_LOCK = 7_240_118

/**
 * Applies the migrations of a folder that are not yet applied, in the order of their names, each in a transaction
 * of its own, for as long as it takes. If two processes start at the same time, one waits, and then has nothing to do.
 * A migration waits for a lock only briefly, and is then tried again: see `LockWait`.
 * @returns names of the files that were applied
 * @throws Error where an applied file was edited or is missing, a statement fails, locks are held for minutes, or the
 * database is not in UTF-8
 */
export function migrate(
  connection: ConnectionOptions,
  folder: string,
  wait?: Partial<LockWait>,
): Promise<string[]> {
  return withAdvisoryLock(connection, MIGRATION_LOCK, async client => {
    await requireUtf8(client)
    await client.query(MIGRATIONS_TABLE)
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations')
    const applied = new Map(rows.map(row => [row.name, row.hash]))
    const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
    const missing = [...applied.keys()].filter(name => !names.includes(name))
    if (missing.length > 0)
      throw new Error(
        `The database has migrations that this program does not have (${missing.join(', ')}): start a newer version`,
      )
    const done: string[] = []
    for (const name of names) {
      const sql = await readFile(join(folder, name), 'utf8')
      const hash = createHash('sha256').update(sql).digest('hex')
      const known = applied.get(name)
      if (known === hash) continue
      if (known) throw new Error(`Migration ${name} was edited after it was applied; write a new one instead`)
      await runWithLockRetries(client, { name, hash, sql }, { ...LOCK_WAIT, ...wait })
      done.push(name)
    }
    return done
  })
}

/** @throws Error where the database stores text in another encoding */
export async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw new Error(
      `The database stores text as ${encoding}, and the shop needs UTF8: make one with ENCODING 'UTF8' TEMPLATE template0`,
    )
}

/** Creates the table of the applied migrations, which exists before any other. */
export const MIGRATIONS_TABLE =
  'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())'

/** Notes that a migration was applied. @param applied_at as text; default: now */
export async function recordMigration(
  client: pg.Client,
  { name, hash, applied_at }: { name: string; hash: string; applied_at?: string },
): Promise<void> {
  await client.query(
    'insert into migrations (name, hash, applied_at) values ($1, $2, coalesce($3::timestamptz, now()))',
    [name, hash, applied_at],
  )
}

/** Applies a migration in a transaction. If it does not get a lock in time, it is rolled back and retried later. */
async function runWithLockRetries(
  client: pg.Client,
  { name, hash, sql }: { name: string; hash: string; sql: string },
  { lockTimeout, firstPause, maxPause, total }: LockWait,
): Promise<void> {
  const until = performance.now() + total
  for (let pause = firstPause; ; pause = Math.min(2 * pause, maxPause)) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${lockTimeout}`)
      await client.query(sql)
      await recordMigration(client, { name, hash })
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!isLockConflict(error))
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
      if (performance.now() + pause > until)
        throw new Error(
          `Migration ${name} did not get its locks in ${Math.round(total / 1000)} seconds: ${await oldestTransaction(client)}. Nothing of it was applied. Let the transaction end, or end it with pg_terminate_backend, and start the shop again`,
          { cause: error },
        )
    }
    await sleep(pause)
  }
}

/** Names the transaction that has been open for longest: most likely the one that holds the lock. */
async function oldestTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(`
    select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() order by xact_start limit 1`)
  const [oldest] = rows
  return oldest
    ? `the oldest open transaction is of process ${oldest.pid} (${oldest.name}), ${oldest.seconds} seconds old`
    : 'other transactions hold them'
}
