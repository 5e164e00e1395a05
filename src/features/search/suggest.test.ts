import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let visitor: Person
let thistle: Person
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  thistle = await shop.signUp('thistledown')
  for (const [name, description] of [
    ['Blue-Green Scarf', 'Knitted in mossy wool.'],
    ['Painted Candles', "The potter's apprentice rolled them."],
    ['Earrings', 'Hammered brass. Matches the scarf.'],
    ['Stamped tag', 'Number 5e84b336003b.'],
  ])
    await shop.list(thistle, { name, description })
})
afterAll(() => shop.close())

test('suggestions include listings, sellers and categories', async () => {
  const { username } = thistle.user
  const her = [{ username, name: username }]
  const suggested = async (q: string) =>
    (await visitor.get(`/api/products/suggestions?q=${encodeURIComponent(q)}`)).body
  expect(await suggested('sca')).toMatchObject({
    listings: [
      { id: expect.any(Number), name: 'Blue-Green Scarf', price: 24.5, image: null },
      { name: 'Earrings' },
    ],
    makers: [],
    categories: [],
  })
  expect((await suggested('thistle')).makers).toEqual(her)
  expect((await suggested('toy')).categories).toEqual(['Toys & Entertainment'])
  expect((await suggested('clothing & sh')).categories).toEqual(['Clothing & Shoes'])
  expect((await suggested('& shoes')).categories).toEqual(['Clothing & Shoes'])
  await shop.signUp('idler')
  expect((await suggested('idle')).makers).toEqual([])
})

test('makers are suggested by the name on their cards, and found by the name of their shop', async () => {
  const ana = await shop.signUp('ana')
  const { username, first_name, last_name } = ana.user
  await shop.list(ana)
  const made = async (q: string) =>
    (await visitor.get(`/api/products/suggestions?q=${encodeURIComponent(q)}`)).body.makers
  const profile = { words: '', place: '', name: 'Teal & Tannery' }
  await ana.put(`/api/shops/${username}`, profile)
  for (const q of [username, 'teal', 'Tann', 'tannery te'])
    expect(await made(q)).toEqual([{ username, name: 'Teal & Tannery' }])
  expect(await made('annery')).toEqual([])
  expect(await made('&&')).toEqual([])
  const named = [{ username, name: `${first_name} ${last_name}` }]
  const byName = [last_name.slice(0, 4), `${first_name} ${last_name.slice(0, 2)}`]
  for (const q of byName) expect(await made(q)).toEqual([])
  await ana.put(`/api/shops/${username}`, { ...profile, shows_name: true })
  for (const q of ['teal', ...byName]) expect(await made(q)).toEqual(named)
})

test('similar listings: common words first, never itself, nothing sold out', async () => {
  const other = await shop.signUp('other')
  const art = 'Art & Collectibles'
  const lamp = await shop.list(thistle, { name: 'Paper Lamp', category: art })
  const twin = await shop.list(other, { name: 'Paper Lamps, two', category: 'Toys & Entertainment' })
  const gone = await shop.list(other, { name: 'Paper Lamp, small', stock: 1 })
  await thistle.post(`/api/cart_items/add/${gone.id}`, { quantity: 1 })
  await thistle.post('/api/orders/checkout')
  const { products } = (await visitor.get(`/api/products/${lamp.id}/similar`)).body
  const names = products.map(({ name }: { name: string }) => name)
  expect(names[0]).toBe(twin.name)
  expect(names).toHaveLength(5)
  expect(names).not.toContain(lamp.name)
  expect(names).not.toContain(gone.name)
})
