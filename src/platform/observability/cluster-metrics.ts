import cluster from 'node:cluster'
import { ClusterRegistry, type Registry } from '@prometheus-io/client'
import type { Config } from '../config/config.ts'
import { type Metrics, serveMetrics } from './metrics-endpoint.ts'

/** How long a process waits for what all of them have counted, milliseconds. */
const PATIENCE_MS = 6_000

/** A process asks the one that started it for what all have counted, and is told. */
type Word = { metrics: 'ask'; id: number } | { metrics: 'told'; id: number; type: string; text: string }

/**
 * In the process that starts the others: adds up what they count. Shows it on a port where the settings name one, and
 * tells it to whichever of them is asked. To be opened before they are started.
 */
export async function openClusterMetrics(
  settings: NonNullable<Config['metrics']>,
  log: (line: string) => void,
): Promise<{ close(): Promise<void> }> {
  const all = new ClusterRegistry()
  const metrics: Metrics = async () => ({ type: all.contentType, text: await all.clusterMetrics() })
  cluster.on('message', async (worker, message: Word) => {
    if (message?.metrics !== 'ask') return
    // Where one of them does not answer, whoever asked gives up by itself.
    const told = await metrics().catch(() => undefined)
    if (told && worker.isConnected()) worker.send({ metrics: 'told', id: message.id, ...told }, () => {})
  })
  const shown = settings.port === undefined ? undefined : await serveMetrics(settings, metrics)
  if (shown) log(`Metrics are at ${shown.address}`)
  return { close: async () => shown?.close() }
}

/** What all processes of a crew have counted; undefined where this one works alone. */
export function clusterMetrics(registry: Registry): Metrics | undefined {
  if (!cluster.isWorker) return undefined
  ClusterRegistry.setRegistries([registry])
  new ClusterRegistry()
  const asked = new Map<number, (told: { type: string; text: string }) => void>()
  let last = 0
  process.on('message', (message: Word) => {
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
    process.send?.({ metrics: 'ask', id } satisfies Word)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      asked.delete(id)
    }
  }
}
