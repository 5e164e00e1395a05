import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sweepSessions } from '#accounts/session-store.ts'
import { expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'

const LARGE = 200_000
const TOO_MANY = 'Too many files at once. Please wait until the others have arrived'
/** A listing form with an invalid photo. */
const form = new FormData()
for (const [name, value] of Object.entries({ ...aMug, name: 'A mug that nobody types twice' }))
  form.set(name, String(value))
form.set('image', new File(['x'.repeat(LARGE)], 'a.png', { type: 'image/png' }))
const encoded = new Response(form)
const MULTIPART = encoded.headers.get('content-type') ?? ''
const FORM = Buffer.from(await encoded.arrayBuffer())

const ADDRESSES = { ana: '10.0.0.1', ben: '10.0.0.2', cleo: '10.0.0.3', dora: '10.0.0.4' }
type Name = keyof typeof ADDRESSES

let shop: TestShop
let people: Record<Name, Person>
beforeAll(async () => {
  const open = await openShop({ settings: { TRUST_PROXY: '1' } })
  shop = open
  people = await signUp(open)
  return () => open.close()
})

async function signUp(at: TestShop): Promise<Record<Name, Person>> {
  const names = Object.keys(ADDRESSES) as Name[]
  const all = await Promise.all(names.map(async name => [name, await at.signUp(name)] as const))
  return Object.fromEntries(all) as Record<Name, Person>
}

const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await vi.waitFor(() => expect(running()).toBe(0), soon)
})
const running = (at = shop) => at.app.loads.get('large_bodies')?.running

/** Begins to send a large form, and stops. */
async function begin(cookie: string, address: string, url = '/products/new', at = shop): Promise<Socket> {
  const { hostname, port } = new URL(at.address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\ncookie: ${cookie}\r\ncontent-type: ${MULTIPART}\r\ncontent-length: ${LARGE}\r\n\r\n--x`,
  )
  return socket
}
const beginMany = (count: number, name: Name, address = ADDRESSES[name]) =>
  times(count, () => begin(people[name].cookie, address))
const untilRunning = (count: number, at = shop) => vi.waitFor(() => expect(running(at)).toBe(count), soon)

/** Sends a whole file to an unknown listing. */
const upload = (cookie: string, address: string): Promise<TestResponse> =>
  shop.visitor().send({
    method: 'POST',
    url: '/api/products/999999999/images',
    headers: { cookie, 'x-forwarded-for': address, 'content-type': MULTIPART },
    payload: FORM,
  })
const uploadAs = (name: Name, address = ADDRESSES[name]) => upload(people[name].cookie, address)
const post = (url: string, cookie: string) =>
  shop.visitor().send({ method: 'POST', url, headers: { cookie, 'content-type': MULTIPART }, payload: FORM })

test('an invalid cookie is refused before the body arrives, and takes no slot', async () => {
  for (const url of ['/products/new', '/products/1/edit', '/settings/shop']) {
    const [refused] = await once(await begin('session=made-up', '10.0.1.1', url), 'data')
    expect(String(refused)).toMatch(/^HTTP\/1.1 413 /)
  }
  expectRefusal(await upload('session=made-up', '10.0.1.2'), 401, 'Please log in')
  expect(running()).toBe(0)
})

test('a body that was refused early is read to its end, and its connection stays open', async () => {
  const socket = await begin('session=made-up', '10.0.1.1')
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 413 /)
  socket.write(`${'x'.repeat(LARGE - 3)}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /)
})

test('the connection of a body without a known end, or above the limit, is closed after its refusal', async () => {
  const { hostname, port } = new URL(shop.address)
  for (const size of ['transfer-encoding: chunked', 'content-length: 99999999']) {
    const socket = connect(Number(port), hostname).on('error', () => {})
    sockets.push(socket)
    socket.write(
      `POST /products/new HTTP/1.1\r\nhost: x\r\ncookie: session=made-up\r\ncontent-type: ${MULTIPART}\r\n${size}\r\n\r\n`,
    )
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 413 /)
    await once(socket, 'close')
  }
})

test.each([
  ['of a page', 'POST /products/new', `content-type: ${MULTIPART}`],
  ['of a call', 'POST /api/auth/login', 'content-type: application/json'],
])('a sender who reads only later gets the refusal of a body without an end %s', async (_, line, type) => {
  const { hostname, port } = new URL(shop.address)
  const socket = connect(Number(port), hostname).pause()
  sockets.push(socket)
  const refused = once(shop.app.server, 'request').then(([, response]) => once(response, 'finish'))
  socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${type}\r\ntransfer-encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  // More than fits into the buffers of the connection.
  for (let sent = 0; sent < 200; sent++) socket.write(chunk)
  await refused
  // A reset of the connection would be noticed by now.
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(String(await once(socket.resume(), 'data'))).toMatch(/^HTTP\/1.1 413 /)
  // It may end with an error.
  await new Promise(resolve => socket.on('error', () => {}).once('close', resolve))
})

