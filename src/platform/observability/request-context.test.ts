import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}$/

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ settings: { LOG_LEVEL: 'info', SLOW_QUERY_MS: '50' } })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** Renames a table during this work. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await shop.rows(`alter table ${table} rename to gone`)
  try {
    return await work()
  } finally {
    await shop.rows(`alter table gone rename to ${table}`)
  }
}

test('every response has its own request id', async () => {
  const visitor = shop.visitor()
  const ids = []
  for (const url of [
    '/',
    '/',
    '/api/products/',
    '/nothing',
    '/api/nothing',
    '/healthz',
    '/%E0%A4%A',
    '/api/auth/',
  ])
    ids.push((await visitor.get(url)).headers['x-request-id'])
  for (const id of ids) expect(id).toMatch(GENERATED)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the request id of a failure is in the response, on the page and in its log lines', async () => {
  await without('orders', async () => {
    for (const url of ['/api/orders/', '/orders/view']) {
      const { status, headers, body } = await ana.get(url)
      expect(status).toBe(500)
      const id = String(headers['x-request-id'])
      const lines = shop.log.filter(line => line.reqId === id)
      expect(lines.map(line => line.msg)).toEqual(expect.arrayContaining(['request failed', 'answered']))
      if (url === '/orders/view') expect(body).toContain(`<code>${id}</code>`)
    }
  })
})

test('a refusal’s page has no request id', async () => {
  const { headers, body } = await shop.visitor().get('/nothing-here')
  expect(body).toContain('404 – Page not found')
  expect(body).not.toContain(String(headers['x-request-id']))
})

test('a proxy’s request id is used only from trusted proxies', async () => {
  const behind = await openShop({ settings: { TRUST_PROXY: '1' } })
  const given = 'f7a3c0de-1234-4abc-9def-0123456789ab'
  const answered = async (from: TestShop, id: string) =>
    (await from.visitor().get('/api/products/', { 'x-request-id': id })).headers['x-request-id']
  expect(await answered(behind, given)).toBe(given)
  expect(await answered(shop, given)).toMatch(GENERATED)
  for (const bad of [
    '',
    'short',
    'x'.repeat(65),
    'blank in it',
    '{"level":60}',
    'ünï-cödé-1',
    '<script>1</script>',
  ])
    expect(await answered(behind, bad), bad).toMatch(GENERATED)
  await behind.close()
})

test('each response is a log line with its route, not its url', async () => {
  const { headers } = await ana.get('/api/products/?q=canary-of-the-search')
  const page = await shop.visitor().get('/products/999999999/canary-of-the-address')
  // A slow statement, as on a busy machine, has a line of its own.
  const lineOf = (id: unknown) => shop.log.find(line => line.reqId === id && line.msg === 'answered')
  expect(lineOf(headers['x-request-id'])).toMatchObject({
    method: 'GET',
    route: '/api/products',
    status: 200,
  })
  expect(lineOf(page.headers['x-request-id'])).toMatchObject({
    route: '/products/:productId/:slug',
    status: 404,
  })
  expect(JSON.stringify(shop.log)).not.toContain('canary-of')
})

test('a slow statement is logged by name and request id, without its values', async () => {
  const login = { email: 'canary-email@example.com', password: 'canary-pass-1' }
  const { response } = await shop.db.transaction().execute(async db => {
    await sql`lock table users in access exclusive mode`.execute(db)
    const response = shop.visitor().post('/api/auth/login', login)
    const waiting = sql<{ count: number }>`select count(*) from pg_locks where not granted`
    await vi.waitUntil(async () => (await waiting.execute(db)).rows[0]?.count, soon)
    await sql`select pg_sleep(0.06)`.execute(db)
    return { response }
  })
  const { headers } = await response
  const slow = shop.log.filter(line => line.msg === 'slow query')
  const its = slow.find(line => line.reqId === headers['x-request-id'])
  expect(its).toMatchObject({ statement: 'select users', level: 40 })
  expect(its?.ms).toBeGreaterThanOrEqual(50)
  // Outside of a request there is no id.
  expect(slow.findLast(line => line.statement === 'select')).not.toHaveProperty('reqId')
  expect(JSON.stringify(shop.log)).not.toMatch(/canary-(email|pass)/)
})

test('values of rows are not logged', async () => {
  await shop.rows(`alter table users add constraint no_canary unique (first_name)`)
  const fields = { email: 'rude@example.com', username: 'rude-one', first_name: 'Ana', last_name: 'Potter' }
  const { status } = await shop.visitor().post('/api/auth/signup', { ...fields, password: 'secret-1' })
  await shop.rows('alter table users drop constraint no_canary')
  expect(status).toBe(500)
  const failure = shop.log.findLast(line => line.msg === 'request failed')
  expect(failure?.err).toMatchObject({ constraint: 'no_canary', detail: '[Redacted]' })
})
