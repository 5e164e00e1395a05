import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are no part of the public internet, or not for unicast. @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const NOT_PUBLIC: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Networks within 2000::/3 that are not public, or lead to an IPv4 address (6to4, Teredo). */
const NOT_PUBLIC_V6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const refused = new BlockList()
for (const [network, prefix] of NOT_PUBLIC) refused.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of NOT_PUBLIC_V6) refused.addSubnet(network, prefix, 'ipv6')
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an IP address is one of the public internet. Of IPv6 only global unicast (2000::/3) is: loopback, link-local,
 * unique-local, multicast, IPv4-mapped and translated (64:ff9b::/96) addresses are outside of it.
 * @param address without brackets; a name, or an address with a zone ('fe80::1%eth0'), is not public
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  return family === 6 && unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}
