import * as fs from 'node:fs'
import { join } from 'node:path'
import { type OsUser, run } from './child.ts'

/** With root: the folder for data and programs that the unprivileged user of the server could not access elsewhere. */
export const ROOT_HOME = '/var/lib/thrum'

/** Creates a folder that every user may enter, whatever the umask is. */
export function createWorldReadable(folder: string): void {
  fs.mkdirSync(folder, { recursive: true })
  for (const each of [ROOT_HOME, folder]) fs.chmodSync(each, 0o755)
}

/** Whether a directory contains a complete cluster. */
export const holdsCluster = (dataDir: string): boolean => fs.existsSync(join(dataDir, 'PG_VERSION'))

/**
 * The user that the server runs as: the current one. With root: the owner of the cluster, or `nobody` if that is root
 * or there is none.
 */
export function osUserFor(dataDir: string): OsUser {
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

/** Changes the owner of a directory, if the process is root. Links are not followed (-h). */
export async function changeOwner(path: string, { uid = -1, gid = -1 }: OsUser): Promise<void> {
  const owner = `${uid >>> 0}:${gid >>> 0}`
  if (process.getuid?.() === 0) await run({}, '/bin/sh', ['-c', 'chown -hR "$0" "$1"', owner, path])
}
