import { afterAll, beforeAll, expect, test } from 'vitest'
import { go, openPage } from '../support/browser/browser.ts'
import { fillListing } from '../support/browser/listing-form.ts'
import { eventually, gate, picture, visit } from '../support/browser/steps.ts'
import { letterPost } from '../support/fixtures.ts'
import { aMug, openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a double click adds one listing', async () => {
  const own = await shop.signUp('twice')
  const there = await visit(shop, 'with scripts', { signedInAs: own })
  await there.go('/products/new')
  await fillListing(there, aMug)
  await there.pick('Photos and video', await picture())
  await there.one('button', 'Add a listing').dblclick()
  await there.page.waitForURL('**/your-listings')
  expect((await own.get('/api/products/current')).body.products).toHaveLength(1)
})

test('a retry after a lost response adds its stock once', async () => {
  const own = await shop.signUp('again')
  const mug = await shop.list(own, { stock: 5 })
  const there = await visit(shop, 'with scripts', {
    signedInAs: own,
    expects: [/ERR_FAILED/, /Network failure/],
  })
  await there.go(`/products/${mug.id}/edit`)
  await there.fill('Stock', '8')
  let lost = 0
  await there.page.route(`**/api/products/${mug.id}`, async route => {
    if (route.request().method() !== 'PUT' || lost++ > 0) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await there.press('button', 'Update listing')
  await eventually(() => shop.stockOf(mug.id)).toBe(8)
  await there.page.getByRole('alert').first().waitFor()
  await there.press('button', 'Update listing')
  await there.page.waitForURL('**/your-listings')
  expect(await shop.stockOf(mug.id)).toBe(8)
})

test.for(['/products/new', 'edit'])('a form of %s that a browser sends twice counts once', async where => {
  const own = await shop.signUp('impatient')
  const mug = await shop.list(own, { stock: 5 })
  const there = await visit(shop, 'without scripts', { signedInAs: own })
  await there.go(where === 'edit' ? `/products/${mug.id}/edit` : where)
  await fillListing(there, { ...aMug, name: 'Bowl', stock: 8 })
  if (where !== 'edit') await there.pick('Photos and video', await picture())
  await there.page.getByRole('button', { name: /^(Add a|Update) listing/ }).dblclick()
  // The browser ends the first of two navigations, which `waitForURL` takes for an error.
  await eventually(() => there.path).toMatch(/^\/your-listings/)
  const { products } = (await own.get('/api/products/current')).body
  expect(products.map(({ name, stock }: { name: string; stock: number }) => [name, stock]).sort()).toEqual(
    where === 'edit'
      ? [['Bowl', 8]]
      : [
          ['Bowl', 8],
          [mug.name, 5],
        ],
  )
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

test('while one form of a page is sent, another one is sent too', async () => {
  const maker = await shop.signUp('maker')
  await maker.post('/api/postage/', letterPost)
  const { id } = await shop.list(maker)
  const buyer = await shop.signUp('buyer')
  const there = await visit(shop, 'with scripts', { signedInAs: buyer })
  await there.go(`/products/${id}`)
  const { open, opened } = gate()
  await there.page.route('**/api/country', async route => {
    if (route.request().method() === 'PUT') await opened
    await route.fallback()
  })
  await there.choose('Your country', 'Albania')
  await there.press('button', 'Show postage')
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  open()
  await there.sees('Postage to Albania: $4.50, each further piece $1.00. Arrives in 3–9 days.')
})

test('a removal that is undone with a double click restores what was there', async () => {
  const { id } = await shop.list(await shop.signUp('maker'), { stock: 9 })
  const buyer = await shop.signUp('buyer')
  await buyer.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const there = await visit(shop, 'with scripts', { signedInAs: buyer })
  await there.go('/cart')
  await there.press('button', `Remove ${aMug.name}`)
  await there.sees('Item was removed from your cart')
  await there.one('button', 'Undo').dblclick()
  await there.missing('Undo')
  await there.one('button', `Remove ${aMug.name}`).waitFor()
  const { cart_items } = (await buyer.get(`/api/cart_items/${buyer.user.id}`)).body
  expect(cart_items).toMatchObject([{ quantity: 2 }])
})
