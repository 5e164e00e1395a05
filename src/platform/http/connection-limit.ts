import type { FastifyInstance } from 'fastify'
import { ipSubnet } from './origin.ts'

/** Open at the same time, most of them idle: browsers keep a few each for a while. */
const MAX_CONNECTIONS = 4_000
/** Milliseconds that an idle connection stays open while more than half of them are taken. */
const SHORT_KEEP_ALIVE = 5_000
/** Milliseconds between two words about it in the log. */
const TOLD_MS = 60_000

/**
 * Holds connections to a number, and those of one network to a share of it (LIMIT_CONNECTIONS), so that nobody takes them
 * all. Beyond that they are ended unread: taking them in would leave no time to read any. Behind a proxy all come from
 * there, and it is the proxy's to divide them.
 */
export function limitConnections(app: FastifyInstance): void {
  const { server, config } = app
  const keepAlive = server.keepAliveTimeout
  const most = config.trustProxy === 0 ? config.limits?.connections : undefined
  // Each process has its part of them all.
  const share = most === undefined ? Number.POSITIVE_INFINITY : Math.ceil(most / config.workers)
  const open = new Map<string, number>()
  let all = 0
  let told = Number.NEGATIVE_INFINITY
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
    if ((open.get(network) ?? 0) < share) {
      count(network, 1)
      socket.once('close', () => count(network, -1))
      return
    }
    socket.destroy()
    if (performance.now() - told < TOLD_MS) return
    told = performance.now()
    app.log.warn({ ip: socket.remoteAddress }, 'refused: one network has all connections of its share')
  })
}
