import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { countConnections } from '../../../test/support/cache-harness.ts'
import { soon } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let mug: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mug = (await shop.list(ana, { name: 'Speckled mug', stock: 9 })).id
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.app.cache.sync()
})

let maxPrice = 500
/** A search that is never cached: its maximum price is new each time. */
const search = async () =>
  (await shop.visitor().get(`/api/products/?q=speckled&max=${maxPrice--}`)).body.products

test('searches share cached fragments: parsed words and listings', async () => {
  // On a busy machine a search may run twice: it leaves a batch that takes too long.
  await vi.waitFor(async () => {
    shop.app.cache.invalidateAll()
    // Parsed words, matches in names, matches in text, and the listings.
    expect(await countConnections(search)).toBe(4)
    expect(await countConnections(search)).toBe(2)
  }, soon)
  expect(await search()).toMatchObject([{ id: mug, stock: 9 }])
})

test('a changed listing is returned as it is', async () => {
  await search()
  await ana.put(`/api/products/${mug}`, { ...aMug, name: 'Speckled bowl', price: 19.5 })
  expect(await search()).toMatchObject([{ name: 'Speckled bowl', price: 19.5 }])
  await ana.post(`/api/cart_items/add/${mug}`, { quantity: 4 })
  await ana.post('/api/orders/checkout')
  expect((await search())[0].stock).toBe(await shop.stockOf(mug))
})

test('a fragment that began before a change is neither returned nor cached', async () => {
  const { cache } = shop.app
  const oneByte = () => ({ bytes: 1 })
  const before = cache.epoch
  cache.invalidateAll()
  await cache.fragment(cache.epoch, 'part', async () => 'new', oneByte)
  expect(await cache.fragment(before, 'part', async () => 'old', oneByte)).toBe('old')
  expect(await cache.fragment(before, 'other', async () => 'old', oneByte)).toBe('old')
  expect(await cache.fragment(cache.epoch, 'other', async () => 'new', oneByte)).toBe('new')
  expect(await cache.fragment(cache.epoch, 'part', async () => 'newer', oneByte)).toBe('new')
})

test('a fragment that failed for one response is loaded again by another', async () => {
  const { cache } = shop.app
  const oneByte = () => ({ bytes: 1 })
  const failing = cache.fragment(cache.epoch, 'broken', () => Promise.reject(new Error('gone')), oneByte)
  const other = cache.fragment(cache.epoch, 'broken', async () => 'here', oneByte)
  await expect(failing).rejects.toThrow('gone')
  expect(await other).toBe('here')
})

test('shared fragments are immutable', async () => {
  const { cache } = shop.app
  const load = async () => ({ sizes: [{ cm: 12 }] })
  for (let times = 0; times < 2; times++) {
    const shared = await cache.fragment(cache.epoch, 'shared', load, () => ({ bytes: 1 }))
    expect(() => Object.assign(shared.sizes[0]!, { cm: 13 })).toThrow(TypeError)
    expect(() => shared.sizes.push({ cm: 14 })).toThrow(TypeError)
  }
})
