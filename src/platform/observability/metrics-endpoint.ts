import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns a function that adds one to the counter `shop_<name>_total`. Without metrics it does nothing. */
    counter: (name: string, help: string) => () => void
    /**
     * Adds the gauge `shop_<name>`, which is read when the metrics are fetched: value of the label → number. It is about the
     * whole installation, so every process has the same numbers. Without metrics it does nothing.
     */
    gauge: (name: string, help: string, label: string, read: () => Promise<Record<string, number>>) => void
    /** Counts a response that was sent without Fastify, and its duration in milliseconds; undefined without metrics. */
    observeRequest:
      | ((labels: { method: string; route: string; status: number }, ms: number) => void)
      | undefined
    /** The metrics of this process, or of all workers; undefined without metrics. */
    metrics: Metrics | undefined
  }
}

/** `counter` without metrics. */
export const noCounter = () => () => {}
/** `gauge` without metrics. */
export const noGauge = () => {}

/** Returns the metrics in the text format of Prometheus, and its content type. */
export type Metrics = () => Promise<{ type: string; text: string }>

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the header `Authorization: Bearer …` carries the token. The comparison takes constant time. */
export function hasToken(token: string, authorization: string | undefined): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * Serves the metrics on a port of their own.
 * @returns the URL, and a function that closes the server
 * @throws Error with a sentence if the port cannot be opened
 */
export async function serveMetrics(
  { port = 0, host, token }: NonNullable<Config['metrics']>,
  metrics: Metrics,
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer(async ({ url = '', method, headers }, response) => {
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    if (url.replace(/\?.*$/, '') !== '/metrics') return answer(404, 'The metrics are at /metrics\n')
    if (method !== 'GET' && method !== 'HEAD') return answer(405, 'Only GET is taken here\n')
    if (token !== undefined && !hasToken(token, headers.authorization)) {
      response.setHeader('www-authenticate', 'Bearer')
      return answer(401, 'The token of the metrics is missing or wrong\n')
    }
    try {
      const { type, text } = await metrics()
      answer(200, text, type)
    } catch {
      answer(503, 'The metrics could not be gathered\n')
    }
  })
  await once(server.listen(port, host), 'listening').catch(({ message }) => {
    throw new Error(`METRICS_PORT ${port} cannot be opened: ${message}`)
  })
  return {
    address: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}
