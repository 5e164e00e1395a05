import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A reverse proxy with round robin over several processes. */
export interface Balance {
  port: number
  close(): Promise<void>
}

/**
 * Starts one in front of local ports. A request that a process did not accept goes to the next one; a broken one
 * gets 502, since its effect is unknown.
 */
export async function balance(ports: number[]): Promise<Balance> {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries = ports.length) => {
    const { method, url: path, headers } = from
    const port = ports[count++ % ports.length]
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, response => {
      to.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(to)
      response.on('error', () => to.destroy())
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) return pass(from, to, body, tries - 1)
      if (to.headersSent) to.destroy()
      else to.writeHead(502).end()
    })
    sent.end(body)
  }
  const server = createServer(async (from, to) => pass(from, to, await buffer(from)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
    },
  }
}
