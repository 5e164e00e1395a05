import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { Body } from './body.ts'

const JSON_TYPE = 'content-type: application/json'
const FORM = 'content-type: multipart/form-data; boundary=B'
const CHUNK = '1\r\na\r\n'

let shop: TestShop
let ana: Person
let listing: number
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  listing = (await shop.list(ana)).id
  return () => open.close()
})

/** Sends a body in chunks, and leaves the connection open. `received` returns the response so far. */
function send(line: string, headers: string[], body: string) {
  const { hostname, port } = new URL(shop.address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  let received = ''
  socket.on('data', bytes => {
    received += bytes
  })
  socket.write(
    `${[`${line} HTTP/1.1`, 'host: x', 'transfer-encoding: chunked', ...headers].join('\r\n')}\r\n\r\n`,
  )
  socket.write(body)
  const ended = new Promise(done => socket.once('close', done))
  return { socket, received: () => received, ended }
}

test.each([
  ['a call', 'POST /api/auth/login', () => [JSON_TYPE]],
  ['a page', 'POST /login', () => [FORM]],
  ['a form with a photo', 'POST /products/new', () => [FORM, `cookie: ${ana.cookie}`]],
  ['a photo', `POST /api/products/1/images`, () => [FORM, `cookie: ${ana.cookie}`]],
  ['a look', 'GET /', () => []],
])(
  '%s in more than a thousand pieces of one byte is refused, and its connection ends',
  async (_, line, headers) => {
    const { received, ended } = send(line.replace('/1/', `/${listing}/`), headers(), CHUNK.repeat(3_000))
    await ended
    // A GET is answered already.
    expect(received()).toMatch(line.startsWith('GET') ? /^HTTP\/1.1 (200|400) / : /^HTTP\/1.1 400 /)
    if (!line.startsWith('GET')) expect(received()).toContain('too many tiny pieces')
  },
)

test('after an early response the connection ends, and the body with it', async () => {
  const headers = [JSON_TYPE, 'origin: http://elsewhere.example']
  const { received, ended } = send('POST /api/auth/login', headers, CHUNK.repeat(3_000))
  await ended
  expect(received()).toMatch(/^HTTP\/1.1 4\d\d /)
})

test('a body may have a thousand chunks of any size', async () => {
  const body = `{"email":"${'a'.repeat(800)}"}`
  const chunks = [...body].map(one => `1\r\n${one}\r\n`).join('')
  const { socket, received } = send('POST /api/auth/login', [JSON_TYPE], `${chunks}0\r\n\r\n`)
  // The connection stays.
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await vi.waitFor(() => expect(received()).toContain('{"status":"alive"}'), soon)
  expect(received()).toMatch(/^HTTP\/1.1 400 /)
  expect(received()).not.toContain('tiny pieces')
  socket.destroy()
})

test('a short body may come byte by byte', async () => {
  const { hostname, port } = new URL(shop.address)
  const socket = connect(Number(port), hostname).setNoDelay()
  const body = '{"email":"","password":""}'
  const head = ['POST /api/auth/login HTTP/1.1', 'host: x', JSON_TYPE, `content-length: ${body.length}`]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (const byte of body) {
    socket.write(byte)
    await setImmediate()
  }
  const [received] = await once(socket, 'data')
  expect(String(received)).toContain('Email is required')
  socket.destroy()
})

test('chunks are joined into blocks, and no byte is lost', async () => {
  const from = new PassThrough()
  const body = new Body(from as unknown as IncomingMessage, () => expect.unreachable())
  const bytes = Buffer.from(Array.from({ length: 64_000 }, (_, n) => n % 251))
  for (let at = 0; at < bytes.length; at += 100) from.write(bytes.subarray(at, at + 100))
  from.end()
  const blocks = (await body.toArray()) as Buffer[]
  expect(Buffer.concat(blocks).equals(bytes)).toBe(true)
  expect(blocks.length).toBeLessThanOrEqual(10)
})
