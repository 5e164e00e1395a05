import dns from 'node:dns'
import net from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Addresses that a server with SSRF would request; each fits into a name. */
const OUTSIDE = ['http://canary.example/', '//canary.example', 'http://127.0.0.99:9']

test('addresses in fields are never requested', async () => {
  const [connect, lookup] = [vi.spyOn(net.Socket.prototype, 'connect'), vi.spyOn(dns, 'lookup')]
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  for (const address of OUTSIDE) {
    const { id } = await shop.list(ana, { name: address, description: address })
    const review = await ben.post(`/api/reviews/${id}/create-review`, { review: address, stars: 4 })
    const accepted = [
      review,
      await ana.put(`/api/reviews/${review.body.id}/reply`, { reply: address }),
      await ana.put(`/api/shops/${ana.user.username}`, { words: address, place: address }),
      await ben.post(`/api/cart_items/add/${id}`, { quantity: 1, image_url: address, callback: address }),
      await ben.get(`/api/products/?q=${encodeURIComponent(address)}`),
      await ben.send({ method: 'GET', url: '/api/products/', headers: { referer: address } }),
    ]
    for (const { status } of accepted) expect(status).toBeLessThan(300)
  }
  const connections = [...connect.mock.calls, ...lookup.mock.calls].map(call => JSON.stringify(call))
  expect(connections.filter(to => /canary|127\.0\.0\.99/.test(to))).toEqual([])
  vi.restoreAllMocks()
})
