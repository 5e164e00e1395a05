import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a login whose letter about a new device cannot be written opens no session', async () => {
  const { user, password } = await shop.signUp('ana')
  const sessions = () => shop.rows(`select id from sessions where user_id = ${user.id}`)
  const before = await sessions()
  const browser = shop.visitor()
  await shop.db.transaction().execute(async db => {
    await sql`lock table device_cookies in access exclusive mode`.execute(db)
    const { status, headers } = await browser.post('/api/auth/login', { email: user.email, password })
    expect([status, headers['set-cookie']]).toEqual([503, undefined])
  })
  expect(await sessions()).toEqual(before)
  expect((await browser.post('/api/auth/login', { email: user.email, password })).status).toBe(200)
})
