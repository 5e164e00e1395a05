import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../test/shop.ts'
import type { PageOptions } from './browser.ts'
import { eventually, picture, type Visit, visit } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true })
})
afterAll(() => shop.close())

/** A page whose time stands still until it is told to go on. */
async function timeless(path: string, options: PageOptions): Promise<Visit> {
  const there = await visit(shop, 'with scripts', options)
  await there.page.clock.install({ time: 0 })
  await there.go(path)
  await there.page.clock.pauseAt(3_600_000)
  return there
}

/** A message that stands on the page for exactly so long. */
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
  return { shopper, mug, vase, put }
}

test('what came of adding to the cart is told for 5 seconds', async () => {
  const { shopper, mug } = await shopping()
  const there = await timeless(`/products/${mug.id}`, { signedInAs: shopper, expects: [/status of 401/] })
  await there.press('button', 'Add to cart')
  await lasts(there, 'Item added to cart!', 5_000)
  await there.press('button', 'Add to cart')
  await lasts(there, 'Item added to cart!', 5_000)
  await there.page.context().clearCookies()
  await there.press('button', 'Add to cart')
  await lasts(there, 'Please login to add items to cart.', 5_000)
})

test('that adding to the cart failed is told for 5 seconds', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id, 5)
  const there = await timeless(`/products/${mug.id}`, { signedInAs: shopper, expects: [/status of 409/] })
  await there.press('button', 'Add to cart')
  await lasts(there, 'Failed to add item to cart.', 5_000)
})

test('that an item is gone from the cart is told for 3 seconds', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  await put(vase.id)
  const there = await timeless('/cart', { signedInAs: shopper })
  await there.press('button', 'Remove Speckled mug')
  await there.missing('Speckled mug')
  await lasts(there, 'Item was removed from your cart', 3_000)
  await there.press('button', 'Remove Sage vase')
  await there.sees('Your cart is empty')
  await lasts(there, 'Item was removed from your cart', 3_000)
})

test('No in the cancel dialog leads back after 100 milliseconds', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id)
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const there = await timeless('/orders/view', { signedInAs: shopper })
  await there.press('button', `Cancel Order #${id}`)
  await there.asked('Are you sure you want to cancel?')
  await there.press('button', 'No (Keep Order)')
  await there.page.clock.runFor(99)
  expect(there.path).toBe(`/orders/${id}/delete-order`)
  expect(await there.one('dialog', 'Are you sure you want to cancel?').isVisible()).toBe(true)
  await there.page.clock.runFor(1)
  await there.arrives('/orders/view')
  await there.missing('Are you sure you want to cancel?')
})

const mark = (there: Visit) =>
  there.page.evaluate(() => Object.assign(window, { marked: true })).then(() => {})
const marked = (there: Visit) => there.page.evaluate(() => 'marked' in window)

test('ordering and cancelling load a document; nothing else in the cart does', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  await put(vase.id)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/cart')
  await mark(there)
  await there.choose('Quantity of Speckled mug', '2')
  await there.sees('Total Price: $21.00')
  await there.press('button', 'Remove Sage vase')
  await there.sees('Total Price: $20.00')
  await there.press('button', 'Proceed to checkout')
  await there.asked('Review Your Order')
  expect(await marked(there)).toBe(true)
  await there.press('button', 'Yes (place order)')
  await there.sees('Product Not Shipped Yet')
  await there.arrives('/orders/view')
  expect(await marked(there)).toBe(false)
  await mark(there)
  await there.press('button', `Cancel Order #${(await shopper.get('/api/orders/')).body[0].id}`)
  await there.asked('Are you sure you want to cancel?')
  expect(await marked(there)).toBe(true)
  await there.press('button', 'Yes')
  await there.sees('No orders')
  await there.arrives('/orders/view')
  expect(await marked(there)).toBe(false)
})

test('one document: nobody, then somebody, then nobody again', async () => {
  const { user, password } = await shop.signUp('guest')
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await mark(there)
  await there.openMenu()
  await there.press('link', 'Log In')
  await there.fill('Email', user.email)
  await there.fill('Password', password)
  await there.press('button', 'Log In')
  await there.one('link', '+ Add a product listing').waitFor()
  await there.openMenu()
  await there.sees(user.username)
  await there.press('link', 'Log Out')
  await there.one('link', '+ Add a product listing').waitFor({ state: 'hidden' })
  await there.openMenu()
  await there.one('link', 'Sign Up').waitFor()
  expect(await there.text(user.username).count()).toBe(0)
  expect(await marked(there)).toBe(true)
})

test('a session check that answers errors means a visitor, and nothing is said about it', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/login')
  const errors = ['Unauthorized']
  await there.page.route('**/api/auth/', route =>
    route.fulfill({ status: 401, json: { message: errors[0], errors } }),
  )
  const checked = there.page.waitForResponse('**/api/auth/')
  await there.page.locator('main').getByRole('link', { name: 'Sign Up' }).click()
  await checked
  await there.heading('Sign Up')
  expect(await there.page.getByRole('alert').count()).toBe(0)
  await there.missing('Unauthorized')
  await there.openMenu()
  await there.one('link', 'Log In').first().waitFor()
})

test('a list of listings is the one that was loaded last', async () => {
  const { mug } = await shopping()
  const seller = await shop.signUp('seller')
  const own = await shop.list(seller, { name: 'Own bowl' })
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/')
  await mark(there)
  const links = () =>
    there.page
      .locator('main')
      .getByRole('link')
      .evaluateAll(all => all.map(a => a.getAttribute('href')))
  expect(await links()).toEqual(expect.arrayContaining([mug, own].map(({ id }) => `/products/${id}`)))
  await there.openMenu()
  await there.press('link', 'Your Listings')
  await there.heading('Your Listings')
  expect(await links()).toContain(`/products/${own.id}`)
  expect(await links()).not.toContain(`/products/${mug.id}`)
  await there.press('link', 'Thrum, home')
  await there.heading('Welcome to Thrum')
  expect(await links()).toEqual(expect.arrayContaining([mug, own].map(({ id }) => `/products/${id}`)))
  expect(await marked(there)).toBe(true)
})

