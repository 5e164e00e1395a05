import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import type { Config } from '../config/config.ts'
import { hasBody } from './body-limits.ts'
import { refuseRaw } from './error-handler.ts'

/** Bytes of a body that must arrive in each interval. The slowest mobile network is faster. */
const MIN_BYTES = 8 * 1024
const INTERVAL_MS = 8_000
const TOO_SLOW = 'The request came in too slowly. Please try again'

/**
 * Ends requests whose body arrives slower than 8 kB in 8 seconds (slowloris), also after the response: each would
 * keep its connection.
 */
export function refuseSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Later: most bodies have arrived completely by then.
    if (hasBody(request)) setImmediate(watchBodyTimeout, app.config, request.raw, reply.raw, request.id)
    done()
  })
}

/**
 * Watches the body of one request: it gets a 408, and its connection is closed, if less than 8 kB arrive in 8 seconds.
 * @param id the request id for the response, if the request has one
 */
export function watchBodyTimeout(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  id?: string,
): void {
  const { socket } = request
  // A request inside the process (`inject`) has no real socket.
  if (request.complete || socket.bytesRead === undefined) return
  let lastBytes = socket.bytesRead
  const timer = setInterval(() => {
    const arrived = socket.bytesRead - lastBytes
    lastBytes += arrived
    if (request.complete || arrived >= MIN_BYTES) return
    clearInterval(timer)
    refuseRaw(config, response, new Problem(408, TOO_SLOW), id ? { 'x-request-id': id } : {})
  }, INTERVAL_MS)
  request.once('close', () => clearInterval(timer))
}
