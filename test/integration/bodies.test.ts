import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectFields, expectRefusal, soon, times } from '../support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const NOT_JSON = 'This content type is not understood here; send application/json'
const ALL_MISSING = ['Name', 'Category', 'Description', 'Price', 'Stock'].map(field => `${field} is required`)
const post = (url: string, payload: string | Buffer, type = 'application/json') =>
  ana.send({ method: 'POST', url, headers: { 'content-type': type }, payload })
const countOf = async () => (await ana.get('/api/products/current')).body.products.length

test.each(['{', '[', '"', '{"a":1,}', "{'a':1}", '{"name":"\n"}', 'undefined', '\0', '{"a":1}{'])(
  'a body that is no JSON is refused: %j',
  async text => {
    expectRefusal(await post('/api/products/', text), 400, 'The body is not valid JSON')
    expectFields(await post('/api/auth/login', text), 400, { server: 'The body is not valid JSON' })
  },
)

test.each(['[]', '[{"name":"Mug"}]', 'true', '7', '"text"'])(
  'a body that is no object is refused: %s',
  async text => {
    expectRefusal(await post('/api/products/', text), 400, 'The body must be a JSON object')
    expectFields(await post('/api/auth/signup', text), 400, { server: 'The body must be a JSON object' })
  },
)

test('a body that is no object is refused by calls without a body, too', async () => {
  const mug = await shop.list(ana)
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  for (const text of ['[]', 'true', '['.repeat(10_000) + ']'.repeat(10_000)])
    expectRefusal(await post('/api/orders/checkout', text), 400, 'The body must be a JSON object')
  expect((await post('/api/orders/checkout', '{"wrap":"as a gift"}')).status).toBe(201)
})

test.each(['__proto__', 'constructor'])('%s in a body does not pollute prototypes', async name => {
  const payload = `{"${name}":{"prototype":{"polluted":1},"polluted":1}}`
  const { status } = await post('/api/products/', payload)
  expect(status).toBe(400)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  const nested = JSON.stringify({ ...aMug }).replace('"Speckled mug"', payload)
  expect((await post('/api/products/', nested)).status).toBe(400)
})

test('ten thousand levels of nesting are refused like other wrong values', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  const body = JSON.stringify({ ...aMug, name: 0 }).replace('"name":0', `"name":${deep}`)
  expectRefusal(await post('/api/products/', body), 400, 'Name is required')
  expectRefusal(
    await post('/api/products/', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`),
    400,
    ...ALL_MISSING,
  )
})

test('a body of 64 kB is accepted, one byte more is too large', async () => {
  const empty = JSON.stringify({ x: '' })
  const fits = JSON.stringify({ x: 'y'.repeat(64 * 1024 - empty.length) })
  expectRefusal(await post('/api/sections/', fits), 400, 'Name is required')
  expectRefusal(await post('/api/sections/', `${fits} `), 413, 'The request is too large')
  expectFields(await post('/api/auth/login', `${fits} `), 413, { server: 'The request is too large' })
})

test.each([
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/jsonp',
])('calls that take JSON refuse %s', async type => {
  const before = await countOf()
  for (const url of [
    '/api/products/',
    '/api/orders/checkout',
    '/api/cart_items/add/7',
    '/api/reviews/7/create-review',
  ]) {
    expectRefusal(await post(url, JSON.stringify(aMug), type), 415, NOT_JSON)
  }
  expectFields(await post('/api/auth/login', '{}', type), 415, { server: NOT_JSON })
  expect(await countOf()).toBe(before)
})

test('multipart forms are refused as well', async () => {
  const type = 'multipart/form-data; boundary=x'
  const form = '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nMug\r\n--x--\r\n'
  for (const url of ['/api/products/', '/api/orders/checkout'])
    expectRefusal(await post(url, form, type), 415, NOT_JSON)
  expectFields(await post('/api/auth/signup', form, type), 415, { server: NOT_JSON })
})

test('JSON is UTF-8, with any charset in the header', async () => {
  const body = JSON.stringify({ ...aMug, name: 'Blåbær 🧶' })
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
  ]) {
    expect((await post('/api/products/', body, type)).body.name).toBe('Blåbær 🧶')
  }
  const wide = Buffer.from(body, 'utf16le')
  expectRefusal(
    await post('/api/products/', wide, 'application/json; charset=utf-16'),
    400,
    'The body is not valid JSON',
  )
  const broken = Buffer.from(body.replace('🧶', '\u00ff'), 'latin1')
  expect((await post('/api/products/', broken)).body.name).toBe('Bl\ufffdb\ufffdr \ufffd')
})

test('a JSON content type with an empty body is no body', async () => {
  expectRefusal(await post('/api/orders/checkout', ''), 400, 'Your cart is empty')
  expectRefusal(await post('/api/products/', ''), 400, ...ALL_MISSING)
  const { id } = await shop.list(ana)
  const headers = { 'content-type': 'application/json' }
  const remove = (url: string) => ana.send({ method: 'DELETE', url, headers, payload: '' })
  expect((await remove(`/api/products/${id}`)).status).toBe(200)
  expectRefusal(await remove('/api/cart_items/999999999'), 404, 'There is no such item in your cart')
  expectRefusal(await remove('/api/orders/999999999/delete-order'), 404, 'There is no such order')
  expectRefusal(
    await remove('/api/reviews/999999999/delete-review'),
    404,
    'You do not have a review to delete',
  )
})

test('above the limit of uploads the answer is 503 with Retry-After, then uploads work again', async () => {
  const { requests } = await shop.db.transaction().execute(async db => {
    await sql`lock table orders in access exclusive mode`.execute(db)
    const requests = times(600, () => ana.get('/api/orders/'))
    await vi.waitFor(() => expect(shop.app.loads.get('requests')?.refused).toBeGreaterThan(0), soon)
    return { requests }
  })
  const responses = await requests
  const refused = responses.filter(response => response.status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(600)
  expect(responses.every(({ status }) => status === 200 || status === 503)).toBe(true)
  for (const response of refused) {
    expectRefusal(response, 503, 'The shop is very busy. Please try again')
    expect(response.headers['retry-after']).toBe('1')
  }
  expect((await ana.get('/api/products/')).status).toBe(200)
})

test('errors are not cacheable', async () => {
  for (const url of ['/api/auth/', '/api/products/999999999', '/api/nothing']) {
    expect((await shop.visitor().get(url)).headers['cache-control']).toBe('no-store')
  }
})
