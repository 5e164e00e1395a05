import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { prepareBackgroundJobs } from './background-jobs.ts'
import { endDemoSessions } from './features/accounts/session-store.ts'
import { ResponseCache } from './platform/cache/response-cache.ts'
import type { Config } from './platform/config/config.ts'
import { type ConnectionOptions, openPool, shopId, withAdvisoryLock } from './platform/database/database.ts'
import { migrate } from './platform/database/migrations.ts'
import { Replica } from './platform/database/replica.ts'
import { setProcessCount } from './platform/http/concurrency-limit.ts'
import { serveMetrics } from './platform/http/metrics-route.ts'
import type { Traces } from './platform/observability/traces.ts'
import type { OpenPages } from './platform/ssr/renderer.ts'
import { DerivedFileCache } from './platform/storage/derived-file-cache.ts'
import { databaseIdentity, deleteOnlyAsOwner } from './platform/storage/owner.ts'
import { openStorage } from './platform/storage/storage.ts'

/** How long running requests may take when the shop stops, ms. */
const DRAIN_MS = 8_000

/** Length of the accept queue: after a burst, each connection gets at least a 503. */
const BACKLOG = 4_096

const root = join(import.meta.dirname, '..')

interface ServeOptions {
  config: Config
  /** The database, already running. */
  connection: ConnectionOptions
  pages: OpenPages
  log: (line: string) => void
  /** Destination of the log for programs; default: standard output. */
  logStream?: { write(line: string): void }
  traces?: Traces | undefined
}

/** A process that serves requests. */
export interface Serving {
  app: FastifyInstance
  /** Origin at which browsers reach the shop. */
  origin: string
  /** Lets running requests finish, then stops everything in this process. */
  stop(): Promise<void>
}

/** Opens the shop in this process: migrations, pages, demo data, then it listens. */
export async function serve({
  config,
  connection,
  pages,
  log,
  logStream,
  traces,
}: ServeOptions): Promise<Serving> {
  setProcessCount(config.workers)
  const cache = new ResponseCache()
  const pool = openPool(connection, config.databasePool, {}, () => cache.publish())
  const { db, close } = pool
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : new Replica(db, { connectionString: config.databaseReplicaUrl }, config.databasePool, log)
  let opened: FastifyInstance | undefined
  let metricsServer: Awaited<ReturnType<typeof serveMetrics>> | undefined
  try {
    await migrate(connection, join(root, 'migrations'))
    await cache.listen(connection)
    const filesOf = await openStorage(config, log)
    const shop = await shopId(db)
    const stored = filesOf(shop)
    const { owner } = stored
    const database = await databaseIdentity(db)
    const files = await deleteOnlyAsOwner(database, stored, log)
    // One owner for both, whose absence is logged once.
    const own = { ...filesOf(shop, 'private'), ...(owner && { owner }) }
    const privateFiles = await deleteOnlyAsOwner(database, own, () => {})
    const derivedFiles = new DerivedFileCache(join(config.dataDir, 'made', shop), config.workers)
    const app = await createApp({
      config,
      db,
      pools: { main: pool, ...(replica ? { replica: replica.pool } : {}) },
      files,
      privateFiles,
      cache,
      derivedFiles,
      pages,
      ...(replica ? { replica } : {}),
      traces,
      logStream,
    })
    opened = app
    if (config.demo) {
      const { FILL_LOCK, fillDemo } = await import('../demo/fill.ts')
      await withAdvisoryLock(connection, FILL_LOCK, () => fillDemo(app, log))
    } else await endDemoSessions(db)
    // With several processes, the supervisor serves the metrics of all.
    if (app.metrics && config.metrics?.port !== undefined && config.workers === 1) {
      metricsServer = await serveMetrics(config.metrics, app.metrics)
      log(`Metrics are at ${metricsServer.url}`)
    }
    // What can fail is done before it listens.
    const startJobs = await prepareBackgroundJobs({ app, connection, pool })
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
    const { port } = app.server.address() as AddressInfo
    const origin = config.publicUrl ?? `http://${hostToOpen(config.host)}:${port}`
    const stopJobs = await startJobs(origin)
    const stop = async () => {
      const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      // At once: the supervisor ends a worker that takes longer than both.
      await Promise.all([stopJobs(), app.close()])
      clearTimeout(late)
      await replica?.close()
      await close()
      // Last: publishes pending invalidations.
      await cache.close()
      await metricsServer?.close()
      await traces?.close()
    }
    return { app, origin, stop }
  } catch (error) {
    await opened?.close()
    await metricsServer?.close()
    await cache.close()
    await replica?.close()
    await close()
    throw error
  }
}

/** A host name for browsers on this machine, if the shop listens at this address. */
function hostToOpen(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
