import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { end, hasEnded, isAlive, spawnDetached } from './child.ts'
import { openSocketDir, type Paths } from './paths.ts'
import { Busy, CLUSTER_NAME_PREFIX, probe } from './probe.ts'
import { type Log, PORT, type Settings } from './settings.ts'
import { neutralizeStaleLock, postmaster, startWatchdog } from './watchdog.ts'

/** A running server, which this or another process of the shop has started. */
export interface Server {
  hasEnded(): boolean
  /** Empties the log file of the server if it is over 10 MB. */
  trimLog(): void
  stop(): Promise<void>
}

/** Bytes. */
const LOG_LIMIT = 10 * 1024 * 1024

/** Uses the server of another running process, replaces the server of a crashed one, or launches a server. */
export async function reuseOrStart(paths: Paths, settings: Settings, log: Log): Promise<Server> {
  const pid = postmaster(paths.dataDir)
  const owner = pid && (await probe(paths))
  if (!pid || owner === undefined) return launch(paths, settings, log)
  const isReplaced = () => postmaster(paths.dataDir) !== pid
  if (owner === 'other' || isAlive(owner)) {
    log(`Using the PostgreSQL that another process runs in ${paths.dataDir}`)
    return { hasEnded: isReplaced, trimLog: () => {}, stop: async () => {} }
  }
  // Its watchdog may be stopping it already, so it cannot be used.
  await end(pid, isReplaced)
  return launch(paths, settings, log)
}

/**
 * Launches the server and waits until it responds, without a time limit, since recovery after a crash may take long.
 * @throws Busy while another server uses the directory, otherwise Error with the message of PostgreSQL
 */
async function launch(paths: Paths, settings: Settings, log: Log): Promise<Server> {
  await openSocketDir(paths)
  neutralizeStaleLock(paths.dataDir)
  const { file, path, size } = openLog(paths)
  const options = Object.entries({
    ...settings,
    port: `${PORT}`,
    cluster_name: `${CLUSTER_NAME_PREFIX}${process.pid}`,
  })
  const args = ['-D', paths.dataDir, '-k', paths.socketDir, ...options.map(pair => `-c${pair.join('=')}`)]
  const postgres = join(paths.programs, 'postgres')
  const child = spawnDetached(paths.osUser, postgres, args, ['ignore', file, file])
  if (child.pid === undefined) fs.closeSync(file)
  else child.once('exit', () => fs.closeSync(file))
  const watchdog = startWatchdog(child, paths)
  const server = {
    hasEnded: () => hasEnded(child),
    trimLog: () => trim(file),
    stop: () => stop(paths, child, watchdog),
  }
  const slowStartTimer = setTimeout(
    log,
    10_000,
    'PostgreSQL is still starting: it may be recovering from a crash',
  )
  try {
    // Growing pauses, since each early attempt is a line in the server's log.
    for (let ms = 10; !server.hasEnded() && !(await responds(paths)); ms = Math.min(ms * 1.2, 200))
      await sleep(ms)
  } catch (error) {
    await server.stop()
    throw error
  } finally {
    clearTimeout(slowStartTimer)
  }
  if (!server.hasEnded()) return server
  const logged = fs.readFileSync(path).subarray(size).toString()
  const message =
    new RegExp(`\\[${child.pid}\\] (?:FATAL|PANIC): +(.*)`).exec(logged)?.[1] ?? 'it ended at once'
  const Kind = /lock file|shared memory block/.test(message) ? Busy : Error
  throw new Kind(`PostgreSQL did not start: ${message} (see ${path})`)
}

/**
 * Opens the log file of the server to append to it, and empties it if it is over 10 MB. `size`: its bytes, where this
 * start begins.
 */
function openLog({ dataDir, osUser: { uid, gid } }: Paths): { file: number; path: string; size: number } {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = fs.constants
  const path = join(dataDir, 'postgres.log')
  const file = fs.openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  if (uid !== undefined && gid !== undefined) fs.fchownSync(file, uid >>> 0, gid >>> 0)
  trim(file)
  return { file, path, size: fs.fstatSync(file).size }
}

/** Empties a log file. The server opens it for appending, so that its next line is at the beginning. */
function trim(log: number): void {
  if (fs.fstatSync(log).size > LOG_LIMIT) fs.ftruncateSync(log)
}

/** Stops the server and its watchdog, and removes its files. */
async function stop(paths: Paths, child: ChildProcess, watchdog: ChildProcess): Promise<void> {
  await end(child.pid, () => hasEnded(child))
  while (!hasEnded(watchdog)) await sleep(5)
  fs.rmdir(paths.socketDir, () => {})
}

/** Whether the server that this process has launched responds; false while it is starting. */
async function responds(paths: Paths): Promise<boolean> {
  try {
    return (await probe(paths)) === process.pid
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}
