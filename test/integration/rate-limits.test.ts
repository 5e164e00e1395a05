import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { countStatuses, expectLimited, times } from '../support/expect.ts'
import { aMug, openShop, type Person, type TestResponse, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  const lowLimits = { LIMIT_LISTINGS: '2', LIMIT_UPLOADS: '2', LIMIT_REVIEWS: '2' }
  shop = await openShop({ settings: { LIMITS: 'on', ...lowLimits } })
})
afterAll(() => shop.close())

/** A shop with other limits, for one test. */
async function withLimits(settings: Record<string, string>, work: (shop: TestShop) => Promise<void>) {
  const other = await openShop({ settings: { LIMITS: 'on', ...settings } })
  try {
    await work(other)
  } finally {
    await other.close()
  }
}

function aPerson() {
  const username = `new-${randomUUID().slice(0, 8)}`
  return {
    email: `${username}@example.com`,
    username,
    first_name: 'Ana',
    last_name: 'Weaver',
    password: 'secret-1',
  }
}

test('signups and logins are counted per address', () =>
  withLimits({ LIMIT_SIGNUPS: '2', LIMIT_LOGINS: '2', TRUST_PROXY: '1' }, async shop => {
    const from = (address: string, url: string, body: object) =>
      shop.visitor().post(url, body, { 'x-forwarded-for': address })
    const login = { email: 'nobody@example.com', password: 'wrong-1' }
    for (const [url, payload, status] of [
      ['/api/auth/signup', aPerson, 201],
      ['/api/auth/login', () => login, 401],
    ] as const) {
      expect((await from('10.0.0.1', url, payload())).status).toBe(status)
      expect((await from('10.0.0.1', url, payload())).status).toBe(status)
      expectLimited(await from('10.0.0.1', url, payload()), 'fields', 3600)
      expect((await from('10.0.0.2', url, payload())).status).toBe(status)
    }
  }))

const claim = (shop: TestShop, addresses: string) =>
  shop.visitor().post('/api/auth/signup', aPerson(), { 'x-forwarded-for': addresses })

test('X-Forwarded-For counts only behind a trusted proxy', () =>
  withLimits({ LIMIT_SIGNUPS: '2' }, async shop => {
    const responses = [
      await claim(shop, '10.0.0.1'),
      await claim(shop, '10.0.0.2'),
      await claim(shop, '10.0.0.3'),
    ]
    expect(countStatuses(responses)).toEqual({ 201: 2, 429: 1 })
  }))

test('behind one trusted proxy the address is the one it saw', () =>
  withLimits({ LIMIT_SIGNUPS: '2', TRUST_PROXY: '1' }, async shop => {
    for (const forged of ['1.1.1.1', '2.2.2.2'])
      expect((await claim(shop, `${forged}, 10.0.0.1`)).status).toBe(201)
    expect((await claim(shop, '3.3.3.3, 10.0.0.1')).status).toBe(429)
    expect((await claim(shop, '3.3.3.3, 10.0.0.2')).status).toBe(201)
  }))

test('an IPv6 network counts as one address', () =>
  withLimits({ LIMIT_SIGNUPS: '2', TRUST_PROXY: '1' }, async shop => {
    const from = async (address: string) => (await claim(shop, address)).status
    expect(await from('2001:db8:0:1::1')).toBe(201)
    expect(await from('2001:db8:0:1:a:b:c:d')).toBe(201)
    expect(await from('2001:db8:0:1::2')).toBe(429)
    expect(await from('2001:db8:0:2::2')).toBe(201)
  }))

test('listings, photos and reviews are counted per user', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const calls: ((person: Person, mug: number) => Promise<TestResponse>)[] = [
    person => person.post('/api/products/', aMug),
    (person, mug) => person.upload(`/api/products/${mug}/images`, Buffer.from('no picture')),
    (person, mug) => person.post(`/api/reviews/${mug}/edit-review`, { review: 'Fine', stars: 3 }),
  ]
  const [anas, bens] = [await shop.list(ana), await shop.list(ben)]
  await shop.db.deleteFrom('rate_limits').execute()
  for (const call of calls) {
    for (let n = 0; n < 2; n++) expect((await call(ana, anas.id)).status).not.toBe(429)
    expectLimited(await call(ana, anas.id), 'list', 3600)
    expect((await call(ben, bens.id)).status).not.toBe(429)
  }
})

