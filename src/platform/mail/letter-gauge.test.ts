import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

const METRICS_TOKEN = 'a-token-for-letters-4711'
const headers = { authorization: `Bearer ${METRICS_TOKEN}` }

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ settings: { METRICS_TOKEN } })
  await shop.rows(`
    insert into outbox (kind, subject, recipient, due_at, last_error, sent_at, failed_at)
    select 'test', n, n,
      -- The last one waits on purpose.
      case when n <= 3 or n = 20000 then now() + interval '1 day' end,
      case when n <= 3 then 'Come back later' end,
      case when n > 5 and n < 20000 then now() end,
      case when n in (4, 5) then now() end
    from generate_series(1, 20000) as n`)
})
afterAll(() => shop.close())

/** Numbers of letters in the metrics, by state. */
async function letters(): Promise<Record<string, number>> {
  const { status, body } = await shop.visitor().get('/metrics', headers)
  expect(status).toBe(200)
  const samples: RegExpMatchArray[] = [...body.matchAll(/^shop_letters\{state="(\w+)"\} (\d+)$/gm)]
  return Object.fromEntries(samples.map(([, state, count]) => [state, Number(count)]))
}

test('the metrics have the number of letters that wait, and of those that have failed', async () => {
  expect(await letters()).toEqual({ waiting: 3, failed: 2 })
})

test('they are counted in small indexes, however many letters were sent', async () => {
  await shop.rows('vacuum analyze outbox')
  for (const counted of [
    'due_at is not null and (due_at <= now() or last_error is not null)',
    'failed_at is not null',
  ]) {
    const plan = await shop.rows(`explain select count(*) from outbox where ${counted}`)
    expect(JSON.stringify(plan)).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/)
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  }
})

test('without a database the letters are missing, and all else is there', async () => {
  await shop.rows('alter table outbox rename to away')
  try {
    expect(await letters()).toEqual({})
    expect((await shop.visitor().get('/metrics', headers)).body).toContain('shop_build_info')
  } finally {
    await shop.rows('alter table away rename to outbox')
  }
  expect(await letters()).toEqual({ waiting: 3, failed: 2 })
})
