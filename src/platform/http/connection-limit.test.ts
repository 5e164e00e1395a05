import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Sends a request over a connection that stays open. @returns the status; 0 if the connection was closed */
async function ask(shop: TestShop, localAddress: string): Promise<number> {
  const { hostname, port } = new URL(shop.address)
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {})
  sockets.push(socket)
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const data = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(data[0]))?.[1] ?? 0)
}

test('a network at its limit gets no connection until one ends', async () => {
  const shop = await openShop({ settings: { LIMITS: 'on', LIMIT_CONNECTIONS: '3' } })
  for (let n = 0; n < 3; n++) expect(await ask(shop, '127.0.0.1')).toBe(200)
  expect(await ask(shop, '127.0.0.1')).toBe(0)
  expect(await ask(shop, '127.0.0.2')).toBe(200)
  sockets[0]?.destroy()
  await vi.waitFor(async () => expect(await ask(shop, '127.0.0.1')).toBe(200))
  await shop.close()
})

test.each([
  ['behind a proxy', { LIMITS: 'on', LIMIT_CONNECTIONS: '1', TRUST_PROXY: '1' }],
  ['without limits', { LIMITS: 'off', LIMIT_CONNECTIONS: '1' }],
])('%s all connections may come from one network', async (_, settings) => {
  const shop = await openShop({ settings })
  for (let n = 0; n < 3; n++) expect(await ask(shop, '127.0.0.1')).toBe(200)
  await shop.close()
})

test('several processes divide the limit', async () => {
  const settings = { LIMITS: 'on', LIMIT_CONNECTIONS: '4', WEB_CONCURRENCY: '2' }
  const shop = await openShop({ settings })
  for (let n = 0; n < 2; n++) expect(await ask(shop, '127.0.0.1')).toBe(200)
  expect(await ask(shop, '127.0.0.1')).toBe(0)
  await shop.close()
})
