import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** All ids of ana's list, page by page; `between` runs after each page. */
async function walk(limit: number, between = async () => {}): Promise<number[]> {
  const ids: number[] = []
  let cursor = ''
  do {
    const { body } = await ana.get(`/api/products/current?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(body.products.length).toBeLessThanOrEqual(limit)
    ids.push(...body.products.map((product: { id: number }) => product.id))
    cursor = body.next_cursor
    await between()
  } while (cursor)
  return ids
}

/** So many listings of a new seller, oldest first. */
async function listMany(count: number): Promise<number[]> {
  ana = await shop.signUp('ana')
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await shop.list(ana, { name: `Piece ${n}` })).id)
  return ids
}

test.each([1, 2, 3, 4, 7, 8, 100])('pages of %i add up to the whole list, newest first', async limit => {
  const ids = await listMany(7)
  expect(await walk(limit)).toEqual(ids.reverse())
})

test('there is a next page only if something is left', async () => {
  await listMany(2)
  expect((await ana.get('/api/products/current?limit=1')).body.next_cursor).toEqual(expect.any(String))
  expect((await ana.get('/api/products/current?limit=2')).body.next_cursor).toBeNull()
  expect((await ana.get('/api/products/current?limit=3')).body.next_cursor).toBeNull()
})

test('ties: the larger id comes first, on every page once', async () => {
  const ids = await listMany(7)
  await shop.db
    .updateTable('products')
    .set({ created_at: sql<Date>`timestamptz '2026-01-01T00:00:00.123456Z'` })
    .where('id', 'in', ids)
    .execute()
  for (const limit of [1, 2, 3]) expect(await walk(limit)).toEqual(ids.toReversed())
})

test('listings one microsecond apart are sorted newest first', async () => {
  const ids = await listMany(3)
  for (const [n, id] of ids.entries()) {
    const created_at = sql<Date>`timestamptz '2026-01-01T00:00:00Z' - ${n} * interval '1 microsecond'`
    await shop.db.updateTable('products').set({ created_at }).where('id', '=', id).execute()
  }
  expect(await walk(1)).toEqual(ids)
})

test('a new listing appears on no later page, and nothing is missed or shown twice', async () => {
  const ids = await listMany(9)
  const seen = await walk(2, async () => void (await times(3, () => shop.list(ana))))
  expect(seen).toEqual(ids.reverse())
})

test('a deletion moves nothing, even of the last listing of a page', async () => {
  const ids = await listMany(6)
  const first = (await ana.get('/api/products/current?limit=2')).body
  await ana.delete(`/api/products/${first.products[1].id}`)
  const { body } = await ana.get(`/api/products/current?limit=100&cursor=${first.next_cursor}`)
  expect(body.products.map((product: { id: number }) => product.id)).toEqual(ids.slice(0, 4).reverse())
})

test('the public list has pages too', async () => {
  const ids = await listMany(3)
  const visitor = shop.visitor()
  const { body } = await visitor.get('/api/products/?limit=2')
  expect(body.products.map((product: { id: number }) => product.id)).toEqual([ids[2], ids[1]])
  const next = await visitor.get(`/api/products?cursor=${body.next_cursor}&limit=1`)
  expect(next.body.products[0].id).toBe(ids[0])
})

test('the default limit is a hundred', async () => {
  await listMany(1)
  await times(100, () => shop.list(ana))
  const { body } = await ana.get('/api/products/current')
  expect(body.products).toHaveLength(100)
  expect((await ana.get(`/api/products/current?cursor=${body.next_cursor}`)).body.products).toHaveLength(1)
})

test.each(['0', '101', '-1', '1.5', '1e1', '', 'ten', '%2010', '0x10', '99999999999999999999'])(
  'limit=%s is refused',
  async limit => {
    for (const path of ['/api/products/', '/api/products/current']) {
      const response = await ana.get(`${path}?limit=${limit}`)
      expectRefusal(response, 400, 'Limit must be a whole number from 1 to 100')
    }
  },
)

const made = (text: string) => Buffer.from(text).toString('base64url')
test.each([
  ['empty', ''],
  ['no base64', '***'],
  ['no cursor', made('hello')],
  ['an id alone', made('7')],
  ['SQL', made("1.1' or 1=1")],
  ['a negative time', made('-1.1')],
  ['an endless time', made(`${'9'.repeat(19)}.1`)],
  ['an endless id', made(`1.${'9'.repeat(17)}`)],
  ['id 0', made('1.0')],
  ['201 characters', 'x'.repeat(201)],
])('an invalid cursor is refused: %s', async (_, cursor) => {
  for (const path of ['/api/products/', '/api/products/current']) {
    expectRefusal(await ana.get(`${path}?cursor=${cursor}`), 400, 'Cursor is not one of ours')
  }
})

test('a cursor at the end of time is an empty page', async () => {
  await listMany(1)
  const { status, body } = await ana.get(`/api/products/current?cursor=${made('newest.0.0.1')}`)
  expect({ status, body }).toEqual({ status: 200, body: { products: [], next_cursor: null } })
  expect(
    (await ana.get(`/api/products/current?cursor=${made(`newest.0.${'9'.repeat(16)}.${'9'.repeat(15)}`)}`))
      .status,
  ).toBe(200)
})

test('a limit or a cursor given twice is refused', async () => {
  expectRefusal(
    await ana.get('/api/products/?limit=1&limit=2'),
    400,
    'Limit must be a whole number from 1 to 100',
  )
  expectRefusal(await ana.get('/api/products/?cursor=1&cursor=2'), 400, 'Cursor is not one of ours')
})

test('unknown parameters are ignored', async () => {
  const ids = await listMany(1)
  const { status, body } = await ana.get('/api/products/current?seller=1&page=7&__proto__=1&limit[]=3')
  expect(status).toBe(200)
  expect(body.products.map((product: { id: number }) => product.id)).toEqual(ids)
})

test('the list of a category has only its listings, page by page', async () => {
  await listMany(1)
  const toys: { id: number }[] = []
  // One by one: concurrent ones have no order.
  for (const name of ['Top', 'Kite', 'Hoop']) {
    toys.push(await shop.list(ana, { name, category: 'Toys & Entertainment' }))
  }
  const path = `/api/products/?category=${encodeURIComponent('Toys & Entertainment')}&limit=2`
  const first = (await shop.visitor().get(path)).body
  const second = (await shop.visitor().get(`${path}&cursor=${first.next_cursor}`)).body
  const found = [...first.products, ...second.products].map((product: { id: number }) => product.id)
  expect(found).toEqual(toys.map(toy => toy.id).reverse())
  expect(second.next_cursor).toBeNull()
})

test.each(['category=', 'category=Pets', 'category=home+%26+living', 'category=Home'])(
  '%s is no category',
  async query => {
    const five =
      'Home & Living, Clothing & Shoes, Jewelry & Accessories, Toys & Entertainment, Art & Collectibles'
    expectRefusal(await ana.get(`/api/products/?${query}`), 400, `Category must be one of: ${five}`)
  },
)

test('a further page without pieces leads to the first', async () => {
  const [id = 0] = await listMany(2)
  const { body } = await shop.visitor().get('/api/products/?limit=1&q=piece')
  await shop.rows(
    `update products set deleted_at = now() where created_at <= (select created_at from products where id = ${id})`,
  )
  const address = `/search?q=piece&cursor=${encodeURIComponent(body.next_cursor)}`
  await ana.delete(`/api/products/${id}`)
  const page = await shop.visitor().get(address)
  expect([page.status, page.headers.location]).toEqual([302, '/search?q=piece'])
})
