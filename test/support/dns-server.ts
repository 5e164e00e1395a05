import { createSocket } from 'node:dgram'
import dns, { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A DNS server on this machine that knows TXT records. */
export interface DnsServer {
  /** Queries this server only. */
  readonly resolver: Resolver
  /** Name → its records, each in parts. A name that is not here does not exist. */
  readonly records: Record<string, string[][]>
  /** Names about which the server answers that it has failed. */
  readonly broken: Set<string>
  /** Stops: questions are refused. */
  stop(): Promise<void>
}

/** The name in a question, and the end of the question. RFC 1035, 4.1.2 */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}

/** A TXT record of the name in the question: a pointer to it, type, class, no TTL, and the parts with their lengths. */
function recordOf(parts: string[]): Buffer {
  const data = Buffer.concat(
    parts.map(part => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
  )
  const head = Buffer.from('c00c0010000100000000', 'hex')
  return Buffer.concat([head, Buffer.from([data.length >> 8, data.length & 0xff]), data])
}

/** Starts a DNS server. Stop it when done. */
export async function openDnsServer(): Promise<DnsServer> {
  const records: DnsServer['records'] = {}
  const broken = new Set<string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query)
    const found = records[name]
    const code = broken.has(name) ? 2 : found ? 0 : 3
    const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, found?.length ?? 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...(found ?? []).map(recordOf)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver, records, broken, stop: () => new Promise(closed => socket.close(closed)) }
}

/** A DNS server that this process asks until the test ends. */
export async function serveDns(): Promise<DnsServer> {
  const server = await openDnsServer()
  const before = dns.getServers()
  dns.setServers(server.resolver.getServers())
  onTestFinished(async () => {
    dns.setServers(before)
    await server.stop()
  })
  return server
}
