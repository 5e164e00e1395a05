import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../test/shop.ts'
import { go, openPage } from './browser.ts'
import { picture } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true })
})
afterAll(() => shop.close())

test('a double click adds one listing', async () => {
  const own = await shop.signUp('twice')
  const page = await openPage(shop, { signedInAs: own })
  await go(page, '/products/new')
  await page.getByLabel('Name').fill('Bowl')
  await page.getByLabel('Category').selectOption('Home & Living')
  await page.getByLabel('Photos and video').setInputFiles(await picture())
  await page.getByLabel('Description').fill('Turned from ash.')
  await page.getByLabel('Price').fill('12')
  await page.getByLabel('Stock').fill('1')
  await page.getByRole('button', { name: 'Add a listing' }).dblclick()
  await page.waitForURL('**/your-listings')
  expect((await own.get('/api/products/current')).body.products).toHaveLength(1)
})

test('a double click cancels an order once, and leads to the orders', async () => {
  const own = await shop.signUp('once')
  const mug = await shop.list(own)
  await own.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const { body: order } = await own.post('/api/orders/checkout')
  const page = await openPage(shop, { signedInAs: own })
  await go(page, `/orders/${order.id}/delete-order`)
  await page.getByRole('button', { name: 'Yes' }).dblclick()
  await page.waitForURL('**/orders/view')
  await page.getByText('No orders', { exact: true }).waitFor()
  expect(await shop.stockOf(mug.id)).toBe(5)
})
