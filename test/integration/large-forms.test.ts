import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const MULTIPART = 'multipart/form-data; boundary=x'
const photo = Buffer.alloc(200_000)
const form = (url: string, payload: Buffer | string, type: string | undefined, person: Person = ana) =>
  person.send({ method: 'POST', url, headers: { ...(type ? { 'content-type': type } : {}) }, payload })
const part = `--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n${photo}\r\n--x--\r\n`

test('only logged-in users may send large forms', async () => {
  const { id } = await shop.list(ana)
  for (const url of ['/products/new', `/products/${id}/edit`, '/settings/shop', '/settings/policies']) {
    expect((await form(url, part, MULTIPART, shop.visitor())).status).toBe(413)
    expect((await form(url, part, 'application/x-www-form-urlencoded')).status).toBe(413)
    expect((await form(url, part, MULTIPART)).status).toBe(400)
  }
  for (const url of ['/login', '/cart', '/products/1']) {
    expect((await form(url, part, MULTIPART)).status).toBe(413)
  }
})

test.each([
  ['text/plain', 'a=b', 415],
  ['application/json', '{}', 415],
  [undefined, '', 400],
  ['multipart/form-data', 'a=b', 400],
  [MULTIPART, '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb', 400],
])('an unreadable form is refused with a page: %s', async (type, payload, status) => {
  for (const url of ['/login', '/signup', '/products/new', '/cart', '/your-listings']) {
    const response = await form(url, payload, type)
    expect([url, response.status]).toEqual([url, status])
    expect(response.body).toContain('<!doctype html>')
  }
  expect((await form('/', payload, type)).status).toBe(405)
  expect((await form('/nothing', payload, type)).status).toBe(404)
})

test('a form from another site is refused with a page', async () => {
  for (const person of [ana, shop.visitor()]) {
    const { status, body } = await person.send({
      method: 'POST',
      url: '/login',
      headers: { origin: 'https://elsewhere.example', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a=b',
    })
    expect(status).toBe(403)
    expect(body).toContain('<!doctype html>')
  }
})
