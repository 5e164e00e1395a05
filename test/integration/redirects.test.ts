import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../support/person.ts'
import { type Answer, aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const picture = sharp({ create: { width: 80, height: 60, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
  .then(bytes => new Uint8Array(bytes))

const urlencoded = (person: Person, url: string, fields: Record<string, string>): Promise<Answer> =>
  person.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: new URLSearchParams(fields).toString(),
  })

async function multipart(person: Person, url: string, fields: Record<string, string>): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new File([await picture], 'mug.png', { type: 'image/png' }))
  const encoded = new Response(form)
  return person.send({
    method: 'POST',
    url,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', accept: 'text/html' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}

/** Text, field values and filled hearts of a page. */
const textOf = ({ body }: Answer): string =>
  String(body)
    .replace(/<head>.*<\/head>|<script.*?<\/script>|<!--.*?-->/gs, '')
    .replace(/<[^>]*aria-pressed="true"[^>]*>/g, ' (pressed) ')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&amp;', '&')
    .replace(/\n\s*/g, '\n')
const expectText = (page: Answer, text: string) =>
  expect(textOf(page).includes(text), `${text} in ${textOf(page)}`).toBe(true)
const expectNoText = (page: Answer, text: string) => expect(textOf(page).includes(text), text).toBe(false)

/** A buyer, a seller, and the rows that the forms need. */
async function people() {
  const maker = await shop.signUp('maker')
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(maker, { name: 'Speckled mug', price: 10, stock: 9 })
  const page = `/products/${mug.id}`
  const review = { review: 'Holds tea.', stars: 5 }
  return {
    maker,
    shopper,
    mug,
    page,
    put: async () => (await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })).body.id,
    create: async () => (await shopper.post(`/api/reviews/${mug.id}/create-review`, review)).body.id,
  }
}
type People = Awaited<ReturnType<typeof people>>

/** A seller's profile. */
async function profileOf(maker: Person): Promise<{ words: string; place: string }> {
  const { words, place } = (await maker.get(`/api/shops/${maker.user.username}`)).body
  return { words, place }
}

/** A form as a browser without scripts sends it, and its result. */
interface Form {
  sends: (all: People) => Promise<[person: Person, answer: Answer]>
  /** Where it redirects; `P` is the product id. */
  to: string
  /** Text on that page. */
  shows: string
}

const typed = { ...aMug, name: 'Sage vase', price: '12.50', stock: '3' }

/** By the file of the action. */
const forms: Record<string, Form> = {
  'login: log in': {
    async sends({ shopper }) {
      const visitor = shop.visitor()
      const fields = { email: shopper.user.email, password: PASSWORD }
      return [visitor, await urlencoded(visitor, '/login?next=%2Forders%2Fview', fields)]
    },
    to: '/orders/view',
    shows: 'Log Out',
  },
  'signup: sign up': {
    async sends() {
      const visitor = shop.visitor()
      const names = { email: 'vera@example.com', first_name: 'Vera', last_name: 'Potter', username: 'vera' }
      const passwords = { password: PASSWORD, confirm_password: PASSWORD }
      return [visitor, await urlencoded(visitor, '/signup', { ...names, ...passwords })]
    },
    to: '/',
    shows: 'vera@example.com',
  },
  'security: change the password': {
    async sends({ shopper }) {
      const passwords = {
        current_password: PASSWORD,
        new_password: 'secret-2',
        confirm_password: 'secret-2',
      }
      return [shopper, await urlencoded(shopper, '/settings/security', { intent: 'password', ...passwords })]
    },
    to: '/settings/security?changed',
    shows: 'Your password is changed',
  },
  'security: log out a device': {
    async sends({ shopper }) {
      await shop.visitor().post('/api/auth/login', { email: shopper.user.email, password: PASSWORD })
      const { sessions } = (await shopper.get('/api/auth/sessions')).body
      const id = String(sessions.find(({ current }: { current: boolean }) => !current).id)
      return [shopper, await urlencoded(shopper, '/settings/security', { intent: 'end', id })]
    },
    to: '/settings/security?done=ended',
    shows: 'That device is logged out',
  },
  'security: log out everywhere': {
    sends: async ({ shopper }) => [
      shopper,
      await urlencoded(shopper, '/settings/security', { intent: 'end-all' }),
    ],
    to: '/',
    shows: 'Log In',
  },
  'shopSettings: save the settings of a shop': {
    sends: async ({ maker }) => [
      maker,
      await multipart(maker, '/settings/shop', { words: 'Round.', place: '' }),
    ],
    to: '/settings/shop?done=saved',
    shows: '\nSaved\n',
  },
  'shopSettings: remove the picture of a shop': {
    sends: async ({ maker }) => [
      maker,
      await multipart(maker, '/settings/shop', { ...(await profileOf(maker)), intent: 'remove' }),
    ],
    to: '/settings/shop?done=removed',
    shows: 'Picture removed',
  },
  'newListing: add a listing': {
    sends: async ({ maker }) => [maker, await multipart(maker, '/products/new', { ...typed, key: 'new' })],
    to: '/your-listings?done=added',
    shows: 'Saved. Your new piece is on top',
  },
  'editListing: edit a listing': {
    sends: async ({ maker, page }) => [maker, await multipart(maker, `${page}/edit`, typed)],
    to: '/your-listings?done=saved',
    shows: 'Your changes are saved',
  },
  'yourListings: delete a listing': {
    sends: async ({ maker, mug }) => [
      maker,
      await urlencoded(maker, '/your-listings', { id: String(mug.id) }),
    ],
    to: '/your-listings',
    shows: 'No listings found.',
  },
  'favourites: fill a heart': {
    sends: async ({ shopper, mug, page }) => [
      shopper,
      await urlencoded(shopper, '/favourites', { id: String(mug.id), back: page, saved: 'yes' }),
    ],
    to: '/products/P',
    shows: '(pressed)',
  },
  'favourites: fill a heart of a page that does not say which it is': {
    sends: async ({ shopper, mug }) => [
      shopper,
      await urlencoded(shopper, '/favourites', { id: String(mug.id), saved: 'yes' }),
    ],
    to: '/favourites',
    shows: 'Speckled mug',
  },
  'product: add to the cart': {
    sends: async ({ shopper, page }) => [shopper, await urlencoded(shopper, page, { quantity: '2' })],
    to: '/products/P?done=added',
    shows: 'Item added to cart!',
  },
  'cart: choose quantities': {
    async sends({ shopper, put }) {
      const line = await put()
      const fields = { intent: 'quantities', [`quantity-${line}`]: '3' }
      return [shopper, await urlencoded(shopper, '/cart', fields)]
    },
    to: '/cart',
    shows: 'Total Price: $30.00',
  },
  'cart: take what is left of one line': {
    async sends({ shopper, put }) {
      const fields = { intent: 'update', id: String(await put()), quantity: '2' }
      return [shopper, await urlencoded(shopper, '/cart?checkout=yes', fields)]
    },
    to: '/cart?checkout=yes',
    shows: 'Total Price: $20.00',
  },
  'cart: remove from the cart': {
    sends: async ({ shopper, put }) => [
      shopper,
      await urlencoded(shopper, '/cart', { intent: 'remove', id: String(await put()) }),
    ],
    to: '/cart?done=removed',
    shows: 'Item was removed from your cart',
  },
  'cart: remove from the cart what can be put back': {
    async sends({ shopper, put, mug }) {
      const fields = { intent: 'remove', id: String(await put()), undo: `${mug.id}x1` }
      const answer = await urlencoded(shopper, '/cart', fields)
      expect(answer.headers.location).toBe(`/cart?done=removed&undo=${mug.id}x1`)
      return [shopper, await urlencoded(shopper, '/cart', { intent: 'undo', undo: `${mug.id}x2` })]
    },
    to: '/cart',
    shows: 'Total Price: $20.00',
  },
  'cart: proceed to checkout with a quantity that was chosen': {
    async sends({ shopper, put }) {
      const fields = { intent: 'proceed', [`quantity-${await put()}`]: '3' }
      return [shopper, await urlencoded(shopper, '/cart', fields)]
    },
    to: '/cart?checkout=yes',
    shows: '3 × Speckled mug',
  },
  'cart: place an order': {
    async sends({ shopper, put }) {
      await put()
      return [shopper, await urlencoded(shopper, '/cart?checkout=yes', { intent: 'checkout', key: 'once' })]
    },
    to: '/orders/view',
    shows: 'Product Not Shipped Yet',
  },
  'cancelOrder: cancel an order': {
    async sends({ shopper, put }) {
      await put()
      const { id } = (await shopper.post('/api/orders/checkout')).body
      return [shopper, await urlencoded(shopper, `/orders/${id}/delete-order`, {})]
    },
    to: '/orders/view',
    shows: 'No orders',
  },
  'createReview: leave a review': {
    sends: async ({ shopper, page }) => [
      shopper,
      await urlencoded(shopper, `${page}/create-review`, { review: 'Holds tea.', stars: '5' }),
    ],
    to: '/products/P?done=reviewed',
    shows: 'Thank you. Your review is here',
  },
  'editReview: edit a review': {
    async sends({ shopper, page, create }) {
      await create()
      const fields = { review: 'Holds soup.', stars: '4' }
      return [shopper, await urlencoded(shopper, `${page}/edit-review`, fields)]
    },
    to: '/products/P',
    shows: 'Holds soup.',
  },
  'deleteReview: delete a review': {
    async sends({ shopper, page, create }) {
      await create()
      return [shopper, await urlencoded(shopper, `${page}/delete-review`, {})]
    },
    to: '/products/P',
    shows: 'No reviews yet',
  },
  'reply: reply to a review': {
    async sends({ maker, page, create }) {
      const id = await create()
      return [maker, await urlencoded(maker, `${page}/reply?review=${id}`, { reply: 'Thank you.' })]
    },
    to: '/products/P#reviews',
    shows: 'Thank you.',
  },
  'reply: take a reply back': {
    async sends({ maker, page, create }) {
      const id = await create()
      await maker.put(`/api/reviews/${id}/reply`, { reply: 'Thank you.' })
      return [maker, await urlencoded(maker, `${page}/reply?review=${id}`, { intent: 'delete' })]
    },
    to: '/products/P#reviews',
    shows: 'Holds tea.',
  },
}

test.each(Object.entries(forms))('without scripts, a form redirects after its post: %s', async (_, form) => {
  const all = await people()
  const [person, { status, headers }] = await form.sends(all)
  const location = String(headers.location)
  expect([status, location]).toEqual([303, form.to.replace('P', String(all.mug.id))])
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
  const inTable = new Set(Object.keys(forms).map(name => name.split(':')[0]))
  expect([...inTable].sort()).toEqual(actions.map(file => basename(file, '.route.ts')).sort())
})

test('unsaved text returns with the response when the picture is removed', async () => {
  const { maker } = await people()
  const fields = { words: 'Not saved', place: '', intent: 'remove' }
  const answer = await multipart(maker, '/settings/shop', fields)
  expect(answer.status).toBe(200)
  expectText(answer, 'Picture removed')
  expectText(answer, 'Not saved')
})

test('a flash message appears once, and only known names', async () => {
  const { shopper, page } = await people()
  expectNoText(await shop.visitor().get(`${page}?done=added`), 'Item added to cart!')
  for (const done of ['toString', 'removed', '%3Cb%3Ehello']) {
    const { status, body } = await shopper.get(`${page}?done=${done}`)
    expect([status, /class="success"/.test(body)]).toEqual([200, false])
  }
})

test('the cart’s page ignores a quantity below 1', async () => {
  const { shopper, put } = await people()
  const line = await put()
  const tried = [
    { intent: 'update', id: String(line), quantity: '0' },
    { intent: 'quantities', [`quantity-${line}`]: '-1' },
  ]
  for (const fields of tried) {
    const { status, headers } = await urlencoded(shopper, '/cart', fields)
    expect([status, headers.location]).toEqual([303, '/cart'])
  }
  const cart = await shopper.get('/cart')
  expectText(cart, 'Total Price: $10.00')
  expectNoText(cart, 'Quantity must be')
  expect((await shopper.put(`/api/cart_items/${line}`, { quantity: 0 })).status).toBe(400)
})

test('refused quantities leave the cart unchanged, each with its reason', async () => {
  const { shopper, maker, put } = await people()
  const vase = await shop.list(maker, { name: 'Sage vase', price: 1, stock: 2 })
  const lines = [await put(), (await shopper.post(`/api/cart_items/add/${vase.id}`, { quantity: 1 })).body.id]
  const fields = { intent: 'proceed', [`quantity-${lines[0]}`]: '10', [`quantity-${lines[1]}`]: '3' }
  const answer = await urlencoded(shopper, '/cart', fields)
  expect(answer.status).toBe(409)
  expectText(answer, 'Only 9 of Speckled mug left in stock')
  expectText(answer, 'Only 2 of Sage vase left in stock')
  expectText(answer, 'Total Price: $11.00')
})

test.each([
  ['signed in', 'Failed to add item to cart.'],
  ['as a visitor', 'Please login to add items to cart.'],
])('without scripts, a refused add shows its reason: %s', async (viewer, message) => {
  const { shopper, maker, mug, page } = await people()
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
  const { shopper, maker, put } = await people()
  await put()
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const cancelPages = (person: Person, order: unknown) =>
    Promise.all([
      person.get(`/orders/${order}/delete-order`, { accept: 'text/html' }),
      urlencoded(person, `/orders/${order}/delete-order`, {}),
    ])
  for (const answers of [
    await cancelPages(maker, id),
    await cancelPages(shopper, 999_999_999),
    await cancelPages(shopper, 'x'),
  ])
    for (const page of answers) {
      expect(page.status).toBe(404)
      expectText(page, '404 – Page not found')
      expectNoText(page, 'Are you sure you want to cancel?')
    }
  await shopper.delete(`/api/orders/${id}/delete-order`)
  for (const page of await cancelPages(shopper, id)) {
    expect(page.status).toBe(409)
    expectText(page, 'Only an order that is Pending can be cancelled')
  }
})

test.each([
  ['/login', { email: 'nobody@example.com', password: 'wrong-one' }],
  ['/signup', { email: 'not one', password: 'secret-1', confirm_password: 'secret-2' }],
])('after a refused %s, `next` is kept', async (address, fields) => {
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
