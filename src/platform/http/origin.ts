import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The origin of a request by its headers, 'http://localhost:3000'. It cannot be trusted: clients choose the header Host. */
export function originOf(request: FastifyRequest): string {
  const requested = `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`
  return URL.canParse(requested) ? new URL(requested).origin : 'http://localhost'
}

/** The public origin: PUBLIC_URL, otherwise the origin of the request. */
export function publicOrigin(request: FastifyRequest): string {
  return request.server.config.publicUrl ?? originOf(request)
}

/**
 * The network of an IP address, for limits. IPv4: the address. IPv6: the first 64 bits, '2001:db8:0:1::/64', since
 * the owner of a network chooses the others (RFC 4291, 2.5.1).
 */
export function ipSubnet(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(ip)) return ip
  const [before = '', after] = ip.split('::')
  const [first, last] = [before, after ?? ''].map(part => part.split(':').filter(Boolean))
  const zeros = Array(8).fill('0')
  const groups =
    after === undefined ? first! : [...first!, ...zeros.slice(first!.length + last!.length), ...last!]
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
