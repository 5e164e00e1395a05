import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import type { Config } from '../config/config.ts'
import { consume, refundUse, resetLimit, sweepLimits } from './rate-limit.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ settings: { LIMITS: 'on', LIMIT_GUESSES: '3', LIMIT_REVIEWS: '2' } })
})
afterAll(() => shop.close())
// Windows begin at each quarter of an hour: what is counted across such a moment is counted apart.
beforeEach(async () => {
  const left = QUARTER_MS - (Date.now() % QUARTER_MS)
  if (left < 3_000) await sleep(left)
})
const QUARTER_MS = 15 * 60 * 1_000

const use = (name: 'guesses' | 'reviews', subject: string | number) => consume(shop.app, name, subject)
const times = async (n: number, work: () => Promise<unknown>) => {
  for (let i = 0; i < n; i++) await work()
}

test('a use within the limit passes; the next is refused with the time to wait', async () => {
  await times(3, () => use('guesses', 'ana'))
  await expect(use('guesses', 'ana')).rejects.toMatchObject({
    status: 429,
    message: expect.stringMatching(/^Too many tries\. Please wait \d+ (seconds|minutes)$/),
    retryAfter: expect.any(Number),
  })
})

test('the wait is never longer than the window: 15 minutes for guesses, an hour for the rest', async () => {
  const wait = async (name: 'guesses' | 'reviews', subject: string) => {
    const refused = times(5, () => use(name, subject))
    return refused.then(
      () => expect.fail('no limit'),
      (problem: { retryAfter: number }) => problem.retryAfter,
    )
  }
  const guesses = await wait('guesses', 'hurry')
  expect(guesses).toBeGreaterThan(0)
  expect(guesses).toBeLessThanOrEqual(15 * 60)
  const reviews = await wait('reviews', 'hurry')
  expect(reviews).toBeGreaterThan(0)
  expect(reviews).toBeLessThanOrEqual(60 * 60)
})

test('subjects and limits are counted apart', async () => {
  await times(3, () => use('guesses', 'ben'))
  await use('guesses', 'ben2')
  await use('reviews', 'ben')
  await use('reviews', 7)
})

test('an account is one subject, in any case and form', async () => {
  await use('guesses', 'Cleo@Example.com')
  await use('guesses', 'cleo@example.com')
  await use('guesses', 'CLEO@EXAMPLE.COM')
  await expect(use('guesses', 'cleo@example.COM')).rejects.toMatchObject({ status: 429 })
})

test('a use that is taken back is one of the present window', async () => {
  const counts = async () =>
    (
      await shop.rows(`select count from rate_limits where subject = 'guesses:dan' order by window_start`)
    ).map(({ count }) => count)
  await use('guesses', 'dan')
  await shop.rows(
    `update rate_limits set window_start = window_start - interval '15 minutes' where subject = 'guesses:dan'`,
  )
  await times(2, () => use('guesses', 'dan'))
  await refundUse(shop.app, 'guesses', 'dan')
  expect(await counts()).toEqual([1, 1])
})

test('concurrent uses are all counted', async () => {
  const uses = await Promise.allSettled(Array.from({ length: 20 }, () => use('guesses', 'all at once')))
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('a reset count is not counted any more', async () => {
  await times(3, () => use('guesses', 'dora'))
  await resetLimit(shop.app, 'guesses', 'Dora')
  await times(3, () => use('guesses', 'dora'))
  await expect(use('guesses', 'dora')).rejects.toMatchObject({ status: 429 })
})

test('LIMITS=off counts nothing', async () => {
  const off = { db: shop.db, config: { ...shop.app.config, limits: undefined } satisfies Config }
  await times(10, () => consume(off, 'guesses', 'eve'))
  await resetLimit(off, 'guesses', 'eve')
  const rows = await shop.db
    .selectFrom('rate_limits')
    .select('subject')
    .where('subject', 'like', '%eve')
    .execute()
  expect(rows).toEqual([])
})

test('counters of ended windows are deleted, the others stay', async () => {
  await use('guesses', 'flo')
  const old = { subject: 'guesses:flo', window_start: new Date(Date.now() - 3 * 60 * 60 * 1000), count: 9 }
  await shop.db.insertInto('rate_limits').values(old).execute()
  await sweepLimits(shop.app)
  const rows = await shop.db
    .selectFrom('rate_limits')
    .select('count')
    .where('subject', '=', 'guesses:flo')
    .execute()
  expect(rows).toEqual([{ count: 1 }])
})
