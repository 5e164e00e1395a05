import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Where a request says that it came to, 'http://localhost:3000': its host is whatever the client likes, and so is the scheme. */
export function originOf(request: FastifyRequest): string {
  const asked = `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`
  return URL.canParse(asked) ? new URL(asked).origin : 'http://localhost'
}

/** The address under which people reach the shop: as the settings say, else as this request does. */
export function publicOrigin(request: FastifyRequest): string {
  const { publicUrl } = request.server.config
  return publicUrl ? new URL(publicUrl).origin : originOf(request)
}

/** Of IPv6 the half that names a connection, '2001:db8:0:1::/64': the other half is whatever its owner likes (RFC 4291, 2.5.1). */
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
