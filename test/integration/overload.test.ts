import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { queueLimits } from '#platform/http/load-shedding.ts'
import { expectRefusal, soon, times } from '../support/expect.ts'
import { endlessGif, pngOf } from '../support/sample-pictures.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../support/shop.ts'

const { waiting } = queueLimits(1)
const BUSY = 'The shop is very busy. Please try again'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})
/** Opens a connection, sends this and leaves it open. */
async function open(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(shop.address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}
const MULTIPART = 'multipart/form-data; boundary=x'
const LARGE = 200_000
const photo = Buffer.alloc(LARGE)

test('a slow body after unread responses ends its connection, not the shop', async () => {
  const thrown = vi.fn()
  process.on('uncaughtException', thrown)
  const gets = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100)
  const connected = once(shop.app.server, 'connection')
  const socket = await open(
    `${gets}POST /api/nothing HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{`,
  )
  socket.pause()
  const [served]: Socket[] = await connected
  if (!served?.closed) await once(served!, 'close')
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  process.off('uncaughtException', thrown)
  expect(thrown).not.toHaveBeenCalled()
  expect((await ana.get('/healthz')).status).toBe(200)
})

const load = () => shop.app.loads.get('requests')!

/** Sum of the costs that wait once both lines of the queue are full, the cheap and the costly one. */
const BOTH_FULL = waiting.cheap + waiting.costly

/** Runs while the shop is full: slots and queue are occupied by requests that wait for the database. */
async function whileFull<T>(work: () => Promise<T>): Promise<T> {
  const { occupying, done } = await shop.db.transaction().execute(async db => {
    // The lock lasts as long as the test needs it.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
    await sql`lock table orders in access exclusive mode`.execute(db)
    const occupying = [
      times(300, () => ana.get('/api/orders/')),
      times(100, () => ana.get('/orders/view', { accept: 'text/html' })),
    ]
    await vi.waitFor(() => expect(load().waiting).toBe(BOTH_FULL), { ...soon, interval: 1 })
    return { occupying, done: await work() }
  })
  await Promise.all(occupying)
  return done
}

test('under overload pages are refused without a query, and /healthz answers', async () => {
  const { id } = await shop.list(ana)
  const teal = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const { url } = (await ana.upload(`/api/products/${id}/images`, teal)).body
  await ana.get(url)
  const [page, health, picture, unknown] = await whileFull(() =>
    Promise.all([
      ana.get('/cart', { accept: 'text/html' }),
      ana.get('/healthz'),
      ana.get(url),
      ana.get(`/images/${'0'.repeat(32)}/1.webp`),
    ]),
  )
  expect(page.status).toBe(503)
  expectBusyPage(page)
  // Existing pictures are served; invented names are refused like other requests.
  expect([health.status, picture.status, unknown.status]).toEqual([200, 200, 503])
})

function expectBusyPage({ body, headers }: TestResponse): void {
  expect(headers['retry-after']).toBe('1')
  expect(body).toContain('<h1>Unexpected Application Error!</h1>')
  expect(body).toContain(
    '<p>The shop is busy or being restarted. Nothing you did is lost. Please try again in a moment.</p>',
  )
  expect(body).toContain('>Try again</a>')
}