/** The cookie of a session that ended like this. */
async function endedCookie(how: string): Promise<string> {
  const { cookie } = await shop.signUp(`eve${Math.random()}`.slice(0, 20))
  const token = cookie.replace('session=', '')
  await shop.rows(how.replace('$1', `'\\x${createHash('sha256').update(token).digest('hex')}'`))
  return cookie
}
const DELETED = 'delete from sessions where token_hash = $1'

test('one request at a time with an ended session may show its form again', async () => {
  const cookie = await endedCookie(DELETED)
  const shown = await post('/products/new', cookie)
  expect(shown.status).toBe(401)
  expect(shown.body).toContain('A mug that nobody types twice')
  const first = await begin(cookie, '10.0.1.1')
  await untilRunning(1)
  const refused = await post('/products/new', cookie)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  first.destroy()
  await untilRunning(0)
  const expired = "update sessions set expires_at = now() - interval '1 hour' where token_hash = $1"
  expect((await post('/products/new', await endedCookie(expired))).status).toBe(401)
})

test('a day after its end a session is unknown, in lookups and after the cleanup', async () => {
  const cookie = await endedCookie(DELETED)
  await shop.rows("update ended_sessions set ended_at = now() - interval '24 hours'")
  expect((await post('/products/new', cookie)).status).toBe(413)
  await sweepSessions(shop.db)
  expect(await shop.rows("select * from ended_sessions where ended_at < now() - interval '1 hour'")).toEqual(
    [],
  )
})

test('one user has half of the upload slots, from all addresses together', async () => {
  await beginMany(4, 'ana')
  await untilRunning(4)
  for (const address of [ADDRESSES.ana, '10.0.0.99']) {
    const refused = await uploadAs('ana', address)
    expectRefusal(refused, 429, TOO_MANY)
    expect(refused.headers['retry-after']).toBe('5')
  }
  const page = await post('/products/new', people.ana.cookie)
  expect([page.status, page.headers['retry-after']]).toEqual([429, '5'])
  expect(page.body).toContain('<p>Too many files at once. Nothing you did is lost.')
  expect((await uploadAs('ben')).status).toBe(404)
})

test('an address has half of the slots, for all of its users', async () => {
  await beginMany(2, 'ana', '2001:db8::1')
  await beginMany(2, 'ben', '2001:db8::2')
  await untilRunning(4)
  // An IPv6 network is one address, because its owner has more than can be counted.
  expectRefusal(await uploadAs('cleo', '2001:db8::3'), 429, TOO_MANY)
  expect((await uploadAs('cleo')).status).toBe(404)
})

test('at most eight uploads run, and their slots are freed', async () => {
  await beginMany(4, 'ana')
  const others = [...(await beginMany(2, 'ben')), ...(await beginMany(2, 'cleo'))]
  await untilRunning(8)
  const refused = await uploadAs('dora')
  expectRefusal(refused, 503, expect.stringMatching(/busy/))
  expect(refused.headers['retry-after']).toBe('5')
  others[0]?.destroy()
  await untilRunning(7)
  expect((await uploadAs('dora')).status).toBe(404)
})

test('each of several processes has as many slots as one alone', async () => {
  const settings = { TRUST_PROXY: '1', WEB_CONCURRENCY: '4' }
  const cluster = await openShop({ settings })
  const { ana, ben, cleo } = await signUp(cluster)
  const url = '/products/new'
  await times(4, () => begin(ana.cookie, ADDRESSES.ana, url, cluster))
  await untilRunning(4, cluster)
  const [refused] = await once(await begin(ana.cookie, ADDRESSES.ana, url, cluster), 'data')
  expect(String(refused)).toMatch(/^HTTP\/1.1 429 /)
  await times(4, () => begin(ben.cookie, ADDRESSES.ben, url, cluster))
  await untilRunning(8, cluster)
  const [full] = await once(await begin(cleo.cookie, ADDRESSES.cleo, url, cluster), 'data')
  expect(String(full)).toMatch(/^HTTP\/1.1 503 /)
  for (const socket of sockets) socket.destroy()
  await untilRunning(0, cluster)
  await cluster.close()
})
