import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { isAlive, spawnDetached } from './child.ts'
import type { Paths } from './paths.ts'

/**
 * Its input is a pipe from us, which ends when we do. Then it stops the server ($1), if the data directory
 * ($0) still names that; a server that was only just started gets 3 s to write its pid there.
 */
const GUARD = `
while read -r _; do :; done
for try in 1 2 3; do
  read -r pid < "$0/postmaster.pid"
  if [ "$pid" = "$1" ]; then kill -INT "$1"; exit; fi
  sleep 1
done`

/** Starts the process that stops our server once we are gone, even by kill -9; it ends with the server. */
export function startWatchdog(server: ChildProcess, { dataDir, account }: Paths): ChildProcess {
  const args = ['-c', GUARD, dataDir, `${server.pid}`]
  const child = spawnDetached(account, '/bin/sh', args, ['pipe', 'ignore', 'ignore'])
  child.stdin?.on('error', () => {})
  ;(child.stdin as Socket | null)?.unref()
  server.once('exit', () => child.kill())
  return child
}

/** Pid of the server that runs in a data directory; undefined: none, or only what one left behind. */
export function postmaster(dataDir: string): number | undefined {
  const pid = namedPid(dataDir)
  return pid > 0 && isAlive(pid) && !worksElsewhere(pid, dataDir) ? pid : undefined
}

/** Pid in the first line of the lock file, 0 without one. */
function namedPid(dataDir: string): number {
  try {
    return Number.parseInt(fs.readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10) || 0
  } catch {
    return 0
  }
}

/** True where Linux proves that a process does not work in this data directory, as its server would. */
function worksElsewhere(pid: number, dataDir: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) !== dataDir
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/**
 * After a crash the lock file may name a pid that something else has by now, as is usual in a restarted
 * container, and PostgreSQL would refuse to start. It never suspects its parent, so the file gets our pid.
 * The rest of the file stays: PostgreSQL finds leftover shared memory by it.
 */
export function excuseLeftoverLock(dataDir: string): void {
  const pid = namedPid(dataDir)
  if (pid <= 0 || !isAlive(pid) || !worksElsewhere(pid, dataDir)) return
  // Not through a link: whoever owns the data may not lead root elsewhere.
  const file = fs.openSync(join(dataDir, 'postmaster.pid'), fs.constants.O_RDWR | fs.constants.O_NOFOLLOW)
  const [named = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeSync(file, [`${process.pid}`.padEnd(named.length), ...rest].join('\n'), 0)
  fs.closeSync(file)
}
