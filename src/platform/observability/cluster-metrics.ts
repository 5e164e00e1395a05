import cluster from 'node:cluster'
import { ClusterRegistry, type Registry } from '@prometheus-io/client'
import type { Config } from '../config/config.ts'
import { type Metrics, serveMetrics } from './metrics-endpoint.ts'

/** How long a worker waits for the metrics of all workers, milliseconds. */
const PATIENCE_MS = 6_000

/** Messages between a worker and the primary process: the worker asks for the metrics of all, the primary answers. */
type Message = { metrics: 'ask'; id: number } | { metrics: 'told'; id: number; type: string; text: string }

/**
 * Adds up the metrics of all workers, in the primary process. They are served on the port of the settings, if there is one,
 * and sent to a worker that asks. To be called before the workers are started.
 */
export async function openClusterMetrics(
  settings: NonNullable<Config['metrics']>,
  log: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const all = new ClusterRegistry()
  const metrics: Metrics = async () => ({ type: all.contentType, text: await all.clusterMetrics() })
  cluster.on('message', async (worker, message: Message) => {
    if (message?.metrics !== 'ask') return
    // If a worker does not answer, the asking worker times out by itself.
    const told = await metrics().catch(() => undefined)
    if (told && worker.isConnected()) worker.send({ metrics: 'told', id: message.id, ...told }, () => {})
  })
  const shown = settings.port === undefined ? undefined : await serveMetrics(settings, metrics)
  if (shown) log(`Metrics are at ${shown.address}`)
  return { close: async () => shown?.close() }
}

/** Returns the metrics of all workers, asked from the primary process; undefined if this process is no worker. */
export function clusterMetrics(registry: Registry): Metrics | undefined {
  if (!cluster.isWorker) return undefined
  ClusterRegistry.setRegistries([registry])
  new ClusterRegistry()
  const asked = new Map<number, (told: { type: string; text: string }) => void>()
  let last = 0
  process.on('message', (message: Message) => {
    if (message?.metrics !== 'told') return
    asked.get(message.id)?.({ type: message.type, text: message.text })
  })
  return async () => {
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<{ type: string; text: string }>()
    asked.set(id, resolve)
    const late = setTimeout(
      () => reject(new Error('the processes did not tell what they count')),
      PATIENCE_MS,
    )
    process.send?.({ metrics: 'ask', id } satisfies Message)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      asked.delete(id)
    }
  }
}
