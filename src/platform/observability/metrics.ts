import { createRequire } from 'node:module'
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
export function openMetrics(
  app: FastifyInstance,
  measured: Measured,
): Pick<FastifyInstance, 'counter' | 'gauge' | 'observeRequest'> & { metrics: Metrics } {
  const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'shop_build_info',
    help: 'Version of the program, and of Node',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version, node: process.version }, 1)
  const observeRequest = countRequests(registers, app)
  countStatements(registers, app, measured.pools)
  readWhenFetched(registers, app, measured)
  const counters = new Map<string, Counter>()
  return {
    counter(name, help) {
      const counter = counters.get(name) ?? new Counter({ name, help, registers })
      counters.set(name, counter)
      return () => counter.inc()
    },
    gauge(name, help, label, read) {
      new Gauge({
        name,
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
    opened.statements.on('statement', ({ took, errorCode: code }) => {
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
  const poolGauge = (name: string, help: string, of: (pool: Pick<Pool, Counts>) => number) =>
    new Gauge(
      options(name, help, 'pool', () => Object.entries(pools).map(([key, { pool }]) => [key, of(pool)])),
    )
  const ofQueues = (name: string, help: string, of: (load: Load) => number) =>
    options(name, help, 'queue', () => Array.from(app.loads, ([key, load]) => [key, of(load)]))
  poolGauge(
    'shop_pool_busy',
    'Connections to the database that are busy',
    pool => pool.totalCount - pool.idleCount,
  )
  poolGauge('shop_pool_idle', 'Connections to the database that are idle', pool => pool.idleCount)
  poolGauge(
    'shop_pool_waiting',
    'Requests that wait for a connection to the database',
    pool => pool.waitingCount,
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
  new Gauge(ofQueues('shop_queue_running', 'Work that is under way', load => load.running))
  new Gauge(ofQueues('shop_queue_waiting', 'Work that waits for its turn', load => load.waiting))
  new Counter(ofQueues('shop_queue_refused_total', 'Refused tasks', load => load.refused))
}
