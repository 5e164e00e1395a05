import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * User and group of the server; empty: those of this process. Signed numbers, as `spawn` needs them (`nobody` is -2
 * on macOS).
 */
export interface OsUser {
  uid?: number
  gid?: number
}

/** Options of every child process: no working directory, and none of our environment, which contains secrets. */
const isolated = { cwd: '/', env: { LC_ALL: 'C' } }

/** Runs a program to its end. It rejects as `execFile` does: `code` is a system code or the exit code. */
export async function run(osUser: OsUser, file: string, args: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(file, args, { ...isolated, ...osUser })
  running.child.stdin?.on('error', () => {}).end(input)
  await running
}

/** Starts a detached program: Ctrl-C in the terminal does not end it, and it does not keep this process running. */
export function spawnDetached(
  osUser: OsUser,
  file: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  const child = spawn(file, args, { ...isolated, ...osUser, detached: true, stdio })
  child.on('error', () => {})
  child.unref()
  return child
}

/** Whether a child process has ended, or failed to start. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/** Whether there is a process or thread with this pid, of any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Stops a server: SIGINT for a fast shutdown, and SIGQUIT for an immediate one 10 s later.
 * @throws Error if it is still running after another 10 s
 */
export async function end(pid: number | undefined, hasStopped: () => boolean): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (pid && !hasStopped() && isAlive(pid)) process.kill(pid, signal)
    for (const limit = Date.now() + 10_000; Date.now() < limit; await sleep(5)) if (hasStopped()) return
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}
