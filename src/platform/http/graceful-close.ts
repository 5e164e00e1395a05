import type { FastifyInstance } from 'fastify'

/**
 * Closes keep-alive connections while the server stops: each response then has the header `connection: close`. Otherwise
 * idle connections would keep the process running.
 */
export function closeGracefully(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
}
