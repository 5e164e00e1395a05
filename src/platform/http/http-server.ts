import { createServer, type RequestListener, type Server } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'

/** Does something with each request over the network before the framework sees it, or responds instead. */
type Middleware = (next: RequestListener) => RequestListener

/** The middleware of each server, added by `beforeRouting`. */
const servers = new WeakMap<Server, (middleware: Middleware) => void>()

/** Creates the HTTP server of the app. Fastify sets no timeouts on a server that it did not create. */
export const serverFactory: FastifyServerFactory = handler => {
  let listener: RequestListener = handler
  const server = createServer(
    {
      // A whole request: a zip of 200 MB over a line of 1 Mbit/s. Bodies that trickle are ended sooner: refuseSlowBodies.
      requestTimeout: 1_800_000,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 72_000,
      // Limits the memory of a body that is not read yet, also if it comes in small chunks.
      highWaterMark: 16 * 1024,
    },
    (request, response) => listener(request, response),
  )
  // Idle timeout of a socket: the client does not read its response.
  server.setTimeout(30_000)
  servers.set(server, middleware => {
    listener = middleware(listener)
  })
  return server
}

/** Adds middleware that runs before the router, and before all middleware that was added earlier. */
export function beforeRouting(app: FastifyInstance, middleware: Middleware): void {
  servers.get(app.server)?.(middleware)
}
