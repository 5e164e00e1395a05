import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { onServer } from '../../../test/support/setup.ts'
import { openPool, transaction, withAdvisoryLock } from './database.ts'
import { isUnavailable, violatedConstraint } from './database-errors.ts'
import { planEachTime } from './observed-client.ts'

const server = inject('server')

let name: string
let own: Parameters<typeof openPool>[0]
let folder: string
let open: ReturnType<typeof openPool>
beforeEach(async () => {
  name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  own = { ...server, database: name } as never
  open = connection()
  folder = await mkdtemp(join(tmpdir(), 'empty-'))
})
afterEach(async () => {
  await open.close()
  await onServer(server, `drop database if exists ${name} with (force)`)
  await rm(folder, { recursive: true })
})

const connection = (size = 4) => openPool(own, size)
/** The error that a promise was rejected with. */
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it went well'),
    (error: unknown) => error,
  )

test('an advisory lock makes others wait, without a client timeout, and is released after a failure', async () => {
  const steps: string[] = []
  const first = withAdvisoryLock(own, 1, async client => {
    expect(client).not.toHaveProperty('connectionParameters.query_timeout', expect.any(Number))
    steps.push('first')
    await client.query('select pg_sleep(0.3)')
    steps.push('done')
    throw new Error('no')
  })
  const failed = failure(first)
  await vi.waitFor(() => expect(steps).toEqual(['first']), soon)
  await withAdvisoryLock(own, 1, async () => steps.push('second'))
  expect(await failed).toMatchObject({ message: 'no' })
  expect(steps).toEqual(['first', 'done', 'second'])
})

test('work with an advisory lock may pause for longer than its database allows others', async () => {
  await onServer(server, `alter database ${name} set idle_in_transaction_session_timeout = 100`)
  await onServer(server, `alter database ${name} set idle_session_timeout = 100`)
  await withAdvisoryLock(own, 1, async client => {
    await setTimeout(300)
    await client.query('begin')
    await setTimeout(300)
    await client.query('commit')
  })
})

test('ids and totals arrive as numbers', async () => {
  const { rows } = await open.pool.query(`select ${Number.MAX_SAFE_INTEGER}::bigint as id`)
  expect(rows).toEqual([{ id: Number.MAX_SAFE_INTEGER }])
})

test('a statement is prepared once per connection, except where a table is planned each time', async () => {
  const { db, pool, close } = connection(1)
  planEachTime('varied')
  await pool.query('create table varied (n int); create table things (n int)')
  for (const n of [1, 2, 3]) {
    expect((await sql`select ${n}::int as n`.execute(db)).rows).toEqual([{ n }])
    await sql`select from things join varied as c on c.n = ${n}::int`.execute(db)
    await sql`select from varied where n > ${n}::int`.execute(db)
    await db.withTables<{ varied: { n: number } }>().selectFrom('varied').where('n', '>', n).execute()
  }
  const { rows } = await pool.query(
    'select statement, generic_plans + custom_plans as runs from pg_prepared_statements order by prepare_time',
  )
  await pool.query('drop table varied, things')
  await close()
  expect(rows).toEqual([
    { statement: 'select $1::int as n', runs: 3 },
    { statement: 'select from things join varied as c on c.n = $1::int', runs: 3 },
  ])
})

test('a transaction is atomic', async () => {
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
  let holding = 0
  const bothHold = Promise.withResolvers<void>()
  const add = (first: number, second: number) =>
    transaction(open.db, async db => {
      tries.push(`${first} then ${second}`)
      await sql`update pots set n = n + 1 where id = ${first}`.execute(db)
      // Each requests the other's row when both hold their own.
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      await sql`update pots set n = n + 1 where id = ${second}`.execute(db)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  expect((await open.pool.query('select n from pots')).rows).toEqual([{ n: 2 }, { n: 2 }])
  // The database ends one of them, on a slow machine sometimes both.
  expect(tries.length).toBeGreaterThan(2)
})

test('a broken constraint is identified by its name, other errors are not', async () => {
  await open.pool.query('create table cups (n int constraint cups_positive check (n > 0))')
  expect(violatedConstraint(await failure(open.pool.query('insert into cups values (0)')))).toBe(
    'cups_positive',
  )
  expect(violatedConstraint(await failure(open.pool.query('select * from nothing')))).toBeUndefined()
  expect(violatedConstraint(undefined)).toBeUndefined()
})

test('an unreachable database is unavailable', async () => {
  const nowhere = openPool({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' }, 1)
  expect(isUnavailable(await failure(nowhere.pool.query('select 1'))), 'nobody listens').toBe(true)
  await nowhere.close()
  const noSocket = openPool({ host: folder, user: 'nobody', database: 'none' }, 1)
  expect(isUnavailable(await failure(noSocket.pool.query('select 1'))), 'no socket').toBe(true)
  await noSocket.close()
  // A host name with two addresses; nobody listens at either.
  const [v4, v6] = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  const both = createConnection({ host: 'both.test', port: 1, lookup: (_, __, give) => give(null, [v4, v6]) })
  const [error] = await once(both, 'error')
  expect(error).toBeInstanceOf(AggregateError)
  expect(isUnavailable(error), 'nobody listens at two addresses').toBe(true)

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

test('a lock timeout is unavailable', async () => {
  await open.pool.query('create table locks (id int); insert into locks values (1)')
  const holder = await open.pool.connect()
  await holder.query('begin; select * from locks for update')
  const waiter = failure(open.pool.query(`set lock_timeout = 50; select * from locks for update`))
  expect(isUnavailable(await waiter)).toBe(true)
  await holder.query('rollback')
  holder.release()
})

test('a programming error does not count as an unavailable database', async () => {
  expect(isUnavailable(await failure(open.pool.query('select * from nothing')))).toBe(false)
  expect(isUnavailable(await failure(readFile(join(folder, 'nothing'))))).toBe(false)
  for (const value of [
    new TypeError('x is not a function'),
    SyntaxError('Unterminated string in JSON'),
    undefined,
    null,
    'text',
    {},
  ]) {
    expect(isUnavailable(value), String(value)).toBe(false)
  }
})
