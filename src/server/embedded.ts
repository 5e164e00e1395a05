import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Place } from './embedded-guard.ts'
import * as guard from './embedded-guard.ts'

export interface EmbeddedPostgres {
  /** For pg: the directory of the unix socket, never a TCP address. It stays the same through restarts. */
  readonly connection: { host: string; user: string; database: string; port?: number }
  /** Real path of the cluster; not the one asked for where root's server could not reach that. */
  readonly dataDir: string
  /** Stops the server and waits for its end, or only leaves it where another process of ours started it. */
  stop(): Promise<void>
}

type Log = (line: string) => void
type Settings = Record<string, string>

/** A server that answers: started by us, or by another process of ours. */
interface Server {
  gone(): boolean
  stop(): Promise<void>
}

/** Another start or stop is under way: the next try may succeed. */
class Busy extends Error {}

const USER = 'app'
const DATABASE = 'shop'
const PORT = 5432
/** Goes before the pid of the process that launched a server, in that server's cluster_name. */
const OWNER = 'thrum-'
const LOG_LIMIT = 10 * 1024 * 1024
/** How a whole cluster is flushed when made and after a crash: file by file may take seconds. */
const SYNC = process.platform === 'linux' ? 'syncfs' : 'fsync'
const DEFAULTS: Settings = {
  listen_addresses: '',
  max_connections: '50',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  recovery_init_sync_method: SYNC,
  log_min_messages: 'warning',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts PostgreSQL on a data directory, which is made when missing, or joins the server that another process
 * of ours runs there. Resolves once the database answers. A server that ends by itself is started again, also
 * by a process that had only joined it; a server outlives the process that started it by a second or so at
 * most.
 * @param options.settings over the defaults: { fsync: 'off' } for tests
 * @throws Error with one sentence: the binaries do not run here, or the data directory cannot be used
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  settings?: Settings
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const settings = { ...DEFAULTS, ...options.settings }
  const place = await guard.findPlace(options.dataDir, log)
  await patiently(() => initialise(place, settings, log))
  const start = () => joinOrLaunch(place, settings, log)
  const stopping = new AbortController()
  const kept = keep(await patiently(start), start, log, stopping.signal)
  return {
    connection: connection(place),
    dataDir: place.dataDir,
    stop() {
      stopping.abort()
      return kept
    },
  }
}

/** The port only names the socket. It is given, so that no PGPORT in our environment decides. */
const connection = ({ socketDir }: Place) => ({ host: socketDir, port: PORT, user: USER, database: DATABASE })

/** Repeats what another process is in the way of, for up to 15 s. */
async function patiently<T>(work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (const limit = Date.now() + 15_000; ; await sleep(100)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Busy) || Date.now() > limit || stopping?.aborted) throw error
    }
  }
}

/**
 * Makes the cluster with its empty database, where there is none: in a folder of its own, moved out of it
 * when whole.
 * @throws Busy while another process does the same, Error where the directory holds something else or initdb
 * fails
 */
