import type { FastifyInstance } from 'fastify'
import { throttle } from '../async/throttle.ts'
import { ipSubnet } from './origin.ts'

/** Number of open connections. Most of them are idle: browsers keep a few open. */
const MAX_CONNECTIONS = 4_000
/** Keep-alive timeout while more than half of them are open, milliseconds. */
const SHORT_KEEP_ALIVE = 5_000
/** Interval between two log lines about refused connections, milliseconds. */
const LOG_INTERVAL_MS = 60_000

/**
 * Limits the number of open connections, and those of one network (LIMIT_CONNECTIONS), so that no network takes them all. Further
 * connections are closed without a response, which is cheapest. Behind a proxy all connections come from the proxy, which
 * then has to limit the networks.
 */
export function limitConnections(app: FastifyInstance): void {
  const { server, config } = app
  const keepAlive = server.keepAliveTimeout
  const limit = config.trustProxy === 0 ? config.limits?.connections : undefined
  // Divided among the processes.
  const processLimit = limit === undefined ? Number.POSITIVE_INFINITY : Math.ceil(limit / config.workers)
  const open = new Map<string, number>()
  let all = 0
  const logRefusal = throttle(LOG_INTERVAL_MS, (ip: string | undefined) =>
    app.log.warn({ ip }, 'refused: one network has all connections of its share'),
  )
  const count = (network: string, more: 1 | -1) => {
    all += more
    const now = (open.get(network) ?? 0) + more
    if (now === 0) open.delete(network)
    else open.set(network, now)
    server.keepAliveTimeout = all > MAX_CONNECTIONS / 2 ? SHORT_KEEP_ALIVE : keepAlive
  }
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', socket => {
    const network = ipSubnet(socket.remoteAddress ?? '')
    if ((open.get(network) ?? 0) < processLimit) {
      count(network, 1)
      socket.once('close', () => count(network, -1))
      return
    }
    logRefusal(socket.remoteAddress)
    socket.destroy()
  })
}
