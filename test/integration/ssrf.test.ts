import dns from 'node:dns'
import names from 'node:dns/promises'
import net from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fetchJob } from '#draft-pictures/fetch-job.ts'
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

test('photos of imported drafts are the one exception: one host, at a public address, if the setting permits it', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const photo = 'https://i.etsystatic.com/1/r/il/a/1/il_fullxfull.1_a.jpg'
  const others = ['https://canary.example/a.jpg', 'https://127.0.0.99:9/', 'https://i.etsystatic.com:9/a.jpg']
  for (const [n, url] of [...others, photo].entries())
    await shop.rows(`
      insert into draft_pictures (seller_id, product_id, position, url)
      values (${ana.user.id}, ${id}, ${n}, '${url}')`)
  const connect = vi.spyOn(net.Socket.prototype, 'connect')
  const lookup = vi.spyOn(names, 'lookup').mockResolvedValue([{ address: '127.0.0.99', family: 4 }] as never)
  const run = (importPhotos: boolean) =>
    fetchJob({ ...shop.app, config: { ...shop.app.config, importPhotos } }).run(new AbortController().signal)
  await run(false)
  expect(lookup.mock.calls).toEqual([])
  await run(true)
  expect(lookup.mock.calls).toEqual([['i.etsystatic.com', { all: true }]])
  const connections = connect.mock.calls.map(call => JSON.stringify(call))
  expect(connections.filter(to => /canary|127\.0\.0\.99/.test(to))).toEqual([])
  const { failures } = (await ana.get('/api/import/photos')).body
  expect(failures.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3])
  expect(await shop.rows(`select reason from draft_pictures where url = '${photo}'`)).toEqual([
    { reason: 'Its server has an address that is not public' },
  ])
  vi.restoreAllMocks()
})
