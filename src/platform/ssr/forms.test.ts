import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const MULTIPART = 'multipart/form-data; boundary=B'
const PLAIN = 'application/x-www-form-urlencoded'
const send = (payload: string, type = MULTIPART) =>
  ana.send({ method: 'POST', url: '/products/new', headers: { 'content-type': type }, payload })
const head = '--B\r\ncontent-disposition: form-data; name="a"'
const field = `${head}\r\n\r\nx\r\n`

test.each([
  ['a form of a hundred thousand parts', field.repeat(100_000), MULTIPART],
  ['… also where the content type is odd', field.repeat(2_601), `${PLAIN}, ${MULTIPART}`],
  ['… or is named twice', field.repeat(2_601), `multipart/form-data; boundary="B"; boundary=C`],
  ['a part with endless headers', `${head}\r\n${'x: y\r\n'.repeat(100_000)}\r\nx\r\n--B--`, MULTIPART],
  [
    'a thousand parts with long headers',
    `${head}\r\n${'x: y\r\n'.repeat(250)}\r\nx\r\n`.repeat(1_000),
    MULTIPART,
  ],
  ['a part with an endless header', `${head}${'; x=y'.repeat(100_000)}\r\n\r\nx\r\n--B--`, MULTIPART],
  ['ten thousand plain fields', 'a&'.repeat(10_000), PLAIN],
])('%s is refused, and not parsed', async (_, payload, type) => {
  const began = performance.now()
  const { status } = await send(payload, type)
  expect([400, 413, 415]).toContain(status)
  if (!type.includes(',')) expect(status).toBe(413)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('a valid form is parsed', async () => {
  const response = await send(`${field.repeat(90)}--B--\r\n`)
  expect(response.status).toBe(400)
  expect(response.body).toContain('Name is required')
})
