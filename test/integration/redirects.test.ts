import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { people } from '../support/form-people.ts'
import { expectNoText, expectText, multipart, urlencoded } from '../support/form-posts.ts'
import { forms } from '../support/posted-forms.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

/** Programs send this form, which follow no redirect (RFC 8058): see unsubscribe-links.test.ts. */
const WITHOUT_REDIRECT = ['lettersOff']

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test.each(Object.entries(forms))('without scripts, a form redirects after its post: %s', async (_, form) => {
  const all = await people(shop)
  const [person, { status, headers }] = await form.sends(all)
  const location = String(headers.location)
  const order = form.to.includes('O') ? (await all.shopper.get('/api/orders/all')).body.orders[0].id : ''
  const conversation = form.to.includes('C')
    ? (await all.shopper.get('/api/messages/')).body.conversations[0].id
    : ''
  const to = form.to
    .replace('P', String(all.mug.id))
    .replace('O', String(order))
    .replace('C', String(conversation))
  expect([status, location]).toEqual([303, to])
  const page = await person.get(location.split('#')[0] ?? '', { accept: 'text/html' })
  expect(page.status).toBe(200)
  expectText(page, form.shows)
})

test('every action is in the table', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.route.ts'),
  )
  const actions = files.filter(file =>
    /^export async function action\b/m.test(readFileSync(join(src, file), 'utf8')),
  )
  const inTable = new Set([...Object.keys(forms).map(name => name.split(':')[0]), ...WITHOUT_REDIRECT])
  expect([...inTable].sort()).toEqual(actions.map(file => basename(file, '.route.ts')).sort())
})

test('unsaved text returns with the response when the picture is removed', async () => {
  const { maker } = await people(shop)
  const fields = { words: 'Not saved', place: '', intent: 'remove' }
  const response = await multipart(maker, '/settings/shop', fields)
  expect(response.status).toBe(200)
  expectText(response, 'Picture removed')
  expectText(response, 'Not saved')
  const page = await multipart(maker, '/settings/policies', { returns: 'Not saved', intent: 'remove' })
  expect(page.status).toBe(200)
  expectText(page, 'Photo removed')
  expectText(page, 'Not saved')
})

test('a flash message appears once, and only known names', async () => {
  const { shopper, page } = await people(shop)
  expectNoText(await shop.visitor().get(`${page}?done=added`), 'Item added to cart!')
  for (const done of ['toString', 'removed', '%3Cb%3Ehello']) {
    const { status, body } = await shopper.get(`${page}?done=${done}`)
    expect([status, /class="success"/.test(body)]).toEqual([200, false])
  }
})

test('the cart’s page ignores a quantity below 1', async () => {
  const { shopper, put } = await people(shop)
  const line = await put()
  const tried = [
    { fields: { intent: 'update', id: String(line), quantity: '0' }, to: '/cart' },
    // The others of the form are saved.
    { fields: { intent: 'quantities', [`quantity-${line}`]: '-1' }, to: '/cart?done=saved' },
  ]
  for (const { fields, to } of tried) {
    const { status, headers } = await urlencoded(shopper, '/cart', fields)
    expect([status, headers.location]).toEqual([303, to])
  }
  const cart = await shopper.get('/cart')
  expectText(cart, 'Total Price: $10.00')
  expectNoText(cart, 'Quantity must be')
  expect((await shopper.put(`/api/cart_items/${line}`, { quantity: 0 })).status).toBe(400)
})

test('refused quantities leave the cart unchanged, each with its reason', async () => {
  const { shopper, maker, put } = await people(shop)
  const vase = await shop.list(maker, { name: 'Sage vase', price: 1, stock: 2 })
  const lines = [await put(), (await shopper.post(`/api/cart_items/add/${vase.id}`, { quantity: 1 })).body.id]
  const fields = { intent: 'proceed', [`quantity-${lines[0]}`]: '10', [`quantity-${lines[1]}`]: '3' }
  const response = await urlencoded(shopper, '/cart', fields)
  expect(response.status).toBe(409)
  expectText(response, 'Only 9 of Speckled mug left in stock')
  expectText(response, 'Only 2 of Sage vase left in stock')
  expectText(response, 'Total Price: $11.00')
})

test.each([
  ['signed in', 'Failed to add item to cart.'],
  ['as a visitor', 'Please login to add items to cart.'],
])('without scripts, a refused add shows its reason: %s', async (viewer, message) => {
  const { shopper, maker, mug, page } = await people(shop)
  const person = viewer === 'signed in' ? shopper : shop.visitor()
  await shop.correctStock(mug.id, -9)
  const soldOut = await urlencoded(person, page, { quantity: '1' })
  expect(soldOut.status).toBe(viewer === 'signed in' ? 409 : 401)
  expectText(soldOut, 'Speckled mug is sold out.')
  expectText(soldOut, message)
  await maker.delete(`/api/products/${mug.id}`)
  const missing = await urlencoded(person, page, { quantity: '1' })
  expect(missing.status).toBe(404)
  expectText(missing, '404 – Page not found')
  expectText(missing, message)
})

test('the page that cancels an order exists only for its user', async () => {
  const { shopper, maker, put } = await people(shop)
  await put()
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const cancelPages = (person: Person, order: unknown) =>
    Promise.all([
      person.get(`/orders/${order}/delete-order`, { accept: 'text/html' }),
      urlencoded(person, `/orders/${order}/delete-order`, {}),
    ])
  for (const responses of [
    await cancelPages(maker, id),
    await cancelPages(shopper, 999_999_999),
    await cancelPages(shopper, 'x'),
  ])
    for (const page of responses) {
      expect(page.status).toBe(404)
      expectText(page, '404 – Page not found')
      expectNoText(page, 'Are you sure you want to cancel?')
    }
  await shopper.delete(`/api/orders/${id}/delete-order`)
  const [page, again] = await cancelPages(shopper, id)
  expect(page?.status).toBe(409)
  if (page) expectText(page, 'Only an order that is Pending can be cancelled')
  // Cancelled already is a success.
  expect(again).toMatchObject({ status: 303, headers: { location: '/orders/view?done=cancelled' } })
})

test.each([
  ['/login', { email: 'nobody@example.com', password: 'wrong-one' }],
  ['/signup', { email: 'not one', password: 'secret-1', confirm_password: 'secret-2' }],
])('a refused %s keeps `next`', async (address, fields) => {
  const next = '/cart?add=7&quantity=2'
  const visitor = shop.visitor()
  const { body: form } = await visitor.get(`${address}?next=${encodeURIComponent(next)}`)
  const action = (html: string) => /<main.*?<form[^>]*action="([^"]+)"/s.exec(html)?.[1]
  expect(action(form)).toBe(`${address}?next=${encodeURIComponent(next)}`)
  const { status, body } = await urlencoded(visitor, String(action(form)), fields)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(action(body)).toBe(action(form))
  const other = address === '/login' ? '/signup' : '/login'
  expect(body.includes(`href="${other}?next=${encodeURIComponent(next)}"`)).toBe(true)
})

test('a rate-limited form is refused with the time to wait, as its call is', async () => {
  const other = await openShop({ settings: { LIMITS: 'on', LIMIT_ORDERS: '1' } })
  try {
    const shopper = await other.signUp('shopper')
    const { id } = await other.list(await other.signUp('maker'))
    const checkout = async (key: string) => {
      await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
      return urlencoded(shopper, '/cart?checkout=yes', { intent: 'checkout', key })
    }
    expect((await checkout('first')).status).toBe(303)
    const refused = await checkout('second')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expectText(refused, 'Too many tries. Please wait')
  } finally {
    await other.close()
  }
})
