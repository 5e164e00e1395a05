import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

let most = 500
/** Another search for the same each time: its highest price is one that nobody has asked for. */
const search = async () => (await shop.visitor().get(`/api/products/?q=speckled&max=${most--}`)).body.products

test('a listing that has changed is found as it is', async () => {
  await search()
  await ana.put(`/api/products/${mug}`, { ...aMug, name: 'Speckled bowl', price: 19.5 })
  expect(await search()).toMatchObject([{ name: 'Speckled bowl', price: 19.5 }])
  await ana.post(`/api/cart_items/add/${mug}`, { quantity: 4 })
  await ana.post('/api/orders/checkout')
  expect((await search())[0].stock).toBe(await shop.stockOf(mug))
})
