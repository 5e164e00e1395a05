import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns a function that adds one to the counter `shop_<name>_total`. Without metrics it does nothing. */
    tally: (name: string, help: string) => () => void
    /** Counts an answer that the framework knows nothing of, and its milliseconds; undefined where nobody watches. */
    answered: ((labels: { method: string; route: string; status: number }, ms: number) => void) | undefined
    /** All that this process has counted; undefined where nobody watches. */
    metrics: Metrics | undefined
  }
}

/** Where nobody watches, nothing is counted. */
export const noTally = () => () => {}

/** What was counted, as Prometheus reads it. */
export type Metrics = () => Promise<{ type: string; text: string }>

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether a request shows the token: `Authorization: Bearer …`. How long the comparison takes says nothing of either. */
export function hasToken(token: string, authorization: string | undefined): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * Shows the metrics on a port of their own, which answers nothing else.
 * @returns its address, and what closes it @throws Error in a sentence where the port is taken
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
  const failed = Promise.withResolvers<never>()
  server.once('error', ({ message }) =>
    failed.reject(new Error(`METRICS_PORT ${port} cannot be opened: ${message}`)),
  )
  await Promise.race([new Promise<void>(open => server.listen(port, host, open)), failed.promise])
  return {
    address: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}
