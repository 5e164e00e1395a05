import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageOptions } from '../support/browser/browser.ts'
import { eventually, picture, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { sell } from '../support/sold.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** A page with a fake clock. */
async function timeless(path: string, options: PageOptions): Promise<Visit> {
  const there = await visit(shop, 'with scripts', options)
  await there.page.clock.install({ time: 0 })
  await there.go(path)
  // Lazy parts need a timer, so load them before the clock stops.
  await there.page.waitForLoadState('networkidle')
  await there.page.clock.pauseAt(3_600_000)
  return there
}

/** Expects a message for exactly so long. */
async function lasts(there: Visit, message: string, milliseconds: number): Promise<void> {
  await there.sees(message)
  await there.page.clock.runFor(milliseconds - 1)
  expect(await there.text(message).count()).toBe(1)
  await there.page.clock.runFor(1)
  await there.missing(message)
}

async function shopping() {
  const seller = await shop.signUp('seller')
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(seller, { name: 'Speckled mug', price: 10 })
  const vase = await shop.list(seller, { name: 'Sage vase', price: 1 })
  const put = (id: number, quantity = 1) => shopper.post(`/api/cart_items/add/${id}`, { quantity })
  return { seller, shopper, mug, vase, put }
}

test('the result of adding to the cart shows for 5 seconds', async () => {
  const { shopper, mug } = await shopping()
  const there = await timeless(`/products/${mug.id}`, { signedInAs: shopper, expects: [/status of 401/] })
  await there.press('button', 'Add to cart')
  await lasts(there, 'Item added to cart!', 5_000)
  await there.press('button', 'Add to cart')
  await lasts(there, 'Item added to cart!', 5_000)
  // A logout during the reload shows the page of a visitor.
  await eventually(() => there.one('button', 'Add to cart').isEnabled()).toBe(true)
  await there.page.context().clearCookies()
  await there.press('button', 'Add to cart')
  const login = 'Please login to add items to cart.'
  await there.sees(login)
  const place = () => there.page.locator('main').getByRole('link', { name: 'Log In' }).boundingBox()
  const before = await place()
  await lasts(there, login, 5_000)
  // The login link stays, with a reason.
  await there.sees('It is added once you log in.')
  expect(await place()).toEqual(before)
})

test('a failure to add to the cart shows for 5 seconds', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id, 5)
  const there = await timeless(`/products/${mug.id}`, { signedInAs: shopper, expects: [/status of 409/] })
  await there.press('button', 'Add to cart')
  await lasts(there, 'Failed to add item to cart.', 5_000)
})

test('adding a listing that was deleted meanwhile shows a failure', async () => {
  const { shopper, seller, mug, vase } = await shopping()
  const expects = [/status of 40[49]/]
  const there = await timeless(`/products/${mug.id}`, { signedInAs: shopper, expects })
  await seller.delete(`/api/products/${mug.id}`)
  await there.press('button', 'Add to cart')
  await lasts(there, 'Failed to add item to cart.', 5_000)
  await there.heading('Speckled mug')
  // Sold out, it stays a page, which reloads.
  const other = await timeless(`/products/${vase.id}`, { signedInAs: shopper, expects })
  await shop.correctStock(vase.id, -vase.stock)
  await other.press('button', 'Add to cart')
  await other.sees('Sage vase is sold out.')
  await lasts(other, 'Failed to add item to cart.', 5_000)
})

test('the removal of a cart line shows for 3 seconds', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  await put(vase.id)
  const there = await timeless('/cart', { signedInAs: shopper })
  await there.page.setViewportSize({ width: 390, height: 400 })
  await there.page.evaluate(() => scrollTo(0, 200))
  await there.press('button', 'Remove Speckled mug')
  const message = await there.text('Item was removed from your cart').boundingBox()
  expect(message?.y).toBeGreaterThan(0)
  expect(message?.y).toBeLessThan(380)
  await there.missing('Speckled mug')
  await lasts(there, 'Item was removed from your cart', 3_000)
  await there.press('button', 'Remove Sage vase')
  await there.sees('Your cart is empty')
  await lasts(there, 'Item was removed from your cart', 3_000)
})

test('No in the cancel dialog closes it after 100 milliseconds', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id)
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const there = await timeless('/orders/view', { signedInAs: shopper })
  await there.press('button', `Cancel Order #${id}`)
  await there.dialog('Are you sure you want to cancel?')
  await there.press('button', 'No (Keep Order)')
  await there.page.clock.runFor(99)
  // Real time: this test has no fake clock.
  await setTimeout(500)
  expect(there.path).toBe(`/orders/${id}/delete-order`)
  expect(await there.one('dialog', 'Are you sure you want to cancel?').isVisible()).toBe(true)
  await there.page.clock.runFor(1)
  await there.arrives('/orders/view')
  await there.missing('Are you sure you want to cancel?')
})

test('a quantity below 1 is ignored', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id, 2)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/cart')
  await there.field('Quantity of Speckled mug').evaluate(select => select.append(new Option('0')))
  await there.choose('Quantity of Speckled mug', '0')
  await eventually(() => there.valueOf('Quantity of Speckled mug')).toBe('2')
  await there.sees('Total Price: $20.00')
  expect(await there.page.getByRole('alert').count()).toBe(0)
  expect((await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items[0].quantity).toBe(2)
})

test('only a pending order can be cancelled', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await sell(shop, { maker, shopper, quantities: [1], by: 'post' })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects: [/status of 409/] })
  await there.go('/orders/view')
  await there.press('button', `Cancel Order #${id}`)
  await there.dialog('Are you sure you want to cancel?')
  await maker.post(`/api/sales/${id}/parcels`, {})
  const deletes: string[] = []
  there.page.on('request', request => {
    if (request.method() === 'DELETE') deletes.push(request.url())
  })
  await there.press('button', 'Yes')
  await there.sees('Only an order that is Pending can be cancelled')
  expect(deletes).toEqual([])
})

test('a sold-out listing is marked and cannot be bought', async () => {
  const { shopper, put } = await shopping()
  const last = await shop.list(await shop.signUp('seller'), { name: 'Last bowl', stock: 1 })
  await put(last.id)
  await shopper.post('/api/orders/checkout')
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go(`/products/${last.id}`)
  await there.sees('Sold out')
  expect(await there.one('button', 'Add to cart').count()).toBe(0)
})

test('another photo is added to the existing ones', async () => {
  const seller = await shop.signUp('seller')
  const pot = await shop.list(seller, { name: 'Round pot' })
  await seller.upload(`/api/products/${pot.id}/images`, (await picture()).buffer)
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go(`/products/${pot.id}/edit`)
  await there.pick('Photos and video', await picture('second.png'))
  await there.press('button', 'Update listing')
  await there.arrives('/your-listings')
  await there.go(`/products/${pot.id}`)
  await there.one('img', 'Round pot').waitFor()
  await there.press('link', 'Photo 2 of 2')
  await there.arrives(`/products/${pot.id}?photo=2`)
  const images = (await seller.get(`/api/products/${pot.id}`)).body.images
  expect(images).toHaveLength(2)
  await eventually(() => there.one('img', 'Round pot').getAttribute('src')).toBe(images[1].url)
  await there.press('link', 'Enlarge the photo of Round pot')
  await there.one('dialog', 'Round pot').getByRole('img').waitFor()
})
