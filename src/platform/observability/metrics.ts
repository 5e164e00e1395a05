import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { clusterMetrics } from './cluster-metrics.ts'
import type { Metrics } from './metrics-endpoint.ts'
import type { QueryLog } from './query-log.ts'
import type { Load } from './queue-load.ts'
import { routeOf } from './request-context.ts'

/** Upper bounds of the histograms, seconds. A cached page takes less than the first, and no request longer than the last. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A pool of database connections, as far as it is measured. */
interface MeasuredPool {
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }
  statements: QueryLog
}
/** A cache, as far as it is measured. */
interface MeasuredCache {
  /** Event → how often it has happened since the start. */
  readonly counts: Readonly<Record<string, number>>
  /** Approximate memory, bytes. */
  readonly bytes: number
}
interface Measured {
  /** Name → pool. */
  pools: Record<string, MeasuredPool>
  cache: MeasuredCache
}

/**
 * Collects the metrics of this process for Prometheus. Labels are route patterns, names and status codes, so that the number
 * of time series is limited.
 * @returns the counters for features (`counter`), for responses without Fastify (`answered`), and the metrics
 */
export async function openMetrics(
  app: FastifyInstance,
  { pools, cache }: Measured,
): Promise<Pick<FastifyInstance, 'counter' | 'observeRequest'> & { metrics: Metrics }> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'shop_build_info',
    help: 'Version of the program, and of Node',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version: await versionOf(), node: process.version }, 1)
  const observeRequest = countRequests(registry, app)
  countStatements(registry, app, pools)
  const read = reading(registry)
  for (const state of ['busy', 'idle'] as const)
    read.now(`shop_pool_${state}`, `Connections to the database that are ${state}`, 'pool', () =>
      valuesOf(pools, ({ pool }) => (state === 'idle' ? pool.idleCount : pool.totalCount - pool.idleCount)),
    )
  read.now('shop_pool_waiting', 'Who waits for a connection to the database', 'pool', () =>
    valuesOf(pools, ({ pool }) => pool.waitingCount),
  )
  read.sum(
    'shop_cache_events_total',
    'Responses found in the cache (hit) or not (miss); invalidations of all of it (drop)',
    'event',
    () => ({
      ...cache.counts,
    }),
  )
  read.now('shop_cache_bytes', 'Approximate memory of the cache', undefined, () => ({ '': cache.bytes }))
  const loads = (of: (load: Load) => number) => () => valuesOf(Object.fromEntries(app.loads), of)
  read.now(
    'shop_queue_running',
    'Work that is under way',
    'queue',
    loads(load => load.running),
  )
  read.now(
    'shop_queue_waiting',
    'Work that waits for its turn',
    'queue',
    loads(load => load.waiting),
  )
  read.sum(
    'shop_queue_refused_total',
    'Who was turned away',
    'queue',
    loads(load => load.refused),
  )

  const counters = new Map<string, Counter>()
  return {
    counter(name, help) {
      const full = `shop_${name}_total`
      const counter = counters.get(full) ?? new Counter({ name: full, help, registers })
      counters.set(full, counter)
      return () => counter.inc()
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

function countRequests(registry: Registry, app: FastifyInstance): FastifyInstance['observeRequest'] {
  const requests = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Requests that were answered, by method, route and status, and how long that took',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
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

function countStatements(registry: Registry, app: FastifyInstance, pools: Measured['pools']): void {
  const registers = [registry]
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

type Values = Record<string, number>

const valuesOf = <T>(all: Record<string, T>, of: (one: T) => number): Values =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, of(one)]))

/** Registers gauges and counters whose values are read when the metrics are fetched. */
function reading(registry: Registry) {
  const labels = (label: string | undefined, value: string) => (label ? { [label]: value } : {})
  const optionsOf = (name: string, help: string, label: string | undefined) => ({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
  })
  return {
    now(name: string, help: string, label: string | undefined, read: () => Values): void {
      new Gauge({
        ...optionsOf(name, help, label),
        collect() {
          for (const [key, value] of Object.entries(read())) this.set(labels(label, key), value)
        },
      })
    },
    sum(name: string, help: string, label: string | undefined, read: () => Values): void {
      new Counter({
        ...optionsOf(name, help, label),
        collect() {
          this.reset()
          for (const [key, value] of Object.entries(read())) this.inc(labels(label, key), value)
        },
      })
    },
  }
}
