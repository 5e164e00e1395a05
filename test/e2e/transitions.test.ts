import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing } from '../support/browser/listing-form.ts'
import { eventually, picture, type Visit, visit } from '../support/browser/steps.ts'
import { times } from '../support/person.ts'
import { aMug, openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function shopping() {
  const seller = await shop.signUp('seller')
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(seller, { name: 'Speckled mug', price: 10 })
  const vase = await shop.list(seller, { name: 'Sage vase', price: 1 })
  const put = (id: number, quantity = 1) => shopper.post(`/api/cart_items/add/${id}`, { quantity })
  return { shopper, mug, vase, put }
}

/** Marks the document: the mark is lost when another one loads. */
const mark = (there: Visit) =>
  there.page.evaluate(() => Object.assign(window, { marked: true })).then(() => {})
const marked = (there: Visit) => there.page.evaluate(() => 'marked' in window)

test('one document: login and logout update the session', async () => {
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

test('an error response to the session check counts as a visitor, silently', async () => {
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

test('a list shows the listings loaded last', async () => {
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

test('one document: a listing is added, replaced and removed', async () => {
  const seller = await shop.signUp('seller')
  await shop.list(seller, { name: 'Sage vase' })
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  const names = () => there.page.locator('.own-listing h2').allTextContents()
  await there.go('/your-listings')
  await mark(there)
  await there.press('link', '+ Add a listing')
  await fillListing(there, { ...aMug, name: 'Round pot' })
  await there.pick('Photos and video', await picture())
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

test('one document: adding changes the cart, and reloading replaces it', async () => {
  const { shopper, mug, vase, put } = await shopping()
  await put(mug.id)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  const names = () => there.page.locator('main').getByRole('listitem').getByRole('link').allTextContents()
  await there.go('/')
  await mark(there)
  await there.openCart()
  await eventually(names).toEqual(['Speckled mug'])
  await there.press('link', 'Thrum, home')
  await there.page.locator('main').locator(`a[href="/products/${vase.id}"]`).click()
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  await there.openCart()
  await eventually(names).toEqual(['Speckled mug', 'Sage vase'])
  await there.press('link', 'Thrum, home')
  const { cart_items } = (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body
  await shopper.delete(`/api/cart_items/${cart_items[0].id}`)
  await there.openCart()
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
  await there.one('dialog', 'Edit your review').locator('textarea').waitFor()
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

test('one document: from a listing to a similar one', async () => {
  const seller = await shop.signUp('seller')
  const { buffer } = await picture()
  const bowls = await times(2, async () => {
    const { id } = await shop.list(seller, { name: 'Ash bowl' })
    expect((await seller.upload(`/api/products/${id}/images`, buffer)).status).toBe(201)
    return id
  })
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${bowls[0]}`)
  await mark(there)
  // A duplicate view-transition-name is an error on the console.
  await there.pressThis(
    there.page.locator(`:is(.further-pieces, .their-pieces) a[href="/products/${bowls[1]}"]`).first(),
  )
  await there.arrives(`/products/${bowls[1]}`)
  expect(await marked(there)).toBe(true)
})

test('only ordering and cancelling load a document in the cart', async () => {
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
  await there.dialog('Review Your Order')
  expect(await marked(there)).toBe(true)
  await there.press('button', 'Yes (place order)')
  await there.sees('Product Not Shipped Yet')
  await there.arrives('/orders/view')
  expect(await marked(there)).toBe(false)
  await mark(there)
  await there.press('button', `Cancel Order #${(await shopper.get('/api/orders/')).body[0].id}`)
  await there.dialog('Are you sure you want to cancel?')
  expect(await marked(there)).toBe(true)
  await there.press('button', 'Yes')
  await there.sees('No orders')
  await there.arrives('/orders/view')
  expect(await marked(there)).toBe(false)
})

test('an update replaces an item, a removal removes it', async () => {
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
