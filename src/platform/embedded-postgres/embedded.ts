import { setTimeout as sleep } from 'node:timers/promises'
import { initdb } from './initdb.ts'
import { holdsCluster } from './os-user.ts'
import { findPaths } from './paths.ts'
import { connection, retry } from './probe.ts'
import { reuseOrStart, type Server } from './server.ts'
import { DEFAULTS, type Log, type Settings } from './settings.ts'

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Options for pg: a Unix socket, never a TCP address. They stay valid when the server restarts. */
  readonly connection: { host: string; user: string; database: string; port?: number; ssl: false }
  /** Real path of the cluster. With root it differs from the requested one if the user of the server cannot access that. */
  readonly dataDir: string
  /** Stops the server and waits for its end. A server that another process has started keeps running. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL with a data directory, which is created if it is missing, or uses the server that another process
 * of the shop runs there. It resolves when the database responds. A crashed server is restarted, also by a process
 * that has not started it. The server stops a second after the process that has started it, even if that was killed.
 * @param options.settings override the defaults: { fsync: 'off' } for tests
 * @param options.mustExist makes no new database
 * @throws Error with one sentence: the binaries do not run here, or the data directory cannot be used, or must exist
 * and does not
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  settings?: Settings
  mustExist?: boolean
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const settings = { ...DEFAULTS, ...options.settings }
  const paths = await findPaths(options.dataDir, log)
  if (options.mustExist && !holdsCluster(paths.dataDir))
    throw new Error(`There is no database in ${paths.dataDir}: use the settings and the user of the shop`)
  await retry(() => initdb(paths, settings, log))
  const start = () => reuseOrStart(paths, settings, log)
  const stopping = new AbortController()
  const supervised = supervise(await retry(start), start, log, stopping.signal)
  return {
    connection: connection(paths),
    dataDir: paths.dataDir,
    stop() {
      stopping.abort()
      return supervised
    },
  }
}

/** Restarts the server when it has ended: at once, or up to 2 s later if it crashes soon after a start. */
async function supervise(
  first: Server,
  again: () => Promise<Server>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { ref: false, signal: stopping }).catch(() => {})
  let server = first
  for (let since = Date.now(), pause = 0; ; since = Date.now()) {
    while (!stopping.aborted && !server.hasEnded()) {
      server.trimLog()
      await wait(100)
    }
    if (stopping.aborted) return server.stop()
    log('PostgreSQL has ended by itself; starting it again')
    pause = Date.now() - since > 10_000 ? 0 : Math.min(pause * 2 + 100, 2_000)
    await wait(pause)
    if (stopping.aborted) return
    const started = retry(again, stopping)
    server = (await started.catch(error => log(`PostgreSQL does not come back: ${error.message}`))) ?? server
  }
}
