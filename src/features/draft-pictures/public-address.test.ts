import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0a00:0001',
  '::ffff:0:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2a00:1450::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '8.8.8.8',
  '151.101.1.224',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '2a04:4e42::224',
  '2606:4700::1',
])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '1.2.3.4:80', ' 8.8.8.8'])(
  '%j is no address',
  address => {
    expect(isPublicAddress(address)).toBe(false)
  },
)
