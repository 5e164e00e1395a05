import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, migrate, ownClient } from '../src/server/database/database.ts'

const migrations = join(import.meta.dirname, '../migrations')

type Rows = Record<string, Record<string, unknown>[]>
/** A small shop as an earlier version left it. */
export interface OldShop {
  migrations: string[]
  tables: Rows
}

/** The newest migration of each earlier version of which a shop is kept: ['0011']. */
export const oldShops = async (): Promise<string[]> =>
  (await readdir(join(migrations, 'shops'))).map(name => name.replace('.json', '')).sort()

async function using<T>(
  connection: Connection,
  work: (client: ReturnType<typeof ownClient>) => Promise<T>,
): Promise<T> {
  const client = ownClient(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes an empty database what it was under an earlier version: its tables, and in them that shop. */
export async function openOldShop(connection: Connection, version: string): Promise<OldShop> {
  const old: OldShop = JSON.parse(await readFile(join(migrations, 'shops', `${version}.json`), 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'old-shop-'))
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

/** What others are made of; the audit holds them against it. */
const MADE_OF_OTHERS = ['catalogue', 'words']

/** What of an old shop is no longer there as it was, in words. New columns and new rows are no loss. */
export async function lostFrom(connection: Connection, old: OldShop): Promise<string[]> {
  return using(connection, async client => {
    const lost: string[] = []
    for (const [name, rows] of Object.entries(old.tables)) {
      if (MADE_OF_OTHERS.includes(name)) continue
      for (const row of rows) {
        const found = await client.query(`select 1 from ${name} t where to_jsonb(t) @> $1::jsonb`, [
          JSON.stringify(row),
        ])
        if (found.rowCount !== 1) lost.push(`${name}: ${JSON.stringify(row)}`)
      }
    }
    return lost
  })
}

/** The migrations that a database remembers, oldest first. */
export const historyOf = (connection: Connection): Promise<string[]> =>
  using(connection, async client => {
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    return rows.map(({ name }) => name)
  })

/** A process that brings a database to now and ends; for others to end it sooner. */
function migrating(connection: Connection): ChildProcess {
  const program = `
    const { migrate } = await import(${JSON.stringify(join(import.meta.dirname, '../src/server/database/database.ts'))})
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

/** Begins to bring a database to now in a process of its own, which is killed after so many milliseconds. */
export async function migrateAndKill(connection: Connection, ms: number): Promise<void> {
  const child = migrating(connection)
  const ended = once(child, 'exit')
  if (child.stdout) await once(child.stdout, 'data')
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await ended
  clearTimeout(timer)
}

/** Every migration that there is. */
export const allMigrations = async (): Promise<string[]> =>
  (await readdir(migrations)).filter(name => name.endsWith('.sql')).sort()
