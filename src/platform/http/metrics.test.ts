import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { Metrics } from '../observability/instruments.ts'
import { serveMetrics } from './metrics-route.ts'

const METRICS_TOKEN = 'a-token-for-tests-4711'
const shown = { authorization: `Bearer ${METRICS_TOKEN}` }

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({
    signups: true,
    settings: { METRICS_TOKEN, SLOW_QUERY_MS: '50', LIMITS: 'on' },
  })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** Sample, as in 'shop_signups_total' or 'shop_cache_events_total{event="hit"}' → its value. */
type Samples = Record<string, number>

function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end))]
    }),
  )
}
const scrape = async () => samplesOf((await shop.visitor().get('/metrics', shown)).body)

/** The number of requests with these labels. */
const answered = (samples: Samples, method: string, route: string, status: number) =>
  samples[`shop_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`] ?? 0

test('require the token', async () => {
  const visitor = shop.visitor()
  const response = await visitor.get('/metrics', shown)
  expect(response.status).toBe(200)
  expect(response.headers['content-type']).toMatch(/^text\/plain; version=/)
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${METRICS_TOKEN}x`,
    `Bearer ${METRICS_TOKEN.slice(1)}`,
    METRICS_TOKEN,
  ]
  for (const authorization of wrong) {
    const { status, headers, body } = await visitor.get('/metrics', { authorization })
    expect(status, authorization).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    expect(JSON.stringify(body)).not.toContain('shop_')
  }
  expect((await visitor.get(`/metrics?token=${METRICS_TOKEN}`)).status).toBe(401)
  expect((await visitor.post('/metrics', {}, shown)).status).toBe(405)
})

test('without a setting there are no metrics', async () => {
  const plain = await openShop()
  expect(plain.app.metrics).toBeUndefined()
  expect((await plain.visitor().get('/metrics', shown)).status).toBe(404)
  await plain.close()
})

test('requests are labelled by method, pattern and status, pages by their own pattern', async () => {
  const before = await scrape()
  const mug = await shop.list(ana)
  const visitor = shop.visitor()
  for (const url of [
    `/products/${mug.id}`,
    `/products/${mug.id}`,
    '/',
    `/api/products/${mug.id}`,
    '/no/such/page',
  ])
    await visitor.get(url)
  await ana.get('/orders/view')
  await visitor.get('/orders/view')
  const after = await scrape()
  const more = (...[method, route, status]: [string, string, number]) =>
    answered(after, method, route, status) - answered(before, method, route, status)
  expect(more('POST', '/api/products', 201)).toBe(1)
  expect(more('GET', '/products/:productId', 200)).toBe(2)
  expect(more('GET', '/', 200)).toBe(1)
  expect(more('GET', '/api/products/:id', 200)).toBe(1)
  expect(more('GET', '/orders/view', 200)).toBe(1)
  expect(more('GET', '/orders/view', 302)).toBe(1)
  expect(more('GET', '/*', 404)).toBe(1)
})

test('the number of labels is bounded', async () => {
  const visitor = shop.visitor()
  await visitor.get('/made-up/0')
  const series = Object.keys(await scrape()).length
  for (let n = 1; n < 40; n++) {
    await visitor.get(`/made-up/${n}`)
    await visitor.get(`/products/made-up-${n}`)
    await visitor.get(`/?q=canary-${n}`)
    await visitor.get(`/api/products/?q=canary-${n}`)
  }
  const { body } = await visitor.get('/metrics', shown)
  expect(Object.keys(samplesOf(body)).length).toBeLessThan(series + 100)
  expect(body).not.toMatch(/made-up|canary/)
})

test('orders, signups, wrong logins and photos are counted once', async () => {
  const before = await scrape()
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana)
  await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const key = { 'idempotency-key': 'once-and-again-1' }
  for (const _ of [1, 2]) expect((await ben.post('/api/orders/checkout', undefined, key)).status).toBe(201)
  const photo = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  expect((await ana.upload(`/api/products/${mug.id}/images`, photo)).status).toBe(201)
  expect((await ana.upload(`/api/products/${mug.id}/images`, Buffer.from('no photo'))).status).toBe(400)
  await shop.visitor().post('/api/auth/login', { email: ben.user.email, password: 'wrong-one' })
  const after = await scrape()
  for (const name of [
    'shop_orders_placed_total',
    'shop_signups_total',
    'shop_refused_logins_total',
    'shop_uploads_total',
  ])
    expect(after[name] ?? 0, name).toBe((before[name] ?? 0) + 1)
})

test('include cache, pool, statements, refusals and process', async () => {
  const visitor = shop.visitor()
  await visitor.get('/')
  const before = await scrape()
  await visitor.get('/')
  await shop.rows('select pg_sleep(0.06)')
  await shop.rows('select nonsense').catch(() => {})
  for (let n = 0; n < 100; n++) await shop.rows('select 1')
  const after = await scrape()
  const more = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  expect(more('shop_cache_events_total{event="hit"}')).toBe(1)
  expect(more('shop_cache_events_total{event="miss"}')).toBe(0)
  expect(after.shop_cache_bytes).toBeGreaterThan(1_000)
  // On a busy machine one of a job may be slow too.
  expect(more('shop_slow_statements_total{pool="main"}')).toBeGreaterThanOrEqual(1)
  expect(more('shop_failed_statements_total{pool="main",class="42"}')).toBe(1)
  // Background jobs and the number of letters ask the database too, some times.
  const statements = more('shop_statement_duration_seconds_count{pool="main"}')
  expect(statements).toBeGreaterThanOrEqual(102)
  expect(statements).toBeLessThan(150)
  expect(after['shop_pool_waiting{pool="main"}']).toBe(0)
  // None is busy for long: a background job may be using one just now.
  await expect.poll(async () => (await scrape())['shop_pool_busy{pool="main"}']).toBe(0)
  expect(after['shop_pool_idle{pool="main"}']).toBeGreaterThan(0)
  for (const queue of ['requests', 'large_bodies', 'pictures', 'share', 'sitemaps'])
    expect(more(`shop_queue_refused_total{queue="${queue}"}`), queue).toBe(0)
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    expect(after[name], name).toBeGreaterThanOrEqual(0)
  expect(Object.keys(after).some(name => name.startsWith('shop_build_info{version="'))).toBe(true)
})

test('no label or help has personal data', async () => {
  const { body } = await shop.visitor().get('/metrics', shown)
  expect(body).not.toContain(ana.user.username)
  expect(body).not.toContain(METRICS_TOKEN)
})

test('metrics are served on a port of their own, with the token if there is one', async () => {
  const metrics: Metrics = async () => ({ type: 'text/plain', text: 'shop_signups_total 1\n' })
  const open = await serveMetrics({ port: 0, host: '127.0.0.1', token: undefined }, metrics)
  expect(await (await fetch(open.url)).text()).toBe('shop_signups_total 1\n')
  expect((await fetch(open.url.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(open.url, { method: 'POST' })).status).toBe(405)
  const { port } = new URL(open.url)
  await expect(
    serveMetrics({ port: Number(port), host: '127.0.0.1', token: undefined }, metrics),
  ).rejects.toThrow(`METRICS_PORT ${port} cannot be opened`)
  await open.close()
  const closed = await serveMetrics({ port: 0, host: '127.0.0.1', token: METRICS_TOKEN }, metrics)
  expect((await fetch(closed.url)).status).toBe(401)
  expect((await fetch(closed.url, { headers: shown })).status).toBe(200)
  await closed.close()
})

test('with a port of their own the shop itself serves none', async () => {
  const other = await openShop({ settings: { METRICS_PORT: '0', METRICS_TOKEN } })
  expect((await other.visitor().get('/metrics', shown)).status).toBe(404)
  expect((await other.app.metrics?.())?.text).toContain('shop_request_duration_seconds')
  await other.close()
})
