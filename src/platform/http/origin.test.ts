import { expect, test } from 'vitest'
import { ipSubnet } from './origin.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0db8::1:0:0:1', '2001:db8:0:0::/64'],
  ['2001:db8:5:6::', '2001:db8:5:6::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is of the connection %s', (ip, network) => {
  expect(ipSubnet(ip)).toBe(network)
})
