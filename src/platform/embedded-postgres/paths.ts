import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { packagedBinaries, runnableBinaries } from './binaries.ts'
import { type OsUser, run } from './child.ts'
import { changeOwner, createWorldReadable, holdsCluster, osUserFor, ROOT_HOME } from './os-user.ts'

/** The paths of a server, and its user. */
export interface Paths {
  /** Folder of `initdb` and `postgres`. */
  readonly programs: string
  /** Real path of the cluster. */
  readonly dataDir: string
  /** A short path: that of a socket may have 107 bytes at most (macOS: 103). */
  readonly socketDir: string
  readonly osUser: OsUser
}

/**
 * Decides on the paths of a server, and its user. Without root: the requested path, and the current user. With root:
 * `nobody` or the owner of the cluster, and the requested path, or one in /var/lib/thrum if that user cannot access
 * it.
 * @throws Error with one sentence if programs or data cannot be used
 */
export async function findPaths(requested: string, log: (line: string) => void): Promise<Paths> {
  const native = packagedBinaries()
  const requestedPath = realPath(resolve(requested))
  const dataDir = process.getuid?.() === 0 ? await reachableDataDir(requestedPath) : requestedPath
  const osUser = osUserFor(dataDir)
  if (dataDir !== requestedPath) {
    log(
      `PostgreSQL runs as user ${osUser.uid}, not as root, and cannot use ${requestedPath}: data is in ${dataDir}`,
    )
  }
  const programs = join(await runnableBinaries(native, osUser, log), 'bin')
  const socketDir = `/tmp/thrum-${nameFor(dataDir)}-${osUser.uid ?? process.getuid?.()}`
  return { programs, dataDir, socketDir, osUser }
}

/** The real path of a directory, which need not exist. Its parent folder is created. */
function realPath(path: string): string {
  if (fs.existsSync(path)) return fs.realpathSync(path)
  fs.mkdirSync(dirname(path), { recursive: true })
  return join(fs.realpathSync(dirname(path)), basename(path))
}

/** A short name for a path: 12 hexadecimal digits of its hash. */
const nameFor = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12)

/**
 * The requested directory, or the one in /var/lib/thrum if the user of the server cannot access it. An existing cluster decides.
 */
async function reachableDataDir(requestedPath: string): Promise<string> {
  const fallback = join(ROOT_HOME, nameFor(requestedPath), 'data')
  if (!holdsCluster(requestedPath) && holdsCluster(fallback)) return fallback
  const osUser = osUserFor(requestedPath)
  const entered = run(osUser, '/bin/sh', ['-c', 'test -x "$0"', dirname(requestedPath)])
  if (await entered.then(() => true).catch(() => false)) return requestedPath
  if (holdsCluster(requestedPath)) {
    throw new Error(
      `PostgreSQL runs as user ${osUser.uid}, who cannot enter all folders above ${requestedPath}`,
    )
  }
  createWorldReadable(dirname(fallback))
  return fallback
}

/**
 * Creates the directory of the socket, which only the user of the server can access.
 * @throws Error if another user has created it
 */
export async function openSocketDir({ socketDir, osUser }: Paths): Promise<void> {
  fs.mkdirSync(socketDir, { recursive: true, mode: 0o700 })
  if (fs.lstatSync(socketDir).uid === process.getuid?.()) await changeOwner(socketDir, osUser)
  const stat = fs.lstatSync(socketDir)
  const owned = (stat.uid | 0) === (osUser.uid ?? process.getuid?.())
  if (!stat.isDirectory() || !owned || stat.mode & 0o077) {
    throw new Error(`${socketDir} belongs to somebody else: remove it, or set DATABASE_URL`)
  }
}
