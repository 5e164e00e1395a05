import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Sends bytes unchanged, and reads until the shop closes the connection. */
function sendRaw(bytes: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(shop.address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setTimeout(15_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const isJson = /^content-type: application\/json/im.test(head)
      resolve({ status: Number(head.split(' ')[1]), body: isJson ? JSON.parse(body) : body })
    })
    socket.write(bytes)
  })
}
const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`
const refusal = (status: number, message: string) => ({ status, body: { message, errors: [message] } })
const NOT_UNDERSTOOD = 'The request could not be understood'

test('invalid requests are refused in the documented format', async () => {
  for (const bytes of [
    '\r\n\r\nnonsense\r\n\r\n',
    'GET\r\n\r\n',
    '\x16\x03\x01\x02',
    get('/api/products/', 'a\0b: c\r\n'),
    get('/api/products/', 'idempotency-key: a\0b\r\n'),
  ]) {
    expect(await sendRaw(bytes)).toEqual(refusal(400, NOT_UNDERSTOOD))
  }
})

test('conflicting or broken content lengths are refused', async () => {
  const post = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  for (const lengths of [
    'content-length: 2\r\ncontent-length: 3\r\n',
    'content-length: -1\r\n',
    'content-length: x\r\n',
  ]) {
    expect(await sendRaw(`${post}${lengths}\r\n{}`)).toEqual(refusal(400, NOT_UNDERSTOOD))
  }
  expect(await sendRaw(`${post}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}`)).toEqual(
    refusal(400, NOT_UNDERSTOOD),
  )
})

test('too large headers are refused', async () => {
  const response = await sendRaw(get('/api/products/', `x: ${'y'.repeat(20_000)}\r\n`))
  expect(response).toEqual(refusal(431, 'The headers of the request are too large'))
  const cookies = await sendRaw(get('/api/products/', `cookie: session=${'y'.repeat(17_000)}\r\n`))
  expect(cookies.status).toBe(431)
})

test('the largest possible cookie is an invalid session', async () => {
  expect((await sendRaw(get('/api/auth/', `cookie: session=${'y'.repeat(15_000)}\r\n`))).status).toBe(401)
})

test.each([
  '/api/products/%',
  '/api/products/%zz',
  '/api/products/%E0%A4%A',
  '/images/%/1.webp',
  '/%c0%ae%c0%ae/',
])('an address that cannot be decoded is refused: %s', async path => {
  expect(await sendRaw(get(path))).toEqual(refusal(400, NOT_UNDERSTOOD))
})

test.each([
  '//evil.example/',
  '/../../etc/passwd',
  '/api/../../x',
  '*',
  'http://evil.example/api/x',
  '/api\\products',
])('an unknown address is refused: %s', async path => {
  const { status, body } = await sendRaw(get(path))
  expect([400, 404]).toContain(status)
  if (path.includes('/api/'))
    expect(body).toEqual({ message: expect.any(String), errors: [expect.any(String)] })
  else expect(body).toContain('Page not found')
})

test('the shop still works', async () => {
  expect(await sendRaw(get('/api/products/'))).toEqual({
    status: 200,
    body: { products: [], next_cursor: null },
  })
})
