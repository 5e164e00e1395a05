import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing } from '../support/browser/listing-form.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const required = {
  Name: 'Name is required',
  Category: 'Category is required',
  'Photos and video': 'Photo or video is required',
  Description: 'Description is required',
  Price: 'Price is required',
  Stock: 'Stock is required',
}
const approved = 'File does not have an approved extension: pdf, jpg, jpeg, png, gif'

inEachMode(mode => {
  test('errors appear with the first attempt, and nothing is sent until they are fixed', async () => {
    const seller = await shop.signUp('seller')
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go('/products/new')
    for (const label of Object.keys(required)) await there.tabTo(there.field(label))
    for (const message of Object.values(required)) expect(await there.text(message).count()).toBe(0)
    await there.press('button', 'Add a listing')
    for (const [label, message] of Object.entries(required)) await there.describes(label, message)

    const wrong = { name: 'x'.repeat(51), description: 'x'.repeat(256), price: 0, stock: -1 }
    await fillListing(there, { ...wrong, category: 'Home & Living' })
    await there.pick('Photos and video', { ...(await picture('notes.txt')), mimeType: 'text/plain' })
    await there.press('button', 'Add a listing')
    await there.describes('Name', 'Name cannot be more than 50 characters')
    await there.describes('Photos and video', approved)
    await there.describes('Description', 'Description cannot be more than 255 characters')
    await there.describes('Price', 'Price must be a positive number')
    await there.describes('Stock', 'Stock must be a positive number')
    await there.missing('Category is required')
    expect(there.path).toBe('/products/new')
    expect((await seller.get('/api/products/current')).body.products).toEqual([])
    expect(await there.valueOf('Name')).toBe('x'.repeat(51))
  })

  test('the edit form lists its errors on top', async () => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller)
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go(`/products/${mug.id}/edit`)
    await there.fill('Name', '')
    await there.fill('Stock', '0')
    // An invalid category, as from a manipulated page.
    await there.field('Category').evaluate(select => select.append(new Option('x'.repeat(51))))
    await there.choose('Category', 'x'.repeat(51))
    expect(await there.page.getByRole('alert').count()).toBe(0)
    await there.press('button', 'Update listing')
    const onTop = there.page.locator('form [role="alert"] ~ div .field').getByLabel('Name', { exact: true })
    await onTop.waitFor()
    const items = there.page.getByRole('alert').getByRole('listitem')
    await eventually(() => items.allTextContents()).toEqual([
      'Name is required',
      'Category cannot be more than 50 characters',
      'Stock must be a positive number',
    ])
    await there.missing('Photo or video is required')
    expect((await seller.get(`/api/products/${mug.id}`)).body).toMatchObject({
      name: mug.name,
      stock: mug.stock,
    })
  })
})

test('the listing form has a link back, five categories and prices in cents', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller)
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  for (const address of ['/products/new', `/products/${mug.id}/edit`]) {
    await there.go(address)
    for (const label of Object.keys(required)) await there.field(label).waitFor()
    expect(await there.field('Category').locator('option').allTextContents()).toEqual([
      'Select a category',
      'Home & Living',
      'Clothing & Shoes',
      'Jewelry & Accessories',
      'Toys & Entertainment',
      'Art & Collectibles',
    ])
    expect(await there.field('Price').getAttribute('step')).toBe('0.01')
    await there.press('link', 'Back to Your Listings')
    await there.arrives('/your-listings')
  }
})

test('an invalid form is not sent', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller)
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  const sent: string[] = []
  there.page.on('request', request => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await there.go('/products/new')
  await fillListing(there, {
    name: 'Mug without a photo',
    category: 'Home & Living',
    description: 'Holds 300 ml.',
    price: '24.50',
    stock: '7',
  })
  await there.press('button', 'Add a listing')
  await there.describes('Photos and video', 'Photo or video is required')
  await there.go(`/products/${mug.id}/edit`)
  await there.fill('Price', '0')
  await there.press('button', 'Update listing')
  await there.describes('Price', 'Price must be a positive number')
  expect(sent).toEqual([])
})
