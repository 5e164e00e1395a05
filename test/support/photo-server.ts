import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Network } from '#draft-pictures/fetch-file.ts'

/** A certificate for i.etsystatic.com that only tests trust, and its key. */
const TLS_FOLDER = join(import.meta.dirname, '../fixtures/tls')
const read = (name: string) => readFileSync(join(TLS_FOLDER, name), 'utf8')

/** A server on this machine in place of the one that photos are fetched from. */
export interface PhotoServer {
  port: number
  /** Leads every name to this server. */
  network: Network
  /** Paths of the requests so far. */
  asked: string[]
  /** Connections so far. */
  connections: number
  close(): Promise<void>
}

/** Starts it on a free port, with a certificate of i.etsystatic.com. */
export async function openPhotoServer(answer: RequestListener): Promise<PhotoServer> {
  const cert = read('photo-server.pem')
  const asked: string[] = []
  const server = createServer({ key: read('photo-server-key.pem'), cert }, (request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    network: {
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: () => true,
      port,
      ca: cert,
    },
    get connections() {
      return connections
    },
    async close() {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}