test('one document: a listing is added, replaced and taken away', async () => {
  const seller = await shop.signUp('seller')
  await shop.list(seller, { name: 'Sage vase' })
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  const names = () => there.page.locator('main').getByRole('heading', { level: 2 }).allTextContents()
  await there.go('/your-listings')
  await mark(there)
  await there.press('link', '+ Add a listing')
  await there.fill('Name', 'Round pot')
  await there.choose('Category', 'Home & Living')
  await there.pick('Photos and video', await picture())
  for (const label of ['Description', 'Price', 'Stock']) await there.fill(label, '7')
  await there.press('button', 'Add a listing')
  await eventually(names).toEqual(['Round pot', 'Sage vase'])
  await there.press('link', 'Edit Sage vase')
  await there.heading('Update your product details')
  await there.fill('Name', 'Blue vase')
  await there.press('button', 'Update listing')
  await eventually(names).toEqual(['Round pot', 'Blue vase'])
  await there.press('button', 'Delete Round pot')
  await there.press('button', 'Yes (Delete Product)')
  await eventually(names).toEqual(['Blue vase'])
  expect(await marked(there)).toBe(true)
})

test('one document: what is added follows in the cart, and what is fetched replaces it', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  const names = () => there.page.locator('main').getByRole('listitem').getByRole('link').allTextContents()
  await there.go('/')
  await mark(there)
  await there.press('link', 'Cart')
  await eventually(names).toEqual(['Speckled mug'])
  await there.press('link', 'Thrum, home')
  await there.page.locator('main').locator(`a[href="/products/${vase.id}"]`).click()
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  await there.press('link', 'Cart')
  await eventually(names).toEqual(['Speckled mug', 'Sage vase'])
  await there.press('link', 'Thrum, home')
  const { cart_items } = (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body
  await shopper.delete(`/api/cart_items/${cart_items[0].id}`)
  await there.press('link', 'Cart')
  await eventually(names).toEqual(['Sage vase'])
  expect(await marked(there)).toBe(true)
})

test('one document: a review is edited, then deleted', async () => {
  const { shopper, mug } = await shopping()
  await shopper.post(`/api/reviews/${mug.id}/create-review`, { review: 'A fine mug.', stars: 4 })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go(`/products/${mug.id}`)
  await mark(there)
  await there.press('button', 'Edit Review')
  expect(await there.one('dialog', 'Edit your review').locator('textarea').count()).toBe(1)
  await there.fill('What did you think of this product?', 'A very fine mug.')
  await there.press('button', 'Leave Review')
  await there.sees('A very fine mug.')
  await there.missing('A fine mug.')
  await there.press('button', 'Delete Review')
  await there.press('button', 'Yes')
  await there.sees('No reviews yet')
  await there.one('link', 'Create Review').waitFor()
  expect(await marked(there)).toBe(true)
})

test('an update replaces the item in its place, a removal takes it away', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  await put(vase.id, 2)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/cart')
  const lines = there.page.locator('main').getByRole('listitem')
  const quantities = () =>
    there.page.getByRole('combobox').evaluateAll(all => all.map(one => (one as HTMLSelectElement).value))
  const names = () => lines.getByRole('link').allTextContents()
  const before = await names()
  expect(before.toSorted()).toEqual(['Sage vase', 'Speckled mug'])
  await there.choose('Quantity of Speckled mug', '4')
  await there.sees('Total Price: $42.00')
  expect(await names()).toEqual(before)
  expect((await quantities()).toSorted()).toEqual(['2', '4'])
  await there.press('button', 'Remove Sage vase')
  await there.sees('Total Price: $40.00')
  expect(await names()).toEqual(['Speckled mug'])
})

test('a quantity below 1 is ignored', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id, 2)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects: [/status of 400/] })
  await there.go('/cart')
  await there.field('Quantity of Speckled mug').evaluate(select => select.append(new Option('0')))
  await there.choose('Quantity of Speckled mug', '0')
  await eventually(() => there.valueOf('Quantity of Speckled mug')).toBe('2')
  await there.sees('Total Price: $20.00')
  expect((await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items[0].quantity).toBe(2)
})

test('only an order that is pending can be cancelled', async () => {
  const { shopper, mug, put } = await shopping()
  await put(mug.id)
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects: [/status of 409/] })
  await there.go('/orders/view')
  await there.press('button', `Cancel Order #${id}`)
  await there.asked('Are you sure you want to cancel?')
  await shopper.delete(`/api/orders/${id}/delete-order`)
  const deletes: string[] = []
  there.page.on('request', request => {
    if (request.method() === 'DELETE') deletes.push(request.url())
  })
  await there.press('button', 'Yes')
  await there.sees('Only an order that is Pending can be cancelled')
  expect(deletes).toEqual([])
})

test('a sold-out listing says so and cannot be bought', async () => {
  const { shopper, put } = await shopping()
  const last = await shop.list(await shop.signUp('seller'), { name: 'Last bowl', stock: 1 })
  await put(last.id)
  await shopper.post('/api/orders/checkout')
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go(`/products/${last.id}`)
  await there.sees('Sold out')
  expect(await there.one('button', 'Add to cart').count()).toBe(0)
})

test('another photo is added to those that are there', async () => {
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
