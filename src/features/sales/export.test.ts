import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvRow } from '#csv'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sell } from '../../../test/support/sold.ts'

let shop: TestShop
let maker: Person
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
})
afterAll(() => shop.close())

const file = (person: Person, query: string, headers = {}) =>
  person.get(`/api/sales/export.csv?${query}`, headers)
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

test.each(['=1+1', '+49', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n@x', ' =1', '＝1', '\u00a0=1', '\0=1'])(
  'the text %j is no formula for spreadsheets',
  text => {
    expect(csvRow([text])).toBe(`"'${text}"\r\n`)
  },
)

test('texts are quoted, numbers and missing values are not', () => {
  expect(csvRow(['a "b", c;\r\nd', 'x=1', '', -1.5, 0, null])).toBe('"a ""b"", c;\r\nd","x=1","",-1.5,0,\r\n')
})

test('a maker downloads their orders of a period, with defused texts', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const old = await sell(shop, { maker, shopper })
  await shop.rows(`update orders set created_at = created_at - interval '9 days' where id = ${old.id}`)
  await shop.rows(`update orders set note = '=HYPERLINK("http://evil","x")' where id = ${id}`)
  const theirs = await sell(shop, { maker: await shop.signUp('other'), shopper })
  const today = `from=${daysAgo(1)}&to=${daysAgo(0)}`
  const { status, body, headers } = await file(maker, today)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ])
  expect(headers['content-disposition']).toBe(`attachment; filename="sales-${daysAgo(1)}-${daysAgo(0)}.csv"`)
  const lines = String(body).split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]?.startsWith('\ufeff"Order","Purchase"')).toBe(true)
  expect(lines[1]?.split(',').slice(0, 5)).toEqual([
    `${id}`,
    `${id}`,
    `"${daysAgo(0)}"`,
    '"open"',
    `"${shopper.name}"`,
  ])
  expect(lines[1]?.endsWith(`"'=HYPERLINK(""http://evil"",""x"")",`)).toBe(true)
  const both = String((await file(maker, `from=${daysAgo(20)}&to=${daysAgo(0)}`)).body)
  expect(both.split('\r\n')).toHaveLength(4)
  expect(both).not.toContain(`\n${theirs.id},`)
  expect(both).not.toContain(shopper.user.email)
})

test('a long period comes in pages, and has each order once', async () => {
  const seller = await shop.signUp('seller')
  const { id } = await sell(shop, { maker: seller, shopper: await shop.signUp('shopper') })
  await shop.rows(`with copies as (
    insert into orders (id, purchase_id, user_id, seller_id, total_cents, created_at)
    select nextval('ids'), ${id}, user_id, seller_id, total_cents, created_at from orders, generate_series(1, 250) where id = ${id}
    returning id
  ) insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select copies.id, product_id, name, price_cents, quantity from order_lines, copies where order_id = ${id}`)
  const { body } = await file(seller, `from=${daysAgo(1)}&to=${daysAgo(0)}`)
  const ids = String(body)
    .split('\r\n')
    .slice(1, -1)
    .map(line => line.split(',')[0])
  expect([ids.length, new Set(ids).size]).toEqual([251, 251])
})

test('a period may end in the future, so that a year can be asked for while it lasts', async () => {
  const year = new Date().getUTCFullYear()
  expect((await file(maker, `from=${year}-01-01&to=${year}-12-31`)).status).toBe(200)
})

test('wrong days, visitors and other sites get no file', async () => {
  const message = 'From and to must be days such as 2026-03-31, from first, and at most a year apart'
  for (const query of [
    '',
    'from=2026-01-02',
    'from=2026-01-02&to=2026-01-01',
    'from=2025-01-01&to=2026-01-02',
    'from=2026-02-30&to=2026-03-01',
    'from=2026-13-01&to=2026-13-02',
  ])
    expectRefusal(await file(maker, query), 400, message)
  const good = 'from=2026-01-02&to=2026-01-02'
  expectRefusal(await file(shop.visitor(), good), 401, 'Please log in')
  expect((await file(maker, good, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const page = await file(shop.visitor(), good, { accept: 'text/html' })
  expect([page.status, page.headers.location]).toEqual([303, '/login?next=%2Fsold'])
  const wrong = await file(maker, 'from=2026-01-02&to=2026-01-01', { accept: 'text/html' })
  expect([wrong.status, wrong.headers.location]).toEqual([
    303,
    '/sold?from=2026-01-02&to=2026-01-01&export=wrong',
  ])
  expect((await maker.post('/api/sales/export.csv')).status).toBe(405)
})
