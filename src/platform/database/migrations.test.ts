import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { onServer } from '../../../test/support/setup.ts'
import { createClient, openPool, shopId } from './database.ts'
import { migrate } from './migrations.ts'

const migrations = join(import.meta.dirname, '../../../migrations')
const server = inject('server')

let name: string
let own: Parameters<typeof migrate>[0]
let folder: string
let open: ReturnType<typeof openPool>
beforeEach(async () => {
  name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  own = { ...server, database: name } as never
  open = openPool(own, 1)
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
afterEach(async () => {
  await open.close()
  await onServer(server, `drop database if exists ${name} with (force)`)
  await rm(folder, { recursive: true })
})

/** The migrations of the folder, without other files. */
const inFolder = async () => (await readdir(migrations)).filter(name => name.endsWith('.sql')).sort()
const write = (file: string, text: string) => writeFile(join(folder, file), text)
const tables = async () => {
  const { rows } = await open.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows.map(row => row.name)
}

test('migrations are applied in the order of their names, once', async () => {
  const all = await inFolder()
  expect(await migrate(own, migrations)).toEqual(all)
  expect(await migrate(own, migrations)).toEqual([])
  await cp(migrations, folder, { recursive: true })
  await write('9999_more.sql', 'create table more (id int)')
  expect(await migrate(own, folder)).toEqual(['9999_more.sql'])
})

test('of two concurrent starts one migrates, the other finds nothing to do', async () => {
  const applied = await Promise.all([migrate(own, migrations), migrate(own, migrations)])
  expect(applied.map(list => list.length).sort()).toEqual([0, (await inFolder()).length])
})

test('no timeout ends a migration, or a process that waits for it', async () => {
  // Timeouts that an administrator may set, shorter than this test takes.
  await open.pool.query(`alter database ${name} set statement_timeout = 200`)
  await open.pool.query(`alter database ${name} set lock_timeout = 200`)
  await write('0001_slow.sql', 'create table first (id int); select pg_sleep(1)')
  const applied = await Promise.all([migrate(own, folder), migrate(own, folder)])
  expect(applied.flat()).toEqual(['0001_slow.sql'])
})

/** Waits until a statement waits for a lock on this table. */
async function isAwaited(table: string): Promise<void> {
  const awaited = `select 1 from pg_locks where not granted and relation = '${table}'::regclass`
  await expect.poll(async () => (await open.pool.query(awaited)).rowCount, { timeout: 20_000 }).toBe(1)
}
/** A transaction that reads a table and stays open, as a backup does. */
async function holding(table: string) {
  const client = createClient(own)
  await client.connect()
  await client.query(`begin; select from ${table}`)
  return client
}

test('while a migration waits for its lock others can read, and it succeeds afterwards', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await migrate(own, folder)
  await write('0002_more.sql', 'alter table first add column name text')
  const holder = await holding('first')
  const reader = createClient(own)
  await reader.connect()
  let isDone = false
  const applied = migrate(own, folder, { lockTimeout: 400, firstPause: 10, maxPause: 100 }).finally(() => {
    isDone = true
  })
  // Each read queues behind the waiting migration. Without a lock timeout of the migration, the first would wait until
  // the holder is done, and be refused before that.
  for (let n = 0; n < 3; n++) {
    await isAwaited('first')
    await reader.query('select from first')
    expect(isDone).toBe(false)
  }
  await holder.query('commit')
  expect(await applied).toEqual(['0002_more.sql'])
  expect((await reader.query('select name from first')).rows).toEqual([])
  await Promise.all([holder.end(), reader.end()])
})

test('a migration that never gets its lock is rolled back, and names who may hold it', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await migrate(own, folder)
  await write('0002_more.sql', 'create table second (id int); alter table first add column name text')
  const holder = await holding('first')
  const tried = migrate(own, folder, { lockTimeout: 50, firstPause: 10, maxPause: 50, total: 1_000 })
  await expect(tried).rejects.toThrow(
    /^Migration 0002_more.sql did not get its locks in 1 seconds: the oldest open transaction is of process \d+ \(shop\), \d+ seconds old\. Nothing of it was applied/,
  )
  expect(await tables()).toEqual(['first', 'migrations'])
  await holder.end()
  expect(await migrate(own, folder)).toEqual(['0002_more.sql'])
})

test('a database without UTF-8 is refused with a message', async () => {
  const latin = `${name}_latin`
  await onServer(server, `create database ${latin} encoding 'SQL_ASCII' locale 'C' template template0`)
  const migrated = migrate({ ...server, database: latin } as never, migrations)
  await expect(migrated).rejects.toThrow('stores text as SQL_ASCII, and the shop needs UTF8')
  await onServer(server, `drop database ${latin} with (force)`)
})

test('a database has one shop with one id', async () => {
  await migrate(own, migrations)
  const id = await shopId(open.db)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await shopId(open.db)).toBe(id)
  await expect(open.pool.query('insert into installation default values')).rejects.toThrow(
    'installation_is_one',
  )
})

test('an edited migration is refused by its name', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await migrate(own, folder)
  await write('0001_first.sql', 'create table first (id bigint)')
  await write('0002_second.sql', 'create table second (id int)')
  await expect(migrate(own, folder)).rejects.toThrow(
    'Migration 0001_first.sql was edited after it was applied; write a new one instead',
  )
  expect(await tables()).toEqual(['first', 'migrations'])
})

test('a database newer than the program is refused', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await write('0002_later.sql', 'create table later (id int)')
  await migrate(own, folder)
  await rm(join(folder, '0002_later.sql'))
  await expect(migrate(own, folder)).rejects.toThrow(
    'The database has migrations that this program does not have (0002_later.sql): start a newer version',
  )
})

test('a failed migration is rolled back, the earlier ones stay', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await write('0002_broken.sql', 'create table second (id int); insert into nowhere values (1)')
  await expect(migrate(own, folder)).rejects.toThrow(/^Migration 0002_broken.sql failed: .*nowhere/)
  expect(await tables()).toEqual(['first', 'migrations'])
  await write('0002_broken.sql', 'create table second (id int)')
  expect(await migrate(own, folder)).toEqual(['0002_broken.sql'])
})
