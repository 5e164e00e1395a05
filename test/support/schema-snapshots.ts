import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { imageFiles } from '#images/dto.ts'
import { type ConnectionOptions, createClient } from '../../src/platform/database/database.ts'
import { MIGRATION_LOCK, migrate } from '../../src/platform/database/migrations.ts'
import type { Files } from '../../src/platform/storage/files.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const snapshots = join(import.meta.dirname, '../fixtures/schema-snapshots')

type Rows = Record<string, Record<string, unknown>[]>
/** The database of a small shop, with an earlier version's schema. */
export interface SchemaSnapshot {
  migrations: string[]
  tables: Rows
}

/** The newest migration of each snapshot: ['0011']. */
export const snapshotVersions = async (): Promise<string[]> =>
  (await readdir(snapshots)).map(name => name.replace('.json', '')).sort()

async function using<T>(
  connection: ConnectionOptions,
  work: (client: ReturnType<typeof createClient>) => Promise<T>,
): Promise<T> {
  const client = createClient(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Loads a snapshot into an empty database: the migrations of its version, then its rows. */
export async function openSnapshot(connection: ConnectionOptions, version: string): Promise<SchemaSnapshot> {
  const old: SchemaSnapshot = JSON.parse(await readFile(join(snapshots, `${version}.json`), 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'schema-snapshot-'))
  for (const name of old.migrations) await cp(join(migrations, name), join(folder, name))
  await migrate(connection, folder)
  await rm(folder, { recursive: true })
  await using(connection, async client => {
    const names = Object.keys(old.tables)
    const triggers = (state: string) =>
      client.query(names.map(name => `alter table ${name} ${state} trigger user`).join(';'))
    await triggers('disable')
    await client.query(`truncate ${names.join(', ')}`)
    for (const [name, rows] of Object.entries(old.tables)) {
      const columns = Object.keys(rows[0] ?? {}).join(', ')
      if (columns)
        await client.query(
          `insert into ${name} (${columns}) overriding system value
           select ${columns} from jsonb_populate_recordset(null::${name}, $1)`,
          [JSON.stringify(rows)],
        )
    }
    await triggers('enable')
    const ids = Object.values(old.tables).flatMap(rows =>
      rows.map(({ id }) => (typeof id === 'number' ? id : 0)),
    )
    await client.query(
      `select setval(oid::regclass, $1) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
      [Math.max(...ids)],
    )
  })
  return old
}

/** Creates files for the pictures of an old shop, whose snapshot has only rows. */
export async function putPictures({ tables }: SchemaSnapshot, files: Files): Promise<void> {
  for (const { folder, ...image } of tables.images ?? []) {
    const names = imageFiles(image as unknown as Parameters<typeof imageFiles>[0])
    await files.put(
      names.map(name => ({ name, bytes: Buffer.from('picture') })),
      String(folder),
    )
  }
}

/** Derived tables, which the audit checks. */
const DERIVED_TABLES = ['catalogue', 'words', 'vocabulary']

/** Former name → today's name of a table. */
const RENAMED: Record<string, string> = { shop: 'installation', limits: 'rate_limits' }

/**
 * Rows of an old shop that are missing or different, as text. New columns and rows are allowed.
 * @param except tables that may differ, besides the derived ones
 */
export async function lostFrom(
  connection: ConnectionOptions,
  old: SchemaSnapshot,
  except: string[] = [],
): Promise<string[]> {
  return using(connection, async client => {
    const lost: string[] = []
    for (const [name, rows] of Object.entries(old.tables)) {
      if ([...DERIVED_TABLES, ...except].includes(name)) continue
      // The schema is of any version: a table may have its later name.
      const known = await client.query('select coalesce(to_regclass($1), to_regclass($2)) as name', [
        name,
        RENAMED[name],
      ])
      for (const row of rows) {
        const found = await client.query(
          `select 1 from ${known.rows[0].name} t where to_jsonb(t) @> $1::jsonb`,
          [JSON.stringify(row)],
        )
        if (found.rowCount !== 1) lost.push(`${name}: ${JSON.stringify(row)}`)
      }
    }
    return lost
  })
}

/** The applied migrations, oldest first. */
export const historyOf = (connection: ConnectionOptions): Promise<string[]> =>
  using(connection, async client => {
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    return rows.map(({ name }) => name)
  })

/** A process that migrates a database and ends. */
function migrating(connection: ConnectionOptions): ChildProcess {
  const program = `
    const { migrate } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/platform/database/migrations.ts'))})
    process.stdout.write('begun')
    await migrate(JSON.parse(process.argv[1]), process.argv[2])`
  return spawn(
    process.execPath,
    ['--input-type=module', '-e', program, JSON.stringify(connection), migrations],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
}

/**
 * Starts to migrate in a process of its own, which is killed after so many ms.
 * @returns whether it was killed before it had ended
 */
export async function migrateAndKill(connection: ConnectionOptions, ms: number): Promise<boolean> {
  const child = migrating(connection)
  const ended = once(child, 'exit')
  if (child.stdout) await once(child.stdout, 'data')
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await ended
  clearTimeout(timer)
  return child.signalCode === 'SIGKILL'
}

/** An advisory lock of these tests alone. */
const PAUSE_LOCK = 7_240_999
/** Timeout until two processes reach the lock, ms. */
const COMING_MS = 30_000

/**
 * Two processes start to migrate. One is stopped at the end of this migration, before its commit; the other waits
 * for it. Both are killed there.
 */
export const killInside = (connection: ConnectionOptions, migration: string): Promise<void> =>
  using(connection, async client => {
    await client.query(`
      create function hold() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(${PAUSE_LOCK}); return new; end';
      create trigger held before insert on migrations for each row
        when (new.name = ${client.escapeLiteral(migration)}) execute function hold();
      select pg_advisory_lock(${PAUSE_LOCK})`)
    const children = [migrating(connection), migrating(connection)]
    const ended = children.map(child => once(child, 'exit'))
    try {
      await locksAwaited(client, [MIGRATION_LOCK, PAUSE_LOCK])
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(ended)
      await client.query(`select pg_advisory_unlock(${PAUSE_LOCK})`)
    }
    await locksAwaited(client, [])
    await client.query('drop trigger held on migrations; drop function hold()')
  })

/** Waits until exactly these advisory locks are awaited in this database, or were until their sessions ended. */
async function locksAwaited(client: ReturnType<typeof createClient>, locks: number[]): Promise<void> {
  const expected = JSON.stringify(locks.toSorted((a, b) => a - b))
  for (const until = Date.now() + COMING_MS; ; await sleep(5)) {
    const { rows } = await client.query<{ lock: string }>(
      `select objid as lock from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database()) order by objid`,
    )
    const found = JSON.stringify(rows.map(({ lock }) => Number(lock)))
    if (found === expected) return
    if (Date.now() > until) throw new Error(`the locks ${found} are waited for, not ${expected}`)
  }
}

/** All migrations. */
export const allMigrations = async (): Promise<string[]> =>
  (await readdir(migrations)).filter(name => name.endsWith('.sql')).sort()

/** The migrations after this one: ['0019_search_by_age.sql'] for '0018'. */
export const laterThan = async (version: string): Promise<string[]> =>
  (await allMigrations()).filter(name => name.slice(0, 4) > version)
