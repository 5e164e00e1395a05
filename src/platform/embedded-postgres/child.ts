import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Whom the server runs as; empty: as ourselves. Signed, as `spawn` wants it (on macOS nobody is -2). */
export interface Account {
  uid?: number
  gid?: number
}

/** What every child gets: no way back to our terminal, our directory or our secrets. */
const bare = { cwd: '/', env: { LC_ALL: 'C' } }

/** Runs a program to its end. Rejects as `execFile` does: `code` is a system code or the exit status. */
export async function run(account: Account, file: string, args: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(file, args, { ...bare, ...account })
  running.child.stdin?.on('error', () => {}).end(input)
  await running
}

/** Starts a program that Ctrl-C in our terminal does not reach and that does not keep us running. */
export function spawnDetached(
  account: Account,
  file: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  const child = spawn(file, args, { ...bare, ...account, detached: true, stdio })
  child.on('error', () => {})
  child.unref()
  return child
}

/** True once a child of ours has ended, or never began. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/** True while a process or thread has this number, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Stops a server: SIGINT ends its sessions and writes everything down, SIGQUIT 10 s later ends it at once.
 * @throws Error where it is still there another 10 s later
 */
export async function end(pid: number | undefined, gone: () => boolean): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (pid && !gone() && isAlive(pid)) process.kill(pid, signal)
    for (const limit = Date.now() + 10_000; Date.now() < limit; await sleep(5)) if (gone()) return
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}
