import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { end, hasEnded, isAlive, spawnDetached } from './child.ts'
import { openSocketDir, type Paths } from './paths.ts'
import { Busy, OWNER, probe } from './probe.ts'
import { type Log, PORT, type Settings } from './settings.ts'
import { excuseLeftoverLock, postmaster, startWatchdog } from './watchdog.ts'

/** A running server, which this or another process of the shop has started. */
export interface Server {
  gone(): boolean
  /** Empties the log file of the server if it is over 10 MB. */
  trimLog(): void
  stop(): Promise<void>
}

const LOG_LIMIT = 10 * 1024 * 1024

/** Uses the server of another running process, replaces the server of a crashed one, or launches a server. */
export async function joinOrLaunch(place: Paths, settings: Settings, log: Log): Promise<Server> {
  const pid = postmaster(place.dataDir)
  const owner = pid && (await probe(place))
  if (!pid || owner === undefined) return launch(place, settings, log)
  const gone = () => postmaster(place.dataDir) !== pid
  if (owner === 'other' || isAlive(owner)) {
    log(`Using the PostgreSQL that another process runs in ${place.dataDir}`)
    return { gone, trimLog: () => {}, stop: async () => {} }
  }
  // Its watchdog may be stopping it already, so it cannot be used.
  await end(pid, gone)
  return launch(place, settings, log)
}

/**
 * Launches the server and waits until it answers, without a time limit, since recovery after a crash may take long.
 * @throws Busy while another server uses the directory, otherwise Error with the message of PostgreSQL
 */
async function launch(place: Paths, settings: Settings, log: Log): Promise<Server> {
  await openSocketDir(place)
  excuseLeftoverLock(place.dataDir)
  const { file, path, size } = openLog(place)
  const options = Object.entries({ ...settings, port: `${PORT}`, cluster_name: `${OWNER}${process.pid}` })
  const args = ['-D', place.dataDir, '-k', place.socketDir, ...options.map(pair => `-c${pair.join('=')}`)]
  const postgres = join(place.programs, 'postgres')
  const child = spawnDetached(place.account, postgres, args, ['ignore', file, file])
  if (child.pid === undefined) fs.closeSync(file)
  else child.once('exit', () => fs.closeSync(file))
  const warden = startWatchdog(child, place)
  const server = {
    gone: () => hasEnded(child),
    trimLog: () => trim(file),
    stop: () => stop(place, child, warden),
  }
  const late = setTimeout(log, 10_000, 'PostgreSQL is still starting: it may be recovering from a crash')
  try {
    // Growing pauses, since each early attempt is a line in the server's log.
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

/** Opens the log file of the server to append to it, and empties it if it is over 10 MB. `size`: its bytes, where this start begins. */
function openLog({ dataDir, account: { uid, gid } }: Paths): { file: number; path: string; size: number } {
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
async function stop(place: Paths, child: ChildProcess, warden: ChildProcess): Promise<void> {
  await end(child.pid, () => hasEnded(child))
  while (!hasEnded(warden)) await sleep(5)
  fs.rmdir(place.socketDir, () => {})
}

/** Whether the server that this process has launched answers; false while it is starting. */
async function answers(place: Paths): Promise<boolean> {
  try {
    return (await probe(place)) === process.pid
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}
