import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  asRoot,
  folder,
  postmaster,
  processes,
  rows,
  start,
  startElsewhere,
} from '../../../test/support/embedded-postgres.ts'
import { soon } from '../../../test/support/expect.ts'

vi.setConfig({ testTimeout: 120_000 })

test('starts in a new directory, on a socket only, and leaves no process behind', async () => {
  const server = await start(join(folder(), 'data'))
  const [settings] = await rows(
    server,
    `select current_database(), pg_encoding_to_char(encoding), datlocprovider, datlocale,
       current_setting('listen_addresses'), current_setting('TimeZone'), current_setting('wal_level')
     from pg_database where datname = current_database()`,
  )
  expect(settings).toEqual(['shop', 'UTF8', 'b', 'C.UTF-8', '', 'UTC', 'replica'])
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  expect(statSync(server.dataDir).mode & 0o777).toBe(0o700)
  expect(processes(server)).toHaveLength(2)
  await server.stop()
  expect(processes(server)).toEqual([])
})

test('PG* variables of the environment are ignored', async () => {
  vi.stubEnv('PGSSLMODE', 'require')
  vi.stubEnv('PGPORT', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await rows(await start(join(folder(), 'data')), 'select 1')).toEqual([[1]])
})

test('data survives a restart', async () => {
  const dataDir = join(folder(), 'data')
  const first = await start(dataDir)
  await rows(first, `create table bowls as select 'a bowl' as what`)
  await first.stop()
  const second = await start(dataDir)
  expect(await rows(second, 'select what from bowls')).toEqual([['a bowl']])
})

test('the server ends when its process is killed, and no committed data is lost', async () => {
  const dataDir = join(folder(), 'data')
  const first = await startElsewhere(dataDir)
  await rows(first, `create table bowls as select 'a bowl' as what`)
  await first.kill()
  await expect.poll(() => processes(first), soon).toEqual([])
  const second = await start(dataDir)
  expect(await rows(second, 'select what from bowls')).toEqual([['a bowl']])
})

test('a start right after a kill waits for the old server to end', async () => {
  const dataDir = join(folder(), 'data')
  const first = await startElsewhere(dataDir)
  await rows(first, `create table bowls as select 'a bowl' as what`)
  await first.kill()
  const second = await start(dataDir)
  expect(await rows(second, 'select what from bowls')).toEqual([['a bowl']])
  expect(processes(second)).toHaveLength(2)
})

test('starts a killed server again within 5 s', async () => {
  const server = await start(join(folder(), 'data'))
  const killed = postmaster(server)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => rows(server, 'select 1').catch(() => []), soon).toEqual([[1]])
  expect(postmaster(server)).not.toBe(killed)
  expect(server.lines).toContain('PostgreSQL has ended by itself; starting it again')
  await server.stop()
  expect(processes(server)).toEqual([])
})

test('a second process joins the running server, and takes over when the first has ended', async () => {
  const dataDir = join(folder(), 'data')
  const first = await startElsewhere(dataDir)
  const guest = await start(dataDir)
  expect(guest.connection).toEqual(first.connection)
  await guest.stop()
  expect(await rows(first, 'select 1')).toEqual([[1]])

  const heir = await start(dataDir)
  const before = postmaster(heir)
  await first.kill()
  await expect
    .poll(
      () =>
        rows(heir, 'select 1')
          .then(() => postmaster(heir))
          .catch(() => before),
      soon,
    )
    .not.toBe(before)
  expect(processes(heir)).toHaveLength(2)
})

test('two concurrent starts in a new directory share one server', async () => {
  const dataDir = join(folder(), 'data')
  const [one, two] = await Promise.all([startElsewhere(dataDir), start(dataDir)])
  await rows(one, `create table bowls as select 'a bowl' as what`)
  expect(await rows(two, 'select what from bowls')).toEqual([['a bowl']])
  expect(processes(two).filter(line => line.includes('bin/postgres'))).toHaveLength(1)
})

test('a stale lock file with the pid of another process is ignored', async () => {
  const dataDir = join(folder(), 'data')
  const { uid, gid } = await start(dataDir).then(async server => {
    await server.stop()
    return statSync(dataDir)
  })
  const stranger = spawn('sleep', ['60'], asRoot ? { uid, gid } : {})
  onTestFinished(() => void stranger.kill())
  writeFileSync(join(dataDir, 'postmaster.pid'), `${stranger.pid}\n${dataDir}\n1\n5432\n\n\n  1 1\n`)
  expect(await rows(await start(dataDir), 'select 1')).toEqual([[1]])
})

test('the log has no data of rows or statements, and its size is limited', async () => {
  const server = await start(join(folder(), 'data'))
  const log = join(server.dataDir, 'postgres.log')
  await rows(server, 'create table people (email text primary key)')
  const signUp = `insert into people values ('secret.person@example.com')`
  await rows(server, signUp)
  await expect(rows(server, signUp)).rejects.toThrow()
  const logged = readFileSync(log, 'utf8')
  expect(logged).toContain('duplicate key value violates unique constraint')
  expect(logged).not.toContain('secret.person')
  appendFileSync(log, Buffer.alloc(11 * 1024 * 1024, 'a line\n'))
  await expect.poll(() => statSync(log).size, soon).toBeLessThan(1_000_000)
  await expect(rows(server, signUp)).rejects.toThrow()
  expect(readFileSync(log, 'utf8')).toContain('duplicate key value')
})
