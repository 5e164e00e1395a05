import { join } from 'node:path'
import { DEMO } from '#accounts/contract.ts'
import type { Config } from '#platform/config/config.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './open-database.ts'
import type { ConnectionOptions } from './platform/database/database.ts'
import { type Traces, unsupportedOptions, wantsTraces } from './platform/observability/traces.ts'
import { builtPages, type OpenPages } from './platform/ssr/renderer.ts'

type Log = (line: string) => void

export interface Running {
  /** Origin at which browsers reach the shop. */
  origin: string
  /** Lets running requests finish, then stops everything, including the database. */
  stop(): Promise<void>
  /** Resolves with a message if the shop has to stop. */
  broken?: Promise<string>
}

/** Starts the whole shop in this process. @param pages gives the pages, built or in development */
export async function start(pages: OpenPages, log: Log): Promise<Running> {
  const config = readConfig(process.env)
  const [database, { serve }] = await Promise.all([openDatabase(config, log), import('./serve.ts')])
  let stop = () => database.stop()
  try {
    const served = await serve({
      config,
      connection: database.connection,
      pages,
      log,
      traces: await loadTraces(log),
    })
    stop = () => served.stop().finally(() => database.stop())
    await announce(served.origin, config, database.connection, log)
    return { origin: served.origin, stop }
  } catch (error) {
    // What it serves already is finished first.
    await stop()
    throw error
  }
}

/**
 * `npm start`: the shop with its built pages, in this process or in WEB_CONCURRENCY workers. With workers, this
 * process holds only the database and the port.
 */
export async function startBuilt(folder: string, log: Log): Promise<Running> {
  const config = readConfig(process.env)
  if (config.workers === 1) return start(() => builtPages(folder), log)
  const { WorkerSupervisor } = await import('./platform/cluster/worker-supervisor.ts')
  const database = await openDatabase(config, log)
  const workerData: WorkerData = {
    folder,
    ...(config.databaseUrl ? {} : { connection: database.connection }),
  }
  const supervisor = new WorkerSupervisor(
    join(import.meta.dirname, 'worker.ts'),
    JSON.stringify(workerData),
    log,
  )
  let metricsServer: Awaited<ReturnType<typeof serveClusterMetrics>>
  const stop = async () => {
    await supervisor.stop()
    await metricsServer?.close()
    await database.stop()
  }
  try {
    metricsServer = await serveClusterMetrics(config, log)
    const origin = await supervisor.open(config.workers)
    log(`${config.workers} processes serve the shop together`)
    // Last: after this, the log is JSON.
    await announce(origin, config, database.connection, log)
    return { origin, stop, broken: supervisor.broken }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Serves the metrics of all workers on a port of their own, if the settings name one. */
async function serveClusterMetrics({ metrics }: Config, log: Log) {
  if (!metrics) return undefined
  const { openClusterMetrics } = await import('./platform/observability/cluster-metrics.ts')
  const all = openClusterMetrics()
  if (metrics.port === undefined) return undefined
  const { serveMetrics } = await import('./platform/http/metrics-route.ts')
  const server = await serveMetrics(metrics, all)
  log(`Metrics are at ${server.url}`)
  return server
}

/**
 * Passed from the supervisor to a worker. DATABASE_URL goes through the environment, because arguments are visible
 * to other users.
 */
interface WorkerData {
  /** Folder of the built pages. */
  folder: string
  connection?: ConnectionOptions
}

/** Starts a worker process. @param workerData from the supervisor, as JSON @returns as `serve` */
export async function startWorker(workerData: string, log: Log) {
  const config = readConfig(process.env)
  const { serve } = await import('./serve.ts')
  const { folder, connection = { connectionString: config.databaseUrl ?? '' } } = JSON.parse(
    workerData,
  ) as WorkerData
  return serve({
    config,
    connection,
    pages: () => builtPages(folder),
    log,
    traces: await loadTraces(log),
  })
}

/** Traces, if OpenTelemetry's variables are set; the libraries load only then. */
async function loadTraces(log: Log): Promise<Traces | undefined> {
  for (const sentence of unsupportedOptions(process.env)) log(sentence)
  if (!wantsTraces(process.env)) return undefined
  return (await import('./platform/observability/otel.ts')).openTraces(process.env, log)
}

async function announce(
  origin: string,
  { demo, mail, dataDir }: Config,
  connection: ConnectionOptions,
  log: Log,
): Promise<void> {
  if (!mail.smtpUrl) log(`Letters are stored in ${join(dataDir, 'mail')}, because SMTP_URL is not set`)
  log(`The shop is open at ${origin}`)
  const setup = demo ? undefined : await setupLink(connection)
  if (setup) log(`Nobody runs this shop yet. To set it up, open ${origin}${setup}`)
  if (demo) log(`Demo login: ${DEMO.email} with the password ${DEMO.password}`)
}

/** Path of the setup link for the first operator. Undefined if there is an operator. */
async function setupLink(connection: ConnectionOptions): Promise<string | undefined> {
  const [{ openPool }, { makeSetupLink }] = await Promise.all([
    import('./platform/database/database.ts'),
    import('./features/operators/first-operator.ts'),
  ])
  const { db, close } = openPool(connection, 1)
  return makeSetupLink(db).finally(close)
}
