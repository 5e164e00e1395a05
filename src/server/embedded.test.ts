import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts'

vi.setConfig({ testTimeout: 40_000 })

type Running = Pick<EmbeddedPostgres, 'connection' | 'dataDir'>
const asRoot = process.getuid?.() === 0
const fast = { fsync: 'off' }
const soon = { timeout: 5_000, interval: 20 }

/** A folder of this test alone; with 0o755 root's server can enter it too. */
function folder(mode = 0o755): string {
  const made = realpathSync(mkdtempSync('/tmp/embedded-'))
  chmodSync(made, mode)
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Starts in this process; `lines` is what was logged. */
async function start(dataDir: string): Promise<EmbeddedPostgres & { lines: string[] }> {
  const lines: string[] = []
  const server = await startEmbedded({ dataDir, log: line => lines.push(line), settings: fast })
  onTestFinished(() => server.stop())
  return { ...server, lines }
}

/** Starts in a process of its own, which `kill` ends without a word. */
async function startElsewhere(dataDir: string): Promise<Running & { kill(): Promise<void> }> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const { connection, dataDir } = await startEmbedded(
      { dataDir: process.argv[1], log: () => {}, settings: ${JSON.stringify(fast)} })
    console.log(JSON.stringify({ connection, dataDir }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(async () => {
    await kill()
    await vi.waitUntil(() => processes({ dataDir }).length === 0, soon)
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ...JSON.parse(line), kill }
}

/** Rows of one statement, each as a list. */
async function rows(server: Running, text: string): Promise<unknown[][]> {
  const client = new Client({ ...server.connection, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const postmaster = ({ dataDir }: Running) =>
  Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)

/** Processes that were told this data directory: the server and its guard. */
const processes = ({ dataDir }: Pick<Running, 'dataDir'>) =>
  execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(dataDir) && /^\S*(postgres|sh) /.test(line))

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

test('keeps its data from one start to the next', async () => {
  const dataDir = join(folder(), 'data')
  const first = await start(dataDir)
  await rows(first, `create table kept as select 'a bowl' as what`)
  await first.stop()
  const second = await start(dataDir)
  expect(await rows(second, 'select what from kept')).toEqual([['a bowl']])
})

test('the server ends when its process is killed, and the next start finds what was committed', async () => {
  const dataDir = join(folder(), 'data')
  const first = await startElsewhere(dataDir)
  await rows(first, `create table kept as select 'a bowl' as what`)
  await first.kill()
  await expect.poll(() => processes(first), soon).toEqual([])
  const second = await start(dataDir)
  expect(await rows(second, 'select what from kept')).toEqual([['a bowl']])
})

test('a start right after a kill waits for the old server to end', async () => {
  const dataDir = join(folder(), 'data')
  const first = await startElsewhere(dataDir)
  await rows(first, `create table kept as select 'a bowl' as what`)
  await first.kill()
  const second = await start(dataDir)
  expect(await rows(second, 'select what from kept')).toEqual([['a bowl']])
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

test('a second process joins, leaves the server running, and takes over when the first is gone', async () => {
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

test('two that start at once in a new directory share one server', async () => {
  const dataDir = join(folder(), 'data')
  const [one, two] = await Promise.all([startElsewhere(dataDir), start(dataDir)])
  await rows(one, `create table kept as select 'a bowl' as what`)
  expect(await rows(two, 'select what from kept')).toEqual([['a bowl']])
  expect(processes(two).filter(line => line.includes('bin/postgres'))).toHaveLength(1)
})

test('a leftover lock file that names another living process is no obstacle', async () => {
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

test.runIf(asRoot)('root: where only root can enter, the data lies elsewhere, at every start', async () => {
  const dataDir = join(folder(0o700), 'private', 'data')
  mkdirSync(dirname(dataDir), { mode: 0o700 })
  const first = await start(dataDir)
  onTestFinished(() => rmSync(dirname(first.dataDir), { recursive: true }))
  expect(first.dataDir).toMatch(/^\/var\/lib\/thrum\/\w+\/data$/)
  expect(first.lines.filter(line => line.includes(`: data is in ${first.dataDir}`))).toHaveLength(1)
  await rows(first, `create table kept as select 'a bowl' as what`)
  await first.stop()
  const second = await start(dataDir)
  expect(await rows(second, 'select what from kept')).toEqual([['a bowl']])
})

test('a long path is no obstacle', async () => {
  const server = await start(join(folder(), 'deep/'.repeat(40), 'data'))
  expect(join(server.connection.host, '.s.PGSQL.5432').length).toBeLessThanOrEqual(103)
  expect(await rows(server, 'select 1')).toEqual([[1]])
})

test('refuses a directory that holds something else, and leaves it as it is', async () => {
  const dataDir = folder()
  writeFileSync(join(dataDir, 'letter.txt'), 'dear Ana')
  await expect(start(dataDir)).rejects.toThrow(
    `${dataDir} is meant for the database, but it holds letter.txt`,
  )
  expect(statSync(dataDir).mode & 0o777).toBe(0o755)
})

test('asks for DATABASE_URL where there are no binaries', async () => {
  vi.spyOn(process, 'arch', 'get').mockReturnValue('riscv64')
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(start(join(folder(), 'data'))).rejects.toThrow(/riscv64.*Set DATABASE_URL/)
})
