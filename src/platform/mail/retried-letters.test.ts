import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { postponeDue } from './outbox.ts'
import { retryAll } from './outbox-admin.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a letter that operators retry has another five days, even if the server is still away', async () => {
  const { user } = await shop.signUp('ana')
  await shop.rows(`insert into outbox (kind, subject, recipient, created_at, due_at, failed_at, last_error)
    values ('sold', 7, ${user.id}, now() - interval '6 days', null, now(), 'The server is away')`)
  const failed = async () => (await shop.rows('select failed_at from outbox where subject = 7'))[0].failed_at
  expect(await retryAll(shop.db)).toBe(1)
  await postponeDue(shop.db, 'The server is away', 1)
  expect(await failed()).toBe(null)
  await shop.rows(
    `update outbox set due_at = now(), retried_at = now() - interval '6 days' where subject = 7`,
  )
  await postponeDue(shop.db, 'The server is away', 1)
  expect(await failed()).not.toBe(null)
})