test('orders, changes of the cart and of favourites, and public changes are counted too', () => {
  const lowLimits = { LIMIT_ORDERS: '4', LIMIT_CART: '4', LIMIT_FAVOURITES: '4', LIMIT_CHANGES: '4' }
  return withLimits(lowLimits, async shop => {
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller, { stock: 1000 })
    const calls: Record<string, (person: Person) => Promise<TestResponse>> = {
      add: person => person.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 }),
      'set quantity': person => person.put('/api/cart_items/1', { quantity: 1 }),
      'remove a line': person => person.delete('/api/cart_items/1'),
      'check out': person => person.post('/api/orders/checkout'),
      cancel: person => person.delete('/api/orders/1/delete-order'),
      save: person => person.put(`/api/favourites/${mug.id}`),
      forget: person => person.delete(`/api/favourites/${mug.id}`),
      'edit a listing': person => person.put(`/api/products/${mug.id}`, mug),
      'delete a listing': person => person.delete('/api/products/1'),
      'shop page': person => person.put(`/api/shops/${person.user.username}`, { words: 'Hello', place: '' }),
      'shop picture': person => person.delete(`/api/shops/${person.user.username}/picture`),
      'delete a review': person => person.delete('/api/reviews/1/delete-review'),
      'delete a reply': person => person.delete('/api/reviews/1/reply'),
    }
    for (const [name, call] of Object.entries(calls)) {
      const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
      for (let n = 0; n < 4; n++) expect((await call(ana)).status, name).not.toBe(429)
      expectLimited(await call(ana), 'list', 3600)
      expect((await call(ben)).status, name).not.toBe(429)
    }
    // A raise counts once, and a refused add is not counted.
    const cleo = await shop.signUp('cleo')
    for (let n = 1; n <= 4; n++) expect((await calls.add!(cleo)).body.quantity).toBe(n)
    expectLimited(await calls.add!(cleo), 'list', 3600)
    const [line] = (await cleo.get(`/api/cart_items/${cleo.user.id}`)).body.cart_items
    expect(line.quantity).toBe(4)
  })
})

test('reads are not counted, and the limit of orders is far above normal use', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { stock: 100 })
  for (let n = 0; n < 5; n++) {
    const paths = [
      '/api/auth/',
      '/api/products/',
      `/api/products/${id}`,
      `/api/reviews/${id}/reviews`,
      '/api/orders/',
    ]
    for (const path of paths) expect((await ana.get(path)).status).toBe(200)
    expect((await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })).status).toBe(201)
    expect((await ana.post('/api/orders/checkout')).status).toBe(201)
  }
})

test('switched off, nothing is limited', () =>
  withLimits({ LIMITS: 'off', LIMIT_GUESSES: '1', LIMIT_LISTINGS: '1', LIMIT_SIGNUPS: '1' }, async shop => {
    const ana = await shop.signUp('ana')
    await shop.signUp('ben')
    const login = (email: string) => shop.visitor().post('/api/auth/login', { email, password: 'wrong-1' })
    const responses = await times(15, () => login(ana.user.email))
    expect(countStatuses(responses)).toEqual({ 401: 15 })
    expect(countStatuses(await times(15, () => ana.post('/api/products/', aMug)))).toEqual({ 201: 15 })
    // No user is counted, only the hour in which the shop has cleaned up.
    expect(await shop.rows(`select * from rate_limits`)).toEqual([])
  }))

test('by default limits are on, and allow a whole craft fair behind one address', () => {
  const { limits } = readConfig({})
  expect(limits?.signups).toBeGreaterThanOrEqual(200)
  expect(limits?.logins).toBeGreaterThanOrEqual(1000)
  expect(readConfig({ LIMITS: 'off' }).limits).toBeUndefined()
})
