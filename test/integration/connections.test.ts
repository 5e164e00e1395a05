import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectRefusal, soon } from '../support/expect.ts'
import { withPostgres } from '../support/external-postgres.ts'
import { launchShop, type RealShop, ready } from '../support/harness.ts'
import type { Person } from '../support/person.ts'

/** `npm start` on an external PostgreSQL with few connections and other clients. */
let shop: RealShop
let connectionString: string
let close: () => Promise<void>
beforeAll(async () => {
  const closed = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const served = withPostgres(
    async (url, folder) => {
      connectionString = url
      shop = await launchShop(join(folder, 'shop'), { DATABASE_URL: url, DATABASE_POOL: '3' })
      open.resolve()
      await closed.promise
      await shop.stop()
    },
    { max_connections: '10' },
  )
  close = () => {
    closed.resolve()
    return served
  }
  await Promise.race([open.promise, served])
}, 120_000)
afterAll(() => close?.())

const others: pg.Client[] = []
/** Takes every connection, including the shop's. */
async function occupyAll(): Promise<void> {
  // A connection that is ended is gone from the list before its place is free.
  for (let quiet = 0; quiet < 5; ) {
    const other = new pg.Client({ connectionString, application_name: 'others' })
    other.on('error', () => {})
    const refused = await other.connect().then(
      () => undefined,
      (error: Error & { code?: string }) => error.code,
    )
    if (refused === undefined) others.push(other)
    else expect(refused).toBe('53300')
    const { rows } = await others[0]!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shop'`,
    )
    quiet = refused && rows.length === 0 ? quiet + 1 : 0
    await sleep(50)
  }
}

async function expectUnavailable(person: Person, line: number): Promise<void> {
  const calls = [
    await person.get(`/api/cart_items/${person.user.id}`),
    await person.put(`/api/cart_items/${line}`, { quantity: 3 }),
    await person.post('/api/orders/checkout'),
    await person.get('/api/products/'),
  ]
  for (const call of calls) {
    expectRefusal(call, 503, 'The shop is busy or being restarted. Please try again')
    expect(Number(call.headers['retry-after'])).toBeGreaterThan(0)
  }
  for (const address of ['/cart', '/']) {
    const page = await person.get(address, { accept: 'text/html' })
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
    expect(page.body).toContain('The shop is busy or being restarted')
  }
  const [alive, able] = [await person.get('/healthz'), await person.get('/readyz')]
  expect([alive.status, able.status]).toEqual([200, 503])
}

test('without free database connections requests get 503, and recover by themselves', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { stock: 5 })
  const { body: line } = await ana.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const pid = shop.pid()

  await occupyAll()
  await expectUnavailable(ana, line.id)
  for (const other of others) await other.end()

  await vi.waitUntil(() => ready(shop), soon)
  expect([shop.alive(), shop.pid()]).toEqual([true, pid])
  expect((await ana.get('/cart', { accept: 'text/html' })).status).toBe(200)
  const { body: order } = await ana.post('/api/orders/checkout')
  expect(order.products_ordered).toMatchObject([{ quantity: 2 }])
  expect(await shop.stockOf(id)).toBe(3)
}, 120_000)
