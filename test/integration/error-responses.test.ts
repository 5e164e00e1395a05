import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFields, expectRefusal } from '../support/expect.ts'
import { everyCall, openWorld, type World } from '../support/fixtures.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
let world: World
beforeAll(async () => {
  shop = await openShop()
  world = await openWorld(shop)
})
afterAll(() => shop.close())

const BUSY = 'The shop is busy or being restarted. Please try again'
const FAILED = 'Something went wrong. Please try again'

test('while the database does not answer: 503 with Retry-After', async () => {
  const { owner } = world
  const login = { email: owner.user.email, password: owner.password }
  await shop.db.transaction().execute(async db => {
    await sql`lock table users in access exclusive mode`.execute(db)
    const [session, refused] = await Promise.all([
      owner.get('/api/auth/'),
      owner.post('/api/auth/login', login),
    ])
    expectRefusal(session, 503, BUSY)
    expectFields(refused, 503, { server: BUSY })
    for (const { headers } of [session, refused]) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
  expect((await owner.get('/api/auth/')).body).toEqual(owner.user)
})

test('an unexpected failure reveals nothing of its cause', async () => {
  const tables = [
    'products',
    'orders',
    'order_lines',
    'reviews',
    'cart_lines',
    'images',
    'sessions',
    'users',
    'passkeys',
    'passkey_challenges',
    'email_links',
    'security_events',
    'catalogue',
    'installation',
    'pages',
  ]
  for (const table of tables)
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_gone`)}`.execute(shop.db)
  for (const [key, call] of Object.entries(everyCall)) {
    const response = await call(world.owner, world)
    // It is in a cookie alone.
    if (key.endsWith('/api/country')) continue
    if (/^POST .*(login|signup)$/.test(key)) expectFields(response, 500, { server: FAILED })
    else expectRefusal(response, 500, FAILED)
  }
  for (const table of tables)
    await sql`alter table ${sql.table(`${table}_gone`)} rename to ${sql.table(table)}`.execute(shop.db)
  expect((await world.owner.get('/api/auth/')).body).toEqual(world.owner.user)
})
