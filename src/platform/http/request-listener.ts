import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** Puts something in front of the framework once the shop listens. What is put there later stands further in front. */
export function wrapRequestListener(app: FastifyInstance, meet: (serve: Serve) => Serve): void {
  app.addHook('onListen', done => {
    const [serve] = app.server.listeners('request')
    app.server.removeAllListeners('request')
    app.server.on(
      'request',
      meet((request, response) => serve?.call(app.server, request, response)),
    )
    done()
  })
}
