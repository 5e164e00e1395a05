import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { endDemoSessions } from './accounts/sessions.ts'
import { createApp } from './app.ts'
import type { Config } from './server/config.ts'
import { alone, type Connection, connect, FILL_LOCK, migrate, shopId } from './server/database/database.ts'
import { Replica } from './server/database/replica.ts'
import { Made } from './server/files/made.ts'
import { databaseName, ownedBy } from './server/files/owner.ts'
import { openStorage } from './server/files/storage.ts'
import { divideTurns } from './server/gates/turns.ts'
import { Kept } from './server/kept/kept.ts'
import type { PagesOf } from './server/pages/renderer.ts'
import { serveMetrics } from './server/watching/scrape.ts'
import type { Traces } from './server/watching/traces.ts'
import { sweeping } from './sweep.ts'

/** Milliseconds that requests in work may take to end when the shop stops. */
const DRAIN_MS = 8_000

/** Connections that may wait to be taken in: a rush is then answered, if only with 503. */
const BACKLOG = 4_096

const root = join(import.meta.dirname, '..')

interface Standing {
  config: Config
  /** The database, which is there already. */
  connection: Connection
  /** Whether no other process opens it. */
  only: boolean
  pages: PagesOf
  log: (line: string) => void
  traces?: Traces | undefined
}

/** One process of the shop that takes requests. */
export interface Serving {
  /** Where people find the shop. */
  address: string
  /** Lets requests in work end, then stops everything that this process has begun. */
  stop(): Promise<void>
}

/** Opens the shop in this process: migrations, pages, the demo's fill, then it listens. */
export async function serve({ config, connection, only, pages, log, traces }: Standing): Promise<Serving> {
  divideTurns(config.workers)
  const pool = connect(connection, config.databasePool)
  const { db, close } = pool
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : new Replica(db, { connectionString: config.databaseReplicaUrl }, config.databasePool, log)
  const kept = new Kept({ alone: only })
  try {
    await migrate(connection, join(root, 'migrations'))
    await kept.listen(connection)
    const stored = (await openStorage(config, log))(await shopId(db))
    const files = await ownedBy(await databaseName(db), stored, log)
    const made = new Made(join(config.dataDir, 'made', await shopId(db)), config.workers)
    const app = await createApp({
      config,
      db,
      pools: { main: pool, ...(replica ? { replica: replica.pool } : {}) },
      files,
      kept,
      made,
      pages,
      ...(replica ? { replica } : {}),
      traces,
    })
    if (config.demo) {
      const { fillDemo } = await import('../demo/fill.ts')
      await alone(connection, FILL_LOCK, () => fillDemo(app, log))
    } else await endDemoSessions(db)
    const { metrics } = config
    // Of several processes the one that started them shows what all have counted.
    const single = config.workers === 1
    const shown =
      app.metrics && metrics?.port !== undefined && single
        ? await serveMetrics(metrics, app.metrics)
        : undefined
    if (shown) log(`Metrics are at ${shown.address}`)
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
    const stopSweeping = sweeping(app)
    const { port } = app.server.address() as AddressInfo
    const address =
      config.publicUrl ?? `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`
    const stop = async () => {
      stopSweeping()
      const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      await app.close()
      clearTimeout(late)
      await kept.close()
      await replica?.close()
      await close()
      await shown?.close()
      await traces?.close()
    }
    return { address, stop }
  } catch (error) {
    await kept.close()
    await replica?.close()
    await close()
    throw error
  }
}
