import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { securityHeaders } from './security-headers.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: 'https://thrum.example' } })
})
afterAll(() => shop.close())

/** Sends bytes unchanged. @returns status and headers of the response */
function sendRaw(bytes: string): Promise<{ status: number; headers: Record<string, string> }> {
  const { hostname, port } = new URL(shop.address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [first = '', ...lines] = text.split('\r\n\r\n')[0]?.split('\r\n') ?? []
      const headers = Object.fromEntries(lines.map(line => line.split(/: (.*)/, 2)))
      resolve({ status: Number(first.split(' ')[1]), headers })
    })
    socket.write(bytes)
  })
}
const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`

// At the same time: two of them wait for a timeout.
test.concurrent.each([
  ['what is no request', 'nonsense\r\n\r\n', 400],
  ['headers without an end', get('/', `x: ${'y'.repeat(20_000)}\r\n`), 431],
  ['headers that do not arrive', 'GET / HTTP/1.1\r\nhost: x\r\n', 408],
  [
    'a body that trickles in',
    'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    408,
  ],
  ['an address that cannot be decoded', get('/api/products/%'), 400],
  ['an address that is too long', get(`/images/${'x'.repeat(501)}/1.webp`), 404],
])(
  'responses that no hook sees have the security headers: %s',
  async (_, bytes, status) => {
    const response = await sendRaw(bytes)
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject(securityHeaders(shop.app.config))
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['content-security-policy']).toContain("default-src 'self'")
  },
  20_000,
)
