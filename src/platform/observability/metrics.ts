import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { clusterMetrics } from './cluster-metrics.ts'
import type { Load, Metrics } from './instruments.ts'
import type { StatementEvents } from './query-log.ts'
import { routeOf } from './request-context.ts'

/** Upper bounds of the histograms, seconds. A cached page takes less than the first, and no request longer than the last. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How long a gauge may take to be read, ms. */
const READ_MS = 2_000

type Counts = 'totalCount' | 'idleCount' | 'waitingCount'
interface Measured {
  /** By name. */
  pools: Record<string, { pool: Pick<Pool, Counts>; statements: StatementEvents }>
  cache: {
    /** Event → how often it has happened since the start. */
    readonly counts: Readonly<Record<string, number>>
    /** Approximate memory, bytes. */
    readonly bytes: number
  }
}

/**
 * Collects the metrics of this process for Prometheus. Labels are route patterns, names and status codes, so that the
 * number of time series is limited.
 * @returns the counters and gauges for features (`counter`, `gauge`), for responses without Fastify
 * (`observeRequest`), and the metrics
 */
export async function openMetrics(
  app: FastifyInstance,
  measured: Measured,
): Promise<Pick<FastifyInstance, 'counter' | 'gauge' | 'observeRequest'> & { metrics: Metrics }> {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'shop_build_info',
    help: 'Version of the program, and of Node',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version: await versionOf(), node: process.version }, 1)
  const observeRequest = countRequests(registers, app)
  countStatements(registers, app, measured.pools)
  readWhenFetched(registers, app, measured)
  const counters = new Map<string, Counter>()
  return {
    counter(name, help) {
      const full = `shop_${name}_total`
      const counter = counters.get(full) ?? new Counter({ name: full, help, registers })
      counters.set(full, counter)
      return () => counter.inc()
    },
    gauge(name, help, label, read) {
      new Gauge({
        name: `shop_${name}`,
        help,
        labelNames: [label],
        // Not the sum: all processes ask the same database.
        aggregator: 'max',
        registers,
        async collect() {
          this.reset()
          // If the database does not respond, this gauge is missing, and all other metrics are there.
          const none: Record<string, number> = {}
          const late = sleep(READ_MS, none, { ref: false })
          const values = await Promise.race([read(), late]).catch(() => none)
          for (const [value, count] of Object.entries(values)) this.set({ [label]: value }, count)
        },
      })
    },
    observeRequest,
    metrics:
      clusterMetrics(registry) ??
      (async () => ({ type: registry.contentType, text: await registry.metrics() })),
  }
}

async function versionOf(): Promise<string> {
  const described = await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(described) as { version: string }).version
}

function countRequests(registers: Registry[], app: FastifyInstance) {
  const requests = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Requests that were answered, by method, route and status, and how long that took',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const observeRequest: FastifyInstance['observeRequest'] = (labels, ms) =>
    requests.observe(labels, ms / 1000)
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: routeOf(request), status: reply.statusCode }
    observeRequest(labels, reply.elapsedTime)
    done()
  })
  return observeRequest
}

function countStatements(registers: Registry[], app: FastifyInstance, pools: Measured['pools']): void {
  const statements = new Histogram({
    name: 'shop_statement_duration_seconds',
    help: 'Statements that the database answered, and how long that took',
    labelNames: ['pool'],
    buckets: SECONDS,
    registers,
  })
  const slow = new Counter({
    name: 'shop_slow_statements_total',
    help: 'Statements that took SLOW_QUERY_MS or longer',
    labelNames: ['pool'],
    registers,
  })
  const failed = new Counter({
    name: 'shop_failed_statements_total',
    help: 'Statements that failed, by the class of their SQLSTATE',
    labelNames: ['pool', 'class'],
    registers,
  })
  const { slowQueryMs } = app.config
  for (const [pool, opened] of Object.entries(pools))
    opened.statements.on('statement', ({ took, failed: code }) => {
      statements.observe({ pool }, took / 1000)
      if (slowQueryMs > 0 && took >= slowQueryMs) slow.inc({ pool })
      if (code !== undefined)
        failed.inc({ pool, class: /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'none' })
    })
}

/** Registers the metrics whose values are read when the metrics are fetched. */
function readWhenFetched(registers: Registry[], app: FastifyInstance, { pools, cache }: Measured): void {
  const options = (name: string, help: string, label: string, read: () => [string, number][]) => ({
    name,
    help,
    labelNames: [label],
    registers,
    collect(this: Pick<Gauge<string>, 'reset' | 'inc'>) {
      this.reset()
      for (const [key, value] of read()) this.inc({ [label]: key }, value)
    },
  })
  const ofPools = (of: (pool: Pick<Pool, Counts>) => number) => () =>
    Object.entries(pools).map(([name, { pool }]): [string, number] => [name, of(pool)])
  const ofQueues = (of: (load: Load) => number) => () =>
    Array.from(app.loads, ([name, load]): [string, number] => [name, of(load)])
  const busy = ofPools(pool => pool.totalCount - pool.idleCount)
  const idle = ofPools(pool => pool.idleCount)
  const waiting = ofPools(pool => pool.waitingCount)
  new Gauge(options('shop_pool_busy', 'Connections to the database that are busy', 'pool', busy))
  new Gauge(options('shop_pool_idle', 'Connections to the database that are idle', 'pool', idle))
  new Gauge(
    options('shop_pool_waiting', 'Requests that wait for a connection to the database', 'pool', waiting),
  )
  const events = 'Responses found in the cache (hit) or not (miss); invalidations of all of it (drop)'
  new Counter(options('shop_cache_events_total', events, 'event', () => Object.entries(cache.counts)))
  new Gauge({
    name: 'shop_cache_bytes',
    help: 'Approximate memory of the cache',
    registers,
    collect() {
      this.set(cache.bytes)
    },
  })
  const running = ofQueues(load => load.running)
  const inQueue = ofQueues(load => load.waiting)
  const refused = ofQueues(load => load.refused)
  new Gauge(options('shop_queue_running', 'Work that is under way', 'queue', running))
  new Gauge(options('shop_queue_waiting', 'Work that waits for its turn', 'queue', inQueue))
  new Counter(options('shop_queue_refused_total', 'Refused tasks', 'queue', refused))
}
