import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let mug: number
let bowl: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mug = (await shop.list(ana)).id
  bowl = (await shop.list(ana, { name: 'Bowl' })).id
})
beforeEach(async () => {
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

/** Inserts orders of one mug and one bowl for ben, oldest first, two in each second. */
async function put(count: number, status = 'Pending') {
  await shop.rows(`
    with placed as (
      insert into orders (user_id, status, total_cents, created_at, cancelled_at)
      select ${ben.user.id}, '${status}', 4900, timestamptz '2026-01-01' + n / 2 * interval '1 second',
        case '${status}' when 'Cancelled' then now() end
      from generate_series(1, ${count}) as n returning id
    )
    insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select id, product_id, 'Kept', 2450, 1 from placed cross join (values (${mug}), (${bowl})) as piece (product_id)`)
}

const linkIn = ({ headers }: TestResponse) => /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
/** All pages from this address on, by Link headers. */
async function pagesFrom<T>(address: string): Promise<T[][]> {
  const pages: T[][] = []
  for (let next: string | undefined = address; next !== undefined; ) {
    const response: TestResponse = await ben.get(next)
    expect(response.status).toBe(200)
    pages.push(response.body)
    next = linkIn(response)
  }
  return pages
}
/** All orders of ben as the list should show them. */
const newestFirst = () =>
  shop.db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', ben.user.id)
    .where('status', '=', 'Pending')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
const sizes = (pages: unknown[][]) => pages.map(({ length }) => length)

test('orders come 100 at a time, newest first, and a Link header leads to the next page', async () => {
  await put(205)
  await put(30, 'Cancelled')
  const pages = await pagesFrom<{ id: number }>('/api/orders/')
  expect(sizes(pages)).toEqual([100, 100, 5])
  expect(pages.flat().map(({ id }) => ({ id }))).toEqual(await newestFirst())
})

test('a limit makes smaller pages, and the last one has no link', async () => {
  await put(6)
  for (const [limit, expected] of [
    [1, [1, 1, 1, 1, 1, 1]],
    [3, [3, 3]],
    [4, [4, 2]],
    [6, [6]],
    [100, [6]],
  ] as const) {
    const pages = await pagesFrom<{ id: number }>(`/api/orders?limit=${limit}`)
    expect(sizes(pages)).toEqual(expected)
    expect(pages.flat().map(({ id }) => ({ id }))).toEqual(await newestFirst())
  }
})

test('a page ends after 1,000 lines, and all orders come', async () => {
  await shop.rows(`
    with beads as (
      insert into products (seller_id, name, category, description, price_cents)
      select ${ana.user.id}, 'Bead', 'Art & Collectibles', 'Small', 100 from generate_series(1, 900) returning id
    ), placed as (
      insert into orders (user_id, total_cents, created_at)
      select ${ben.user.id}, 90000, timestamptz '2026-01-01' + n * interval '1 second'
      from generate_series(1, 6) as n returning id
    )
    insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select placed.id, beads.id, 'Bead', 100, 1 from placed cross join beads`)
  await put(1)
  for (const [limit, expected] of [
    [100, [2, 2, 2, 1]],
    [1, [1, 1, 1, 1, 1, 1, 1]],
  ] as const) {
    const pages = await pagesFrom<{ id: number }>(`/api/orders?limit=${limit}`)
    expect(sizes(pages)).toEqual(expected)
    expect(pages.flat().map(({ id }) => ({ id }))).toEqual(await newestFirst())
  }
})

test('cancelling between two pages moves nothing, and the order’s cursor still works', async () => {
  await put(5)
  const first = await ben.get('/api/orders/?limit=2')
  const [, last] = first.body
  await ben.delete(`/api/orders/${last.id}/delete-order`)
  const rest = await pagesFrom<{ id: number }>(linkIn(first) ?? '')
  expect(rest.flat().map(({ id }) => ({ id }))).toEqual((await newestFirst()).slice(1))
})

test('order items come page by page, also in the middle of an order', async () => {
  await put(4)
  const all = (await ben.get('/api/orders/order-items/2')).body
  expect(all).toHaveLength(8)
  expect(all[0]).toEqual({ order_id: (await newestFirst())[0]?.id, product_id: mug, quantity: 1 })
  for (const limit of [1, 3, 8]) {
    const pages = await pagesFrom(`/api/orders/order-items/2?limit=${limit}`)
    expect(pages.flat()).toEqual(all)
  }
  await put(100)
  expect(sizes(await pagesFrom('/api/orders/order-items/2'))).toEqual([100, 100, 8])
})

test('a pending order is found by its id', async () => {
  await put(3)
  const oldest = (await newestFirst()).at(-1)?.id
  expect((await ben.get(`/api/orders/?id=${oldest}`)).body).toMatchObject([{ id: oldest, status: 'Pending' }])
  expectRefusal(await ana.get(`/api/orders/?id=${oldest}`), 404, 'There is no such order')
  await ben.delete(`/api/orders/${oldest}/delete-order`)
  expect((await ben.get(`/api/orders/?id=${oldest}`)).body).toEqual([])
})

test('invalid parameters are refused', async () => {
  await put(1)
  const { body } = await ben.get('/api/orders/')
  const refusals: [path: string, query: string, message: string][] = [
    ['', 'limit=0', 'Limit must be a whole number from 1 to 100'],
    ['', 'limit=101', 'Limit must be a whole number from 1 to 100'],
    ['', 'id=x', 'Id must be a whole number above 0'],
    ['', 'cursor=abc', 'Cursor is not one of ours'],
    ['', 'cursor=9999999999999999', 'Cursor is not one of ours'],
    ['order-items/2', 'limit=x', 'Limit must be a whole number from 1 to 100'],
    ['order-items/2', `cursor=${body[0].id}`, 'Cursor is not one of ours'],
  ]
  for (const [path, query, message] of refusals)
    expectRefusal(await ben.get(`/api/orders/${path}?${query}`), 400, message)
  // Somebody else's order is a cursor only for them.
  expectRefusal(await ana.get(`/api/orders/?cursor=${body[0].id}`), 400, 'Cursor is not one of ours')
})
