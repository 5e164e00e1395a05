import cluster from 'node:cluster'
import { on } from 'node:events'
import { ClusterRegistry, type Registry } from '@prometheus-io/client'
import type { Metrics } from './instruments.ts'

/** How long a worker waits for the metrics of all workers, milliseconds. */
const TIMEOUT_MS = 6_000

/** Messages between a worker and the primary process: the worker requests the metrics of all, the primary responds. */
type Message = { metrics: 'request' } | { metrics: 'response'; type: string; text: string } | undefined

/**
 * Adds up the metrics of all workers, in the primary process, and sends them to a worker on request. To be called before the
 * workers are started. @returns the metrics of all
 */
export function openClusterMetrics(): Metrics {
  const all = new ClusterRegistry()
  const metrics: Metrics = async () => ({ type: all.contentType, text: await all.clusterMetrics() })
  cluster.on('message', async (worker, message: Message) => {
    if (message?.metrics !== 'request') return
    // If a worker does not respond, the requesting worker times out by itself.
    const response = await metrics().catch(() => undefined)
    if (response && worker.isConnected())
      worker.send({ metrics: 'response', ...response } satisfies Message, () => {})
  })
  return metrics
}

/** Returns the metrics of all workers, requested from the primary process; undefined if this process is no worker. */
export function clusterMetrics(registry: Registry): Metrics | undefined {
  if (!cluster.isWorker) return undefined
  ClusterRegistry.setRegistries([registry])
  new ClusterRegistry()
  return async () => {
    const messages = on(process, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    process.send?.({ metrics: 'request' } satisfies Message)
    for await (const [message] of messages as AsyncIterable<[Message]>)
      if (message?.metrics === 'response') return { type: message.type, text: message.text }
    throw new Error('the processes did not send their metrics')
  }
}