test('under overload requests are refused before routing, in the format they accept', async () => {
  const visitor = shop.visitor()
  const cookie = { cookie: ana.cookie }
  const [page, call, login, data, health] = await whileFull(() =>
    Promise.all([
      visitor.get('/orders/view', { accept: 'text/html', ...cookie }),
      visitor.get('/api/orders/', cookie),
      // Its errors are by field.
      visitor.post('/api/auth/login/?x', { email: 'a@b.example', password: 'x' }),
      visitor.get('/cart', { accept: 'application/json', ...cookie }),
      visitor.get('/healthz'),
    ]),
  )
  expectBusyPage(page)
  expectRefusal(call, 503, BUSY)
  expect([login.status, login.body]).toEqual([503, { server: BUSY }])
  expectRefusal(data, 503, BUSY)
  expect(health.status).toBe(200)
  for (const { headers } of [page, call, login, data]) {
    expect([headers['retry-after'], headers['cache-control']]).toEqual(['1', 'no-store'])
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  expect((await ana.get('/api/orders/')).status).toBe(200)
})

test('responses to slow readers take no slot', async () => {
  const pages = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(60)
  await times(12, async () => once(await open(pages), 'readable'))
  await vi.waitFor(() => expect(load()).toMatchObject({ running: 0, waiting: 0 }), soon)
  expect((await ana.get('/api/products/')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('slow bodies take no slot, and are ended, answered or not', async () => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{`
  const slow = await times(450, () => open(head('/api/auth/login')))
  // Refused before its body was read.
  const answered = await open(head('/api/auth/login').replace('POST', 'PUT'))
  await ana.get('/healthz')
  expect((await ana.get('/api/products/')).status).toBe(200)
  expect((await ana.get('/cart', { accept: 'text/html' })).status).toBe(200)
  const ended = await Promise.all(slow.map(async socket => String((await once(socket, 'data'))[0])))
  expect(ended.filter(response => response.startsWith('HTTP/1.1 408 '))).toHaveLength(450)
  answered.resume()
  if (!answered.closed) await once(answered, 'close')
}, 120_000)

test('a visitor cannot upload files', async () => {
  const socket = await open(
    `POST /api/products/1/images HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${LARGE}\r\n\r\n`,
  )
  // The response comes before the file.
  const [head] = await once(socket, 'data')
  expect(String(head)).toMatch(/^HTTP\/1.1 401 /)
  socket.destroy()
})

test.each([
  ['an endless gif', endlessGif(100_000), 'This animation is too long'],
  ['a png of 256 megapixels', Buffer.concat([pngOf(16_384, 16_384), photo]), 'more than 50 megapixels'],
])('%s is refused by its first bytes, and the connection stays open', async (_, bomb, words) => {
  const { id } = await shop.list(ana)
  const start = `--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n`
  const end = '\r\n--x--\r\n'
  const socket = await open(
    `POST /api/products/${id}/images HTTP/1.1\r\nhost: x\r\ncookie: ${ana.cookie}\r\ncontent-type: ${MULTIPART}\r\ncontent-length: ${start.length + bomb.length + end.length}\r\n\r\n${start}`,
  )
  socket.write(bomb.subarray(0, 40_000))
  // Less than a fifth of it has been sent.
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(/^HTTP\/1.1 400 /)
  expect(String(response)).toContain(words)
  socket.write(bomb.subarray(40_000))
  socket.write(`${end}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
  const [next] = await once(socket, 'data')
  expect(String(next)).toMatch(/^HTTP\/1.1 200 /)
})

test('a HEAD request does not log out', async () => {
  const response = await ana.send({ method: 'HEAD', url: '/api/auth/logout' })
  expect([response.status, response.headers.allow]).toEqual([405, 'GET'])
  expect((await ana.get('/api/auth/')).status).toBe(200)
})

test('a stopping shop finishes running requests, and then closes each connection', async () => {
  const closing = await openShop()
  const ben = await closing.signUp('ben')
  const { id } = await closing.list(ben)
  let response: Promise<Response> | undefined
  let stopped: Promise<void> | undefined
  await closing.db.transaction().execute(async db => {
    await sql`lock table cart_lines in access exclusive mode`.execute(db)
    response = fetch(`${closing.address}/api/cart_items/add/${id}`, {
      method: 'POST',
      headers: { cookie: ben.cookie, 'content-type': 'application/json' },
      body: '{"quantity":1}',
    })
    await vi.waitFor(async () => {
      const [{ waiting }] = await closing.rows(
        `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      expect(waiting).toBe(1)
    }, soon)
    stopped = closing.app.close()
    await vi.waitFor(() => expect(closing.app.server.listening).toBe(false), soon)
  })
  const { status, headers } = await response!
  expect([status, headers.get('connection')]).toEqual([201, 'close'])
  await stopped
  await closing.close()
})
