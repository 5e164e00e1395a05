import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a cancelled order has no packing slip, and its address says so', async () => {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  const { id: mug } = await shop.list(mila, { name: 'Blue mug' })
  await ana.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
  const { id } = (await ana.post('/api/orders/checkout')).body
  const page = async (path: string) => (await mila.get(path, { accept: 'text/html' })).body
  expect(await page(`/sold/${id}`)).toContain('Packing slip')
  expect(await page(`/sold/${id}/slip?prices=yes`)).toContain('Total of the order')
  await ana.delete(`/api/orders/${id}/delete-order`)
  expect(await page(`/sold/${id}`)).not.toContain('Packing slip')
  const slip = await page(`/sold/${id}/slip?prices=yes`)
  expect(slip).toContain('There is nothing to pack: this order is cancelled.')
  expect(slip).not.toContain('Total of the order')
})
