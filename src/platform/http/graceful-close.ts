import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is stopping. It still responds to the requests that it has received. */
    isStopping: boolean
  }
}

/**
 * Closes keep-alive connections while the server stops: each response then has the header `connection: close`. Otherwise
 * idle connections would keep the process running.
 */
export function closeGracefully(app: FastifyInstance): void {
  app.decorate('isStopping', false)
  app.addHook('preClose', async () => {
    app.isStopping = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.isStopping) reply.header('connection', 'close')
    done()
  })
}
