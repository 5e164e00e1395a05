import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { databaseTypes } from '../../scripts/database-types.ts'
import { onServer } from '../../test/setup.ts'
import { brokenConstraint, connect, isUnavailable, migrate, transaction } from './database.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const server = inject('server')

let name: string
let folder: string
let open: ReturnType<typeof connect>
beforeEach(async () => {
  name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  open = connection()
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
afterEach(async () => {
  await open.close()
  await onServer(server, `drop database if exists ${name} with (force)`)
  await rm(folder, { recursive: true })
})

const connection = (size = 4) => connect({ ...server, database: name } as never, size)
const write = (file: string, text: string) => writeFile(join(folder, file), text)
const tables = async () => {
  const { rows } = await open.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows.map(row => row.name)
}
/** What a promise was rejected with. */
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it went well'),
    (error: unknown) => error,
  )

test('migrations are applied in the order of their names, and a second time there is nothing to do', async () => {
  const all = (await readdir(migrations)).sort()
  expect(await migrate(open.pool, migrations)).toEqual(all)
  expect(await migrate(open.pool, migrations)).toEqual([])
  await cp(migrations, folder, { recursive: true })
  await write('9999_more.sql', 'create table more (id int)')
  expect(await migrate(open.pool, folder)).toEqual(['9999_more.sql'])
})

test('of two processes that start at once one migrates, and the other finds nothing left to do', async () => {
  const other = connection()
  const applied = await Promise.all([migrate(open.pool, migrations), migrate(other.pool, migrations)])
  await other.close()
  expect(applied.map(list => list.length).sort()).toEqual([0, (await readdir(migrations)).length])
})

test('an applied migration that was edited is refused by its name', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await migrate(open.pool, folder)
  await write('0001_first.sql', 'create table first (id bigint)')
  await write('0002_second.sql', 'create table second (id int)')
  await expect(migrate(open.pool, folder)).rejects.toThrow(
    'Migration 0001_first.sql was edited after it was applied; write a new one instead',
  )
  expect(await tables()).toEqual(['first', 'migrations'])
})

test('a database newer than the program is refused', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await write('0002_later.sql', 'create table later (id int)')
  await migrate(open.pool, folder)
  await rm(join(folder, '0002_later.sql'))
  await expect(migrate(open.pool, folder)).rejects.toThrow(
    'The database is newer than this program: it knows 0002_later.sql',
  )
})

test('a migration that fails leaves nothing of itself, and what went before stays', async () => {
  await write('0001_first.sql', 'create table first (id int)')
  await write('0002_broken.sql', 'create table second (id int); insert into nowhere values (1)')
  await expect(migrate(open.pool, folder)).rejects.toThrow(/^Migration 0002_broken.sql failed: .*nowhere/)
  expect(await tables()).toEqual(['first', 'migrations'])
  await write('0002_broken.sql', 'create table second (id int)')
  expect(await migrate(open.pool, folder)).toEqual(['0002_broken.sql'])
})

test('the types are those of the migrated database: else run `npm run types`', async () => {
  await migrate(open.pool, migrations)
  expect(await databaseTypes(open.pool)).toBe(await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8'))
})

test('ids and totals arrive as numbers', async () => {
  const { rows } = await open.pool.query(`select ${Number.MAX_SAFE_INTEGER}::bigint as id`)
  expect(rows).toEqual([{ id: Number.MAX_SAFE_INTEGER }])
})

test('a transaction is all or nothing', async () => {
  await open.pool.query('create table things (name text)')
  const work = transaction(open.db, async db => {
    await sql`insert into things values ('half')`.execute(db)
    throw new Error('no')
  })
  await expect(work).rejects.toThrow('no')
  expect((await open.pool.query('select * from things')).rows).toEqual([])
})

test.each([
  ['40P01', 3],
  ['40001', 3],
  ['23505', 1],
])('an error %s is met after %d tries', async (code, tries) => {
  let tried = 0
  const work = transaction(open.db, async db => {
    tried++
    await sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(db)
  })
  expect(await failure(work)).toMatchObject({ code })
  expect(tried).toBe(tries)
})

test('two transactions that deadlock both succeed', async () => {
  await open.pool.query(
    'create table pots (id int primary key, n int); insert into pots values (1, 0), (2, 0)',
  )
  const tries: string[] = []
  const add = (first: number, second: number) =>
    transaction(open.db, async db => {
      tries.push(`${first} then ${second}`)
      await sql`update pots set n = n + 1 where id = ${first}`.execute(db)
      // Long enough for the other to hold its own first row.
      if (tries.length <= 2) await sql`select pg_sleep(0.2)`.execute(db)
      await sql`update pots set n = n + 1 where id = ${second}`.execute(db)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect((await open.pool.query('select n from pots')).rows).toEqual([{ n: 2 }, { n: 2 }])
  expect(tries).toHaveLength(3)
})

test('a broken constraint is told by its name, everything else is not one', async () => {
  await open.pool.query('create table cups (n int constraint cups_positive check (n > 0))')
  expect(brokenConstraint(await failure(open.pool.query('insert into cups values (0)')))).toBe(
    'cups_positive',
  )
  expect(brokenConstraint(await failure(open.pool.query('select * from nothing')))).toBeUndefined()
  expect(brokenConstraint(undefined)).toBeUndefined()
})

test('a database that cannot be asked is unavailable', async () => {
  const nowhere = connect({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, 1)
  expect(isUnavailable(await failure(nowhere.pool.query('select 1'))), 'nobody listens').toBe(true)
  await nowhere.close()
  const noSocket = connect({ host: folder, user: 'nobody', database: 'none' }, 1)
  expect(isUnavailable(await failure(noSocket.pool.query('select 1'))), 'no socket').toBe(true)
  await noSocket.close()

  const running = open.pool.query('select pg_sleep(3)')
  const ended = failure(running)
  await onServer(
    server,
    `select pg_sleep(0.2), (select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '${name}')`,
  )
  expect(isUnavailable(await ended), 'the connection was ended').toBe(true)

  const slow = failure(open.pool.query(`set statement_timeout = 50; select pg_sleep(3)`))
  expect(isUnavailable(await slow), 'too slow').toBe(true)

  const narrow = connection(1)
  const busy = await narrow.pool.connect()
  narrow.pool.options.connectionTimeoutMillis = 50
  expect(isUnavailable(await failure(narrow.pool.query('select 1'))), 'no free connection').toBe(true)
  busy.release()
  await narrow.close()
  expect(isUnavailable(await failure(narrow.pool.query('select 1'))), 'closed').toBe(true)
})

test('a row that waits too long for a lock is unavailable', async () => {
  await open.pool.query('create table locks (id int); insert into locks values (1)')
  const holder = await open.pool.connect()
  await holder.query('begin; select * from locks for update')
  const waiter = failure(open.pool.query(`set lock_timeout = 50; select * from locks for update`))
  expect(isUnavailable(await waiter)).toBe(true)
  await holder.query('rollback')
  holder.release()
})

test('mistakes of our own are not', async () => {
  expect(isUnavailable(await failure(open.pool.query('select * from nothing')))).toBe(false)
  expect(isUnavailable(await failure(readFile(join(folder, 'nothing'))))).toBe(false)
  for (const value of [new TypeError('x is not a function'), undefined, null, 'text', {}]) {
    expect(isUnavailable(value), String(value)).toBe(false)
  }
})
