import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'

export const CONNECTIONS = 32
/** Of each measurement; one more goes before it. */
export const SECONDS = 5

export interface Load {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers that were none, or no success. */
  failed: number
}

/**
 * Asks as fast as answers come, over 32 connections.
 * @param paths gives the path of each request, the next of a list or a new one; without it the url is asked again and again
 */
export async function load(
  url: string,
  { headers = {}, paths }: { headers?: Record<string, string>; paths?: () => string } = {},
): Promise<Load> {
  const requests = paths ? [{ setupRequest: (request: object) => ({ ...request, path: paths() }) }] : []
  const settings = { url, headers, connections: CONNECTIONS, ...(paths ? { requests } : {}) }
  await autocannon({ ...settings, duration: 1 })
  const { requests: done, latency, non2xx, errors } = await autocannon({ ...settings, duration: SECONDS })
  return { perSecond: done.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
}

/** A bare server that gives these bytes and nothing else: what Node can do at most. */
export async function floorOf(url: string, headers: Record<string, string>): Promise<Load> {
  const answer = await fetch(url, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const server = createServer((_request, response) => response.end(bytes))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await load(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