async function initialise(place: Place, settings: Settings, log: Log): Promise<void> {
  const { dataDir, account } = place
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const others = fs.readdirSync(dataDir).filter(name => !/^(\.new-.*|lost\+found)$/.test(name))
  if (guard.holdsCluster(dataDir)) {
    // As root: a backup that root has put back.
    return fs.statSync(dataDir).uid === 0 ? guard.give(dataDir, account) : undefined
  }
  if (others.includes('base')) throw new Busy(`${dataDir} holds half a database: empty it`)
  if (others[0]) throw new Error(`${dataDir} is meant for the database, but it holds ${others[0]}`)
  log(`Making the database in ${dataDir}`)
  fs.chmodSync(dataDir, 0o700)
  const fresh = fs.mkdtempSync(join(dataDir, '.new-'))
  await guard.give(dataDir, account)
  try {
    await makeCluster(place, fresh, settings.fsync !== 'off')
    moveOut(fresh, dataDir)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const Kind = fs.existsSync(join(dataDir, 'base')) ? Busy : Error
    throw new Kind(`No database can be made in ${dataDir}: ${(stderr || message).trim()}`, { cause: error })
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

async function makeCluster({ programs, account }: Place, folder: string, sync: boolean): Promise<void> {
  const initdb = (...args: string[]) => guard.run(account, join(programs, 'initdb'), ['-D', folder, ...args])
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  await initdb('-U', USER, '-A', 'trust', '--no-sync', ...locale)
  const single = ['--single', '-D', folder, '-cfsync=off', '-cexit_on_error=on', 'template1']
  await guard.run(account, join(programs, 'postgres'), single, `create database ${DATABASE}`)
  if (sync) await initdb('--sync-only', `--sync-method=${SYNC}`)
}

/**
 * Moves a cluster out of its folder. Of two processes only one can move the first part, `base`; PG_VERSION,
 * the sign of a whole cluster, comes last.
 */
function moveOut(fresh: string, dataDir: string): void {
  const rank = (name: string) => Number(name === 'PG_VERSION') - Number(name === 'base')
  const parts = fs.readdirSync(fresh).sort((a, b) => rank(a) - rank(b))
  for (const name of parts) fs.renameSync(join(fresh, name), join(dataDir, name))
  const folder = fs.openSync(dataDir, 'r')
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}

/** Starts the server again whenever it is gone: at once or, soon after the last start, up to 2 s later. */
async function keep(
  first: Server,
  again: () => Promise<Server>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  const nap = (ms: number) => sleep(ms, undefined, { ref: false, signal: stopping }).catch(() => {})
  let server = first
  for (let since = Date.now(), pause = 0; ; since = Date.now()) {
    while (!stopping.aborted && !server.gone()) await nap(100)
    if (stopping.aborted) return server.stop()
    log('PostgreSQL has ended by itself; starting it again')
    pause = Date.now() - since > 10_000 ? 0 : Math.min(pause * 2 + 100, 2_000)
    await nap(pause)
    if (stopping.aborted) return
    const started = patiently(again, stopping)
    server = (await started.catch(error => log(`PostgreSQL does not come back: ${error.message}`))) ?? server
  }
}

/** Joins the server of a living process of ours, replaces the server of a dead one, or launches the first. */
async function joinOrLaunch(place: Place, settings: Settings, log: Log): Promise<Server> {
  const pid = guard.postmaster(place.dataDir)
  const owner = pid && (await ask(place))
  if (!pid || owner === undefined) return launch(place, settings, log)
  const gone = () => guard.postmaster(place.dataDir) !== pid
  if (owner === 'other' || guard.isAlive(owner)) {
    log(`Using the PostgreSQL that another process runs in ${place.dataDir}`)
    return { gone, stop: async () => {} }
  }
  // Its guard may be stopping it at this moment, so it cannot be taken over.
  await guard.end(pid, gone)
  return launch(place, settings, log)
}

/**
 * Launches the server and waits until it answers, however long it recovers from a crash.
 * @throws Busy while another server still holds the directory, else Error with PostgreSQL's own words
 */
async function launch(place: Place, settings: Settings, log: Log): Promise<Server> {
  await guard.openSocketDir(place)
  guard.excuseLeftoverLock(place.dataDir)
  const { file, path, size } = openLog(place)
  const told = Object.entries({ ...settings, port: `${PORT}`, cluster_name: `${OWNER}${process.pid}` })
  const args = ['-D', place.dataDir, '-k', place.socketDir, ...told.map(pair => `-c${pair.join('=')}`)]
  const postgres = join(place.programs, 'postgres')
  const child = guard.spawnApart(place.account, postgres, args, ['ignore', file, file])
  fs.closeSync(file)
  const warden = guard.guard(child, place)
  const server = { gone: () => guard.hasEnded(child), stop: () => stop(place, child, warden) }
  const late = setTimeout(log, 10_000, 'PostgreSQL is still starting: it may be recovering from a crash')
  try {
    // Each try that comes too early is a line in the server's log, so they become rarer.
    for (let ms = 10; !server.gone() && !(await answers(place)); ms = Math.min(ms * 1.2, 200)) await sleep(ms)
  } catch (error) {
    await server.stop()
    throw error
  } finally {
    clearTimeout(late)
  }
  if (!server.gone()) return server
  const said = fs.readFileSync(path).subarray(size).toString()
  const words = new RegExp(`\\[${child.pid}\\] (?:FATAL|PANIC): +(.*)`).exec(said)?.[1] ?? 'it ended at once'
  const Kind = /lock file|shared memory block/.test(words) ? Busy : Error
  throw new Kind(`PostgreSQL did not start: ${words} (see ${path})`)
}

/**
 * Opens the server's log to append to it; `size` is where the next start begins. Over 10 MB it begins anew.
 */
function openLog({ dataDir, account: { uid, gid } }: Place): { file: number; path: string; size: number } {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = fs.constants
  const path = join(dataDir, 'postgres.log')
  const file = fs.openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  if (uid !== undefined && gid !== undefined) fs.fchownSync(file, uid >>> 0, gid >>> 0)
  if (fs.fstatSync(file).size > LOG_LIMIT) fs.ftruncateSync(file)
  return { file, path, size: fs.fstatSync(file).size }
}

/** Stops what `launch` began, and tidies up. */
async function stop(place: Place, child: ChildProcess, warden: ChildProcess): Promise<void> {
  await guard.end(child.pid, () => guard.hasEnded(child))
  while (!guard.hasEnded(warden)) await sleep(5)
  fs.rmdir(place.socketDir, () => {})
}

/** True once our own server answers; false while it is starting. */
async function answers(place: Place): Promise<boolean> {
  try {
    return (await ask(place)) === process.pid
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}

/**
 * Asks the server for the pid of the process of ours that launched it; 'other': it was not ours.
 * @returns undefined where nobody listens
 * @throws Busy where it is starting, stopping or full, Error where it refuses us
 */
async function ask(place: Place): Promise<number | 'other' | undefined> {
  const client = new Client({ ...connection(place), ssl: false, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(`select current_setting('cluster_name') as name`)
    return Number(rows[0]?.name.split(OWNER)[1]) || 'other'
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    const Kind = error instanceof DatabaseError && !/^5[37]/.test(code) ? Error : Busy
    throw new Kind(`PostgreSQL in ${place.dataDir} does not answer: ${message}`)
  } finally {
    await client.end().catch(() => {})
  }
}
