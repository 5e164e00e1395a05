import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFields, expectRefusal } from '../support/expect.ts'
import { everyCall, isRead, openWorld, stateOf, type World } from '../support/fixtures.ts'
import { operateKeys } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
let world: World
beforeAll(async () => {
  shop = await openShop()
  world = await openWorld(shop)
})
afterAll(() => shop.close())

const REFUSED = 'Requests from another site are not accepted'
const changing = Object.keys(everyCall).filter(key => !isRead(key))
const reading = Object.keys(everyCall).filter(isRead)

/** Headers of a request from another site. */
const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80', host: 'localhost:80' },
  { 'sec-fetch-site': 'anything' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example', host: 'localhost' },
  { origin: 'http://localhost:8080', host: 'localhost' },
  { referer: 'https://evil.example/?http://localhost' },
]

test.each(changing)('%s from another site is refused, and changes nothing', async key => {
  const before = await stateOf(world)
  for (const headers of foreign) {
    const response = await everyCall[key]!(world.owner, world, headers)
    if (/(login|signup)$/.test(key)) expectFields(response, 403, { server: REFUSED })
    else expectRefusal(response, 403, REFUSED)
    expect(response.headers['set-cookie']).toBeUndefined()
  }
  expect(await stateOf(world)).toEqual(before)
})

test.each(reading)('%s from another site is allowed', async key => {
  // The link in the fixture has a wrong signature, its draft and pages are not published, and the owner is no operator
  // and writes to nobody but themselves.
  const refused: Record<string, number> = {
    'GET /api/letters/off/:token': 403,
    'GET /api/drafts/:draftId/listing': 404,
    'GET /api/pages/:slug': 404,
    'GET /api/messages/to/:username': 409,
    ...Object.fromEntries(operateKeys.map(key => [key, 404])),
  }
  const status = refused[key] ?? 200
  for (const headers of foreign) {
    const response = await everyCall[key]!(world.owner, world, headers)
    expect(response.status).toBe(status)
    if (status === 403) expect(response.body.message).not.toBe(REFUSED)
  }
})

test('forms, plain texts and bodiless requests of another site are refused before they are read', async () => {
  const before = await stateOf(world)
  const types = [
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    undefined,
  ]
  for (const type of types) {
    for (const url of ['/api/orders/checkout', '/api/products/', `/api/cart_items/add/${world.listing}`]) {
      const headers = { 'sec-fetch-site': 'cross-site', ...(type ? { 'content-type': type } : {}) }
      const response = await world.owner.send({
        method: 'POST',
        url,
        headers,
        ...(type ? { payload: '{"quantity":1}' } : {}),
      })
      expectRefusal(response, 403, REFUSED)
    }
  }
  expect(await stateOf(world)).toEqual(before)
})

test.each([
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  { origin: 'http://thrum.example:3000', host: 'thrum.example:3000' },
  { referer: 'http://thrum.example/cart', host: 'thrum.example' },
  { referer: 'http://thrum.example/', host: 'thrum.example', 'upgrade-insecure-requests': '1' },
  { 'sec-fetch-site': 'none', 'upgrade-insecure-requests': '1' },
])('the own site and programs may send changes: %j', async headers => {
  const { owner } = await openWorld(shop)
  const fetchHeaders = headers as Record<string, string>
  expect((await owner.post('/api/orders/checkout', undefined, fetchHeaders)).status).toBe(201)
  expect((await owner.get('/api/auth/logout', fetchHeaders)).status).toBe(200)
})

test('behind a proxy the public address decides', async () => {
  const settings = { PUBLIC_URL: 'https://thrum.example' }
  const proxied = await openShop({ settings })
  try {
    const ana = await proxied.signUp('ana')
    const from = (origin: string) =>
      ana.post('/api/orders/checkout', undefined, { origin, host: 'localhost:3000' })
    expectRefusal(await from('https://thrum.example'), 400, 'Your cart is empty')
    expectRefusal(await from('http://localhost:3000'), 403, REFUSED)
    expectRefusal(await from('http://thrum.example'), 403, REFUSED)
  } finally {
    await proxied.close()
  }
})

test('a prefetch does not log out', async () => {
  for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
    for (const name of ['sec-purpose', 'purpose'])
      expectRefusal(await world.owner.get('/api/auth/logout', { [name]: purpose }), 403, REFUSED)
  }
  const head = await world.owner.send({
    method: 'HEAD',
    url: '/api/auth/logout',
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(head.status).toBe(405)
  expect((await world.owner.get('/api/auth/')).status).toBe(200)
})

test('a link without a referrer does not log a user out', async () => {
  // As over plain http from another site with rel=noreferrer.
  const followed = { accept: 'text/html', 'upgrade-insecure-requests': '1' }
  expectRefusal(await world.owner.get('/api/auth/logout', followed), 403, REFUSED)
  expect((await world.owner.get('/api/auth/')).status).toBe(200)
})

test('no CORS headers', async () => {
  const origin = 'https://evil.example'
  const ask = { origin, 'access-control-request-method': 'POST' }
  for (const url of ['/api/products/', '/api/orders/checkout']) {
    const response = await world.owner.send({ method: 'OPTIONS', url, headers: ask })
    expect(response.status).toBe(405)
    const read = await world.owner.get('/api/products/', { origin })
    for (const { headers } of [response, read]) {
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
    }
  }
})
