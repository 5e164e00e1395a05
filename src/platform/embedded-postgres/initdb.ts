import * as fs from 'node:fs'
import { join } from 'node:path'
import { run } from './child.ts'
import { changeOwner, holdsCluster } from './os-user.ts'
import type { Paths } from './paths.ts'
import { Busy } from './probe.ts'
import { DATABASE, type Log, type Settings, SYNC, USER } from './settings.ts'

/**
 * Creates the cluster with an empty database, unless it exists. It is created in a temporary folder, and moved when
 * it is complete.
 * @throws Busy while another process does the same, Error if the directory contains other files, or initdb fails
 */
export async function initdb(paths: Paths, settings: Settings, log: Log): Promise<void> {
  const { dataDir, osUser } = paths
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const others = fs.readdirSync(dataDir).filter(name => !/^(\.new-.*|lost\+found)$/.test(name))
  if (holdsCluster(dataDir)) {
    // Root has restored the files of a cluster.
    return fs.statSync(dataDir).uid === 0 ? changeOwner(dataDir, osUser) : undefined
  }
  if (others.includes('base'))
    throw new Busy(`${dataDir} contains an incomplete database: delete its contents and start again`)
  if (others[0]) throw new Error(`${dataDir} is meant for the database, but it holds ${others[0]}`)
  log(`Making the database in ${dataDir}`)
  fs.chmodSync(dataDir, 0o700)
  const temporary = fs.mkdtempSync(join(dataDir, '.new-'))
  await changeOwner(dataDir, osUser)
  try {
    await makeCluster(paths, temporary, settings.fsync !== 'off')
    moveOut(temporary, dataDir)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const Kind = fs.existsSync(join(dataDir, 'base')) ? Busy : Error
    throw new Kind(`No database can be made in ${dataDir}: ${(stderr || message).trim()}`, { cause: error })
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

async function makeCluster({ programs, osUser }: Paths, folder: string, sync: boolean): Promise<void> {
  const initdb = (...args: string[]) => run(osUser, join(programs, 'initdb'), ['-D', folder, ...args])
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  await initdb('-U', USER, '-A', 'trust', '--no-sync', ...locale)
  const single = ['--single', '-D', folder, '-cfsync=off', '-cexit_on_error=on', 'template1']
  await run(osUser, join(programs, 'postgres'), single, `create database ${DATABASE}`)
  if (sync) await initdb('--sync-only', `--sync-method=${SYNC}`)
}

/**
 * Moves a cluster out of the temporary folder. `base` is moved first, in which only one of two processes succeeds.
 * PG_VERSION is moved last: it marks a complete cluster.
 */
function moveOut(temporary: string, dataDir: string): void {
  const rank = (name: string) => Number(name === 'PG_VERSION') - Number(name === 'base')
  const names = fs.readdirSync(temporary).sort((a, b) => rank(a) - rank(b))
  for (const name of names) fs.renameSync(join(temporary, name), join(dataDir, name))
  const folder = fs.openSync(dataDir, 'r')
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}
