import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EMPTY_DETAILS } from '#products/form-details.ts'
import { fillListing } from '../support/browser/listing-form.ts'
import { eventually, picture, type Visit, visit } from '../support/browser/steps.ts'
import { aMug, openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Waits for the call that this work makes. @returns its body and content type */
async function callOf(there: Visit, key: string, work: () => Promise<unknown>) {
  const [method = '', path = ''] = key.split(' ')
  const isIt = (request: Request) => request.method() === method && new URL(request.url()).pathname === path
  const [request] = await Promise.all([there.page.waitForRequest(isIt), work()])
  const type = request.headers()['content-type'] ?? null
  const body = type === 'application/json' ? JSON.parse(request.postData() ?? 'null') : request.postData()
  return { type, body }
}

const json = (body: unknown) => ({ type: 'application/json', body })
const bodiless = { type: null, body: null }

test('accounts: what the pages send', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/signup')
  const fields = { Email: 'nina@example.com', 'First Name': 'Nina', 'Last Name': 'Carver', Username: 'nina' }
  for (const [label, value] of Object.entries(fields)) await there.fill(label, value)
  for (const label of ['Password', 'Confirm Password']) await there.fill(label, 'secret-1')
  const signup = await callOf(there, 'POST /api/auth/signup', () => there.press('button', 'Sign Up'))
  const [email, first_name, last_name, username] = Object.values(fields)
  expect(signup).toEqual(json({ email, first_name, last_name, username, password: 'secret-1' }))
  await there.arrives('/')
  await there.openMenu()
  const logout = await callOf(there, 'GET /api/auth/logout', () => there.press('link', 'Log Out'))
  expect(logout).toEqual(bodiless)
  await there.one('link', '+ Add a product listing').waitFor({ state: 'hidden' })
  await there.go('/login')
  for (const [label, value] of [['Email', email] as const, ['Password', 'secret-1'] as const])
    await there.fill(label, String(value))
  const login = await callOf(there, 'POST /api/auth/login', () => there.press('button', 'Log In'))
  expect(login).toEqual(json({ email, password: 'secret-1' }))
  await there.arrives('/')
})

test('listings: what the pages send', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/products/new')
  const mug = { ...aMug, name: 'Mug', stock: 7 }
  await fillListing(there, mug)
  await there.pick('Photos and video', await picture())
  const sent = there.page.waitForRequest(request => request.url().endsWith('/images'))
  const added = await callOf(there, 'POST /api/products/', () => there.press('button', 'Add a listing'))
  const delivery = { postage_profile_id: null, made_to_order: false, handling_days: 3 }
  expect(added).toEqual(json({ ...mug, ...EMPTY_DETAILS, ...delivery }))
  expect((await sent).method()).toBe('POST')
  expect((await sent).headers()['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  await there.arrives('/your-listings')
  const { id } = (await seller.get('/api/products/current')).body.products[0]
  expect(new URL((await sent).url()).pathname).toBe(`/api/products/${id}/images`)

  await there.press('link', 'Edit Mug')
  await there.heading('Update your product details')
  await there.fill('Stock', '8')
  const save = () => there.press('button', 'Update listing')
  expect(await callOf(there, `PUT /api/products/${id}`, save)).toEqual(
    json({ id, ...mug, ...EMPTY_DETAILS, ...delivery, stock: 8, stock_shown: 7 }),
  )
  await there.press('button', 'Delete Mug')
  const remove = () => there.press('button', 'Yes (Delete Product)')
  expect(await callOf(there, `DELETE /api/products/${id}`, remove)).toEqual(bodiless)
})

test('cart and orders: what the pages send', async () => {
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Mug' })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go(`/products/${mug.id}`)
  await there.choose('Quantity', '2')
  const put = () => there.press('button', 'Add to cart')
  expect(await callOf(there, `POST /api/cart_items/add/${mug.id}`, put)).toEqual(json({ quantity: 2 }))
  await there.sees('Item added to cart!')
  const cart = `/api/cart_items/${shopper.user.id}`
  expect(await callOf(there, `GET ${cart}`, () => there.openCart())).toEqual(bodiless)
  const { id } = (await shopper.get(cart)).body.cart_items[0]
  const change = () => there.choose('Quantity of Mug', '3')
  expect(await callOf(there, `PUT /api/cart_items/${id}`, change)).toEqual(json({ quantity: 3 }))
  await there.sees('Total Price: $73.50')
  const remove = () => there.press('button', 'Remove Mug')
  expect(await callOf(there, `DELETE /api/cart_items/${id}`, remove)).toEqual(bodiless)
  await there.sees('Your cart is empty')
  // The page updates optimistically; wait for the server.
  await eventually(async () => (await shopper.get(cart)).body.cart_items).toEqual([])

  await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  await there.go('/cart')
  await there.press('button', 'Proceed to checkout')
  const order = () => there.press('button', 'Yes (place order)')
  expect(await callOf(there, 'POST /api/orders/checkout', order)).toEqual(json(null))
  await there.arrives('/orders/view')
  const placed = (await shopper.get('/api/orders/')).body[0].id
  await there.press('button', `Cancel Order #${placed}`)
  await there.dialog('Are you sure you want to cancel?')
  const requested = there.page.waitForRequest(request => request.url().endsWith(`/api/orders/?id=${placed}`))
  const cancel = () => there.press('button', 'Yes')
  expect(await callOf(there, `DELETE /api/orders/${placed}/delete-order`, cancel)).toEqual(bodiless)
  expect((await requested).method()).toBe('GET')
  await there.sees('No orders')
})

test('reviews: what the pages send', async () => {
  const author = await shop.signUp('author')
  const mug = await shop.list(await shop.signUp('seller'))
  const there = await visit(shop, 'with scripts', { signedInAs: author })
  const write = async (text: string, stars: string) => {
    await there.choose('Stars', stars)
    await there.fill('What did you think of this product?', text)
  }
  await there.go(`/products/${mug.id}/create-review`)
  await write('A fine mug.', '4')
  const submit = () => there.press('button', 'Leave Review')
  const created = await callOf(there, `POST /api/reviews/${mug.id}/create-review`, submit)
  expect(created).toEqual(json({ review: 'A fine mug.', stars: 4 }))
  await there.sees('A fine mug.')
  const reviews = `GET /api/reviews/${mug.id}/reviews`
  const edit = () => there.press('button', 'Edit Review')
  expect(await callOf(there, reviews, edit)).toEqual(bodiless)
  await there.dialog('Edit your review')
  await write('A very fine mug.', '5')
  const edited = await callOf(there, `POST /api/reviews/${mug.id}/edit-review/`, submit)
  expect(edited).toEqual(json({ review: 'A very fine mug.', stars: 5 }))
  await there.press('button', 'Delete Review')
  const remove = () => there.press('button', 'Yes')
  expect(await callOf(there, `DELETE /api/reviews/${mug.id}/delete-review`, remove)).toEqual(bodiless)
  await there.sees('No reviews yet')
})
