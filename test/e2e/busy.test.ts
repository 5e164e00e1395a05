import { sql } from 'kysely'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing, listingIn } from '../support/browser/listing-form.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { picture, type Visit, visit } from '../support/browser/steps.ts'
import { times } from '../support/expect.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const BUSY_PAGE =
  'The shop is busy or being restarted. Nothing you did is lost. Please try again in a moment.'

let shop: TestShop
let person: Person
let mug = 0
beforeAll(async () => {
  shop = await openShop()
  person = await shop.signUp('person')
  mug = (await shop.list(person, { name: 'Speckled mug' })).id
})
afterAll(() => shop.close())

const BUSY = 'The shop is very busy. Please try again'
/** Login and signup report errors by field. */
const busy = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { 'retry-after': '1' },
    json: route.request().url().includes('/auth/') ? { server: BUSY } : { message: BUSY, errors: [BUSY] },
  })

/** Opens a page, logged in by default, on a shop that refuses one kind of call until `refuses` is changed. */
async function opened(path: string, signedInAs: Person | null = person) {
  const there = await visit(shop, 'with scripts', {
    signedInAs: signedInAs ?? undefined,
    expects: [/status of 503/],
  })
  await there.go(path)
  const during = async (calls: string, work: (there: Visit) => Promise<unknown>) => {
    await there.page.route(calls, busy)
    await work(there)
    await there.page.unroute(calls)
  }
  return { there, during }
}

test('a page under overload offers a retry', async () => {
  const { there, during } = await opened('/')
  await during('**/api/cart_items/**', async () => {
    await there.openCart()
    await there.heading('Unexpected Application Error!')
    await there.sees(BUSY_PAGE)
    await expectOpen(there.page)
    await expectFits(there.page)
  })
  await there.press('link', 'Try again')
  await there.heading('Shopping Cart')
})

test('a refused navigation shows a page with a retry', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: person, expects: [/status of 503/] })
  // Requests that wait for the database fill the slots and the queue.
  const waiting = await shop.db.transaction().execute(async db => {
    await sql`lock table orders in access exclusive mode`.execute(db)
    const waiting = [
      times(300, () => person.get('/api/orders/')),
      times(70, () => person.get('/orders/view', { accept: 'text/html' })),
    ]
    expect((await there.page.goto('/orders/view'))?.status()).toBe(503)
    return waiting
  })
  await there.heading('Unexpected Application Error!')
  await there.sees(BUSY_PAGE)
  await expectOpen(there.page)
  await expectFits(there.page)
  await Promise.all(waiting)
  await there.press('link', 'Try again')
  await there.heading('Your Orders')
})

test('a refused listing keeps every field, and the retry succeeds', async () => {
  const { there, during } = await opened('/products/new')
  const texts = { name: 'Patient bowl', description: 'Turned from walnut.' }
  const typed = { ...texts, category: 'Home & Living', price: '12.5', stock: '2' }
  await fillListing(there, typed)
  await there.pick('Photos and video', await picture('bowl.png'))
  await during('**/api/products/', async () => {
    await there.press('button', 'Add a listing')
    await there.page.getByRole('alert').getByText(BUSY, { exact: true }).waitFor()
  })
  expect(await listingIn(there)).toMatchObject(typed)
  await there.sees('bowl.png')
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  await there.one('img', 'Patient bowl').waitFor()
})

test('the cart shows the reason, and the retry succeeds', async () => {
  const { there, during } = await opened(`/products/${mug}`)
  await during('**/api/cart_items/**', async () => {
    await there.press('button', 'Add to cart')
    await there.sees('Failed to add item to cart.')
    await there.sees(BUSY)
  })
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
})

test('a refused review keeps its text, and the retry succeeds', async () => {
  const { there, during } = await opened(`/products/${mug}/create-review`)
  await there.choose('Stars', '4')
  await there.fill('What did you think of this product?', 'Holds its tea.')
  await during('**/create-review', async () => {
    await there.press('button', 'Leave Review')
    await there.sees(BUSY)
  })
  expect(await there.valueOf('What did you think of this product?')).toBe('Holds its tea.')
  expect(await there.valueOf('Stars')).toBe('4')
  await there.press('button', 'Leave Review')
  await there.sees('Holds its tea.')
})

test('refused login and signup keep their fields, and the retry succeeds', async () => {
  const { there, during } = await opened('/login', null)
  const succeeds = async (call: string, typed: Record<string, string>, button: string) => {
    for (const [label, value] of Object.entries(typed)) await there.fill(label, value)
    await during(`**/api/auth/${call}`, async () => {
      await there.press('button', button)
      await there.sees('Something went wrong. Please try again')
    })
    for (const [label, value] of Object.entries(typed)) expect(await there.valueOf(label)).toBe(value)
    await there.press('button', button)
    await there.arrives('/')
  }
  await succeeds('login', { Email: person.user.email, Password: person.password }, 'Log In')
  await there.page.context().clearCookies()
  await there.go('/signup')
  const newcomer = {
    'First Name': 'Nina',
    'Last Name': 'Carver',
    Username: 'patient nina',
    Email: 'patient.nina@example.com',
    Password: person.password,
    'Confirm Password': person.password,
  }
  await succeeds('signup', newcomer, 'Sign Up')
})

test('a refused order is retried from the dialog, and is one order', async () => {
  await person.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
  const { there, during } = await opened('/cart')
  await there.press('button', 'Proceed to checkout')
  await there.dialog('Review Your Order')
  await during('**/api/orders/checkout', async () => {
    await there.press('button', 'Yes (place order)')
    await there.one('dialog', 'Review Your Order').getByText(BUSY, { exact: true }).waitFor()
  })
  const before = (await person.get('/api/orders/')).body.length
  await there.press('button', 'Yes (place order)')
  await there.arrives('/orders/view')
  expect((await person.get('/api/orders/')).body).toHaveLength(before + 1)
})

test('a refused photo is sent again alone: the listing is saved', async () => {
  const { there, during } = await opened(`/products/${mug}/edit`)
  await there.fill('Description', 'Speckled by hand.')
  await there.pick('Photos and video', await picture('speckles.png'))
  await during('**/images', async () => {
    await there.press('button', 'Update listing')
    await there.page.locator('.field .error').getByText(BUSY, { exact: true }).waitFor()
  })
  expect(await there.valueOf('Description')).toBe('Speckled by hand.')
  await there.sees('speckles.png')
  await there.press('button', 'Try the upload again')
  await there.arrives('/your-listings')
  const { description, images } = (await person.get(`/api/products/${mug}`)).body
  expect(description).toBe('Speckled by hand.')
  expect(images).toHaveLength(1)
})
