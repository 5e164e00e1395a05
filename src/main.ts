import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DEMO } from '#accounts/contract.ts'
import { createApp } from './app.ts'
import { readConfig } from './server/config.ts'
import { alone, connect, FILL_LOCK, migrate, shopId } from './server/database.ts'
import { startEmbedded } from './server/embedded/embedded.ts'
import { Kept } from './server/kept.ts'
import { Made } from './server/made.ts'
import type { PagesOf } from './server/renderer.ts'
import { Replica } from './server/replica.ts'
import { openStorage } from './server/storage.ts'
import { sweeping } from './sweep.ts'

/** Milliseconds that requests in work may take to end when the shop stops. */
const DRAIN_MS = 8_000

/** Connections that may wait to be taken in: a rush is then answered, if only with 503. */
const BACKLOG = 4_096

const root = join(import.meta.dirname, '..')

interface Running {
  address: string
  /** Lets requests in work end, then stops everything, the database included. */
  stop(): Promise<void>
}

/**
 * Starts the whole shop: settings, database, migrations, pages, then it listens.
 * @param pages gives the pages, built or in development
 */
export async function start(pages: PagesOf, log: (line: string) => void): Promise<Running> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: join(config.dataDir, 'postgres'), log })
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const pool = connect(connection, config.databasePool)
  const { db, close } = pool
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : new Replica(db, { connectionString: config.databaseReplicaUrl }, config.databasePool, log)
  // Only this process opens the database that it has started.
  const kept = new Kept({ alone: embedded !== undefined })
  try {
    await migrate(connection, join(root, 'migrations'))
    await kept.listen(connection)
    const files = (await openStorage(config, log))(await shopId(db))
    const made = new Made(join(config.dataDir, 'made', await shopId(db)))
    const app = await createApp({
      config,
      db,
      pools: { main: pool, ...(replica ? { replica: replica.pool } : {}) },
      files,
      kept,
      made,
      pages,
      ...(replica ? { replica } : {}),
    })
    if (config.demo) {
      const { fillDemo } = await import('../demo/fill.ts')
      await alone(connection, FILL_LOCK, () => fillDemo(app, log))
    }
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
    const stopSweeping = sweeping(app)
    const { port } = app.server.address() as AddressInfo
    const address =
      config.publicUrl ?? `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`
    log(`The shop is open at ${address}`)
    if (config.demo) log(`Demo login: ${DEMO.email} with the password ${DEMO.password}`)
    const stop = async () => {
      stopSweeping()
      const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      await app.close()
      clearTimeout(late)
      await kept.close()
      await replica?.close()
      await close()
      await embedded?.stop()
    }
    return { address, stop }
  } catch (error) {
    await kept.close()
    await replica?.close()
    await close()
    await embedded?.stop()
    throw error
  }
}
