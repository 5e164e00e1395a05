import { setTimeout as sleep } from 'node:timers/promises'
import { initdb } from './initdb.ts'
import { findPaths } from './paths.ts'
import { connection } from './probe.ts'
import { retry } from './retry.ts'
import { joinOrLaunch, type Server } from './server.ts'
import { DEFAULTS, type Log, type Settings } from './settings.ts'

export interface EmbeddedPostgres {
  /** For pg: the directory of the unix socket, never a TCP address. It stays the same through restarts. */
  readonly connection: { host: string; user: string; database: string; port?: number; ssl: false }
  /** Real path of the cluster; not the one asked for where root's server could not reach that. */
  readonly dataDir: string
  /** Stops the server and waits for its end, or only leaves it where another process of ours started it. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on a data directory, which is made when missing, or joins the server that another process
 * of ours runs there. Resolves once the database answers. A server that ends by itself is started again, also
 * by a process that had only joined it; a server outlives the process that started it by a second or so at
 * most.
 * @param options.settings over the defaults: { fsync: 'off' } for tests
 * @throws Error with one sentence: the binaries do not run here, or the data directory cannot be used
 */
export async function startEmbedded(options: {
  dataDir: string
  log: Log
  settings?: Settings
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const settings = { ...DEFAULTS, ...options.settings }
  const place = await findPaths(options.dataDir, log)
  await retry(() => initdb(place, settings, log))
  const start = () => joinOrLaunch(place, settings, log)
  const stopping = new AbortController()
  const kept = keep(await retry(start), start, log, stopping.signal)
  return {
    connection: connection(place),
    dataDir: place.dataDir,
    stop() {
      stopping.abort()
      return kept
    },
  }
}

/** Starts the server again whenever it is gone: at once or, soon after the last start, up to 2 s later. */
async function keep(
  first: Server,
  again: () => Promise<Server>,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  const nap = (ms: number) => sleep(ms, undefined, { ref: false, signal: stopping }).catch(() => {})
  let server = first
  for (let since = Date.now(), pause = 0; ; since = Date.now()) {
    while (!stopping.aborted && !server.gone()) {
      server.trimLog()
      await nap(100)
    }
    if (stopping.aborted) return server.stop()
    log('PostgreSQL has ended by itself; starting it again')
    pause = Date.now() - since > 10_000 ? 0 : Math.min(pause * 2 + 100, 2_000)
    await nap(pause)
    if (stopping.aborted) return
    const started = retry(again, stopping)
    server = (await started.catch(error => log(`PostgreSQL does not come back: ${error.message}`))) ?? server
  }
}
