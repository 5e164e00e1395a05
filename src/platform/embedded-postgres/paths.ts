import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { packaged, runnable } from './binaries.ts'
import { type Account, run } from './child.ts'
import { accountFor, give, holdsCluster, openFolder, ROOT_HOME } from './os-user.ts'

/** Where everything of one server is, and whom it runs as. */
export interface Paths {
  /** Folder of the programs initdb and postgres. */
  readonly programs: string
  /** Real path of the cluster. */
  readonly dataDir: string
  /** Short, for the path of a socket may have 107 bytes (macOS: 103). */
  readonly socketDir: string
  readonly account: Account
}

/**
 * Decides where the server lies and whom it runs as. An ordinary user: where asked, as itself. Root: there
 * too, as nobody or as the owner of the cluster; where that account cannot get there, under /var/lib/thrum,
 * now and later.
 * @throws Error with one sentence where programs or data cannot be used
 */
export async function findPaths(asked: string, log: (line: string) => void): Promise<Paths> {
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

/**
 * Makes the directory of the socket, which only the server's account may enter.
 * @throws Error where somebody else made it before
 */
export async function openSocketDir({ socketDir, account }: Paths): Promise<void> {
  fs.mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  if (fs.lstatSync(socketDir).uid === process.getuid?.()) await give(socketDir, account)
  const stat = fs.lstatSync(socketDir)
  const owned = (stat.uid | 0) === (account.uid ?? process.getuid?.())
  if (!stat.isDirectory() || !owned || stat.mode & 0o077) {
    throw new Error(`${socketDir} belongs to somebody else: remove it, or set DATABASE_URL`)
  }
}
