import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { isAlive, spawnDetached } from './child.ts'
import type { Paths } from './paths.ts'

/**
 * Its input is a pipe from this process, which is closed when this process ends. It then stops the server with the
 * pid $1, if that is still the pid in the data directory $0. A server that was just started has 3 s to write its pid
 * there.
 */
const WATCHDOG_SCRIPT = `
while read -r _; do :; done
for try in 1 2 3; do
  read -r pid < "$0/postmaster.pid"
  if [ "$pid" = "$1" ]; then kill -INT "$1"; exit; fi
  sleep 1
done`

/** Starts the watchdog: a process that stops the server when this process has ended, even by kill -9. It ends with the server. */
export function startWatchdog(server: ChildProcess, { dataDir, osUser }: Paths): ChildProcess {
  const args = ['-c', WATCHDOG_SCRIPT, dataDir, `${server.pid}`]
  const child = spawnDetached(osUser, '/bin/sh', args, ['pipe', 'ignore', 'ignore'])
  child.stdin?.on('error', () => {})
  ;(child.stdin as Socket | null)?.unref()
  server.once('exit', () => child.kill())
  return child
}

/** Pid of the server that runs in a data directory; undefined if there is none, or only a stale lock file. */
export function postmaster(dataDir: string): number | undefined {
  const pid = lockFilePid(dataDir)
  return pid > 0 && isAlive(pid) && !hasOtherWorkingDir(pid, dataDir) ? pid : undefined
}

/** Pid in the lock file; 0 without a file. */
function lockFilePid(dataDir: string): number {
  try {
    return Number.parseInt(fs.readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10) || 0
  } catch {
    return 0
  }
}

/** Whether a process has another working directory than the server of this data directory would have (Linux only). */
function hasOtherWorkingDir(pid: number, dataDir: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) !== dataDir
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/**
 * Makes a stale lock file harmless. After a crash its pid may belong to another process, as in a restarted container,
 * and PostgreSQL would not start. PostgreSQL ignores the pid of its parent, so the pid of this process is written
 * into the file. The rest of the file stays: PostgreSQL finds leftover shared memory by it.
 */
export function neutralizeStaleLock(dataDir: string): void {
  const pid = lockFilePid(dataDir)
  if (pid <= 0 || !isAlive(pid) || !hasOtherWorkingDir(pid, dataDir)) return
  // Links are not followed: the owner of the directory could make root write into another file.
  const file = fs.openSync(join(dataDir, 'postmaster.pid'), fs.constants.O_RDWR | fs.constants.O_NOFOLLOW)
  const [pidLine = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeSync(file, [`${process.pid}`.padEnd(pidLine.length), ...rest].join('\n'), 0)
  fs.closeSync(file)
}
