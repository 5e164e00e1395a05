import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fillListing } from '../support/browser/listing-form.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { aMug, openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Renames a table until the test ends or the returned function is called. */
async function lose(table: string): Promise<() => Promise<void>> {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(shop.db)
  let lost = true
  const restore = async () => {
    if (lost) await rename(`lost_${table}`, table)
    lost = false
  }
  await rename(table, `lost_${table}`)
  onTestFinished(restore)
  return restore
}

const UNEXPECTED = 'Unexpected Application Error!'
const SERVER_ERROR = 'Something went wrong. Please try again'
const failed = { expects: [/status of 500/] }

inEachMode(mode => {
  test('a failed page shows its status, and no internals', async () => {
    const shopper = await shop.signUp('shopper')
    const there = await visit(shop, mode, { signedInAs: shopper, ...failed })
    const restore = await lose('orders')
    expect(await there.go('/orders/view')).toBe(500)
    await there.heading(UNEXPECTED)
    expect(await there.page.title()).toBe(`${UNEXPECTED} · Thrum`)
    expect(await there.page.content()).not.toMatch(/relation|lost_|select|\/src\/|\.ts:/)
    expect(await there.page.locator('main code').textContent()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}$/)
    if (mode === 'with scripts') {
      await expectOpen(there.page)
      await expectFits(there.page)
    }
    await restore()
    await there.press('link', 'Try again')
    await there.heading('Your Orders')
  })

  test('failed login and signup show it and keep their fields', async () => {
    const { user, password } = await shop.signUp('guest')
    const there = await visit(shop, mode, failed)
    const restore = await lose('users')
    await there.go('/signup')
    const fields = { 'First Name': 'Nina', 'Last Name': 'Carver', Username: `nina ${mode}` }
    for (const [label, value] of Object.entries(fields)) await there.fill(label, value)
    await there.fill('Email', `nina.${mode.replaceAll(' ', '.')}@example.com`)
    for (const label of ['Password', 'Confirm Password']) await there.fill(label, password)
    await there.press('button', 'Sign Up')
    await there.sees(SERVER_ERROR)
    for (const [label, value] of Object.entries(fields)) expect(await there.valueOf(label)).toBe(value)

    await there.go('/login')
    await there.fill('Email', user.email)
    await there.fill('Password', password)
    await there.press('button', 'Log In')
    await there.sees(SERVER_ERROR)
    expect(await there.valueOf('Email')).toBe(user.email)
    await restore()
    await there.fill('Password', password)
    await there.press('button', 'Log In')
    await there.heading('Welcome to Thrum')
  })
})

test('a failed login in the dialog shows it', async () => {
  const there = await visit(shop, 'with scripts', failed)
  await there.go('/')
  await lose('users')
  await there.openCart()
  await there.fill('Email', 'someone@example.com')
  await there.fill('Password', 'secret-1')
  await there.press('button', 'Log In')
  await there.one('dialog', 'Log In').getByText(SERVER_ERROR, { exact: true }).waitFor()
})

test('a failed session shows the error page alone', async () => {
  const person = await shop.signUp('person')
  const there = await visit(shop, 'with scripts', { signedInAs: person, ...failed })
  await lose('sessions')
  expect(await there.go('/cart')).toBe(500)
  await there.heading(UNEXPECTED)
})

test('an unreadable session answers that failure’s page and status', async () => {
  const person = await shop.signUp('person')
  await lose('sessions')
  const { status, body } = await person.get('/nothing', { accept: 'text/html' })
  expect([status, body.includes(`<h1>${UNEXPECTED}</h1>`)]).toEqual([500, true])
})

test('a page that fails after a link shows its error in the layout', async () => {
  const person = await shop.signUp('person')
  const there = await visit(shop, 'with scripts', { signedInAs: person, ...failed })
  await there.go('/')
  await lose('orders')
  await there.openMenu()
  await there.press('link', 'Your Orders')
  await there.heading(UNEXPECTED)
  expect(await there.page.title()).toBe(`${UNEXPECTED} · Thrum`)
})

test('reviews: one sentence for writing, another for editing', async () => {
  const author = await shop.signUp('author')
  const mug = await shop.list(author)
  const there = await visit(shop, 'with scripts', { signedInAs: author, ...failed })
  await there.go(`/products/${mug.id}/create-review`)
  const restore = await lose('reviews')
  await there.choose('Stars', '4')
  await there.fill('What did you think of this product?', 'A fine mug.')
  await there.press('button', 'Leave Review')
  await there.sees('An error occurred')
  await restore()
  await there.press('button', 'Leave Review')
  await there.press('button', 'Edit Review')
  await there.dialog('Edit your review')
  await lose('reviews')
  await there.press('button', 'Leave Review')
  await there.sees('Failed to edit this review')
})

test('a listing that cannot be saved keeps the form, with a list of errors', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller)
  const there = await visit(shop, 'with scripts', { signedInAs: seller, ...failed })
  await there.go(`/products/${mug.id}/edit`)
  const restore = await lose('products')
  await there.fill('Name', 'A better mug')
  await there.press('button', 'Update listing')
  const messages = there.page.getByRole('alert').getByRole('listitem')
  await eventually(() => messages.allTextContents()).toEqual([SERVER_ERROR])
  expect(await there.valueOf('Name')).toBe('A better mug')
  await restore()
  await there.press('button', 'Update listing')
  await there.arrives('/your-listings')
  await there.one('heading', 'A better mug').waitFor()
})

test('a listing that cannot be deleted is only logged', async () => {
  const seller = await shop.signUp('seller')
  await shop.list(seller)
  const there = await visit(shop, 'with scripts', {
    signedInAs: seller,
    expects: [/status of 500/, /not deleted/],
  })
  await there.go('/your-listings')
  const pageText = () => there.page.locator('.your-listings > ul').textContent()
  const before = await pageText()
  await there.press('button', 'Delete Speckled mug')
  await there.dialog('Confirm Delete')
  await lose('products')
  const logged = there.page.waitForEvent('console', message => message.text().includes('was not deleted'))
  await there.press('button', 'Yes (Delete Product)')
  expect((await logged).type()).toBe('warning')
  expect(await there.page.getByRole('alert').count()).toBe(0)
  await there.missing('Confirm Delete')
  await there.one('heading', 'Speckled mug').waitFor()
  expect(await pageText()).toBe(before)
})

test('errors of a listing from the server are listed above the form', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller)
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects: [/status of 400/] })
  const errors = ['Name is taken', 'Stock is counted']
  await there.page.route('**/api/products/**', route =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 400, json: { message: errors[0], errors } }),
  )
  const messages = there.page.getByRole('alert').getByRole('listitem')
  await there.go(`/products/${mug.id}/edit`)
  await there.press('button', 'Update listing')
  await eventually(() => messages.allTextContents()).toEqual(errors)
  await there.go('/products/new')
  await fillListing(there, aMug)
  await there.pick('Photos and video', await picture())
  await there.press('button', 'Add a listing')
  await eventually(() => messages.allTextContents()).toEqual(errors)
})

test('a response without a message shows as an error', async () => {
  const author = await shop.signUp('author')
  const mug = await shop.list(author)
  await author.post(`/api/reviews/${mug.id}/create-review`, { review: 'A fine mug.', stars: 4 })
  const there = await visit(shop, 'with scripts', { signedInAs: author, expects: [/status of 418/] })
  await there.go(`/products/${mug.id}/edit-review`)
  await there.page.route('**/edit-review/', route => route.fulfill({ status: 418, body: 'a teapot' }))
  await there.press('button', 'Leave Review')
  await there.sees('An error occurred')
})
