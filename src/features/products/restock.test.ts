import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { times } from '../../../test/support/person.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const POSITIVE_STOCK = 'Stock must be a positive number'

async function sell(id: number, quantity: number, buyer = ben): Promise<number> {
  await buyer.post(`/api/cart_items/add/${id}`, { quantity })
  return (await buyer.post('/api/orders/checkout')).status
}
const save = (id: number, change: object) => ana.put(`/api/products/${id}`, { ...aMug, ...change })

test('with the stock shown, units sold meanwhile stay sold', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  await sell(id, 2)
  const same = await save(id, { stock: 5, stock_shown: 5, description: 'Other words.' })
  expect(same).toMatchObject({ status: 200, body: { stock: 3, description: 'Other words.' } })
  expect(same.body).not.toHaveProperty('stock_shown')
  expect((await save(id, { stock: 9, stock_shown: 5 })).body.stock).toBe(7)
  expect((await save(id, { stock: 1, stock_shown: 8 })).body.stock).toBe(0)
})

test('without the stock shown, the stock is set', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  await sell(id, 2)
  expect((await save(id, { stock: 5 })).body.stock).toBe(5)
})

test('removing more than is left is refused, and nothing changes', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  await sell(id, 3)
  const before = (await ana.get(`/api/products/${id}`)).body
  const response = await save(id, { name: 'Changed', stock: 2, stock_shown: 5 })
  expectRefusal(response, 409, 'Some were sold meanwhile: 2 left in stock')
  expect((await ana.get(`/api/products/${id}`)).body).toEqual(before)
})

test('a stock never exceeds the largest', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  expectRefusal(
    await save(id, { stock: 1_000_000, stock_shown: 0 }),
    400,
    'Stock cannot be more than 1,000,000',
  )
  expect(await shop.stockOf(id)).toBe(5)
})

test('a stock of 0 can stay, but not be chosen', async () => {
  const { id } = await shop.list(ana, { stock: 1 })
  await sell(id, 1)
  const unchanged = await save(id, { stock: 0, stock_shown: 0, name: 'Sold mug' })
  expect(unchanged).toMatchObject({ status: 200, body: { stock: 0, name: 'Sold mug' } })
  expect((await save(id, { stock: 2, stock_shown: 0 })).body.stock).toBe(2)
  expectRefusal(await save(id, { stock: 0 }), 400, POSITIVE_STOCK)
  expectRefusal(await save(id, { stock: 0, stock_shown: 2 }), 400, POSITIVE_STOCK)
  const tooLong = await save(id, { stock: 0, stock_shown: 2, name: 'x'.repeat(51) })
  expectRefusal(tooLong, 400, 'Name cannot be more than 50 characters', POSITIVE_STOCK)
  expectRefusal(await ana.post('/api/products/', { ...aMug, stock: 0, stock_shown: 0 }), 400, POSITIVE_STOCK)
  expect(await shop.stockOf(id)).toBe(2)
})

test('a repeated change adds its stock once', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const sent = (stock: number, key: string) =>
    ana.put(`/api/products/${id}`, { ...aMug, stock, stock_shown: 5 }, { 'idempotency-key': key })
  const responses = await times(5, () => sent(8, 'first'))
  expect(responses.map(({ status, body }) => [status, body.stock])).toEqual(Array(5).fill([200, 8]))
  await sell(id, 2)
  expect((await sent(8, 'first')).body.stock).toBe(6)
  // The response was lost, and more was typed before the retry.
  expect((await sent(9, 'first')).body.stock).toBe(7)
  expect((await sent(4, 'first')).body.stock).toBe(2)
  expect((await sent(6, 'second')).body.stock).toBe(3)
  expectRefusal(await sent(6, 'a key'), 400, 'Idempotency-Key must be 1 to 100 visible characters')
})

test('a repeated new listing is one listing of its seller', async () => {
  const seller = await shop.signUp('seller')
  const sent = (by: Person, stock: number) =>
    by.post(
      '/api/products/',
      { ...aMug, stock, description: `${stock} mugs of clay` },
      { 'idempotency-key': 'mugs' },
    )
  const responses = await times(5, () => sent(seller, 3))
  const [{ body: mugs } = { body: {} as never }] = responses
  expect(responses.map(({ status, body }) => [status, body.id, body.stock])).toEqual(
    Array(5).fill([201, mugs.id, 3]),
  )
  await sell(mugs.id, 1)
  expect((await sent(seller, 4)).body).toMatchObject({ id: mugs.id, description: '4 mugs of clay', stock: 3 })
  expect((await sent(ana, 3)).body.id).not.toBe(mugs.id)
  const another = await seller.post(
    '/api/products/',
    { ...aMug, name: 'Bowl' },
    { 'idempotency-key': 'mugs' },
  )
  const already = `${mugs.name} was added with this form already. To add another piece, send the form again. To correct ${mugs.name}, or to add its photos, go to Your Listings`
  expectRefusal(another, 422, already)
  expect((await seller.get(`/api/products/${mugs.id}`)).body.description).toBe('4 mugs of clay')
  await seller.delete(`/api/products/${mugs.id}`)
  expect((await sent(seller, 4)).status).toBe(404)
})

test('a change of an older version is refused, and nothing changes', async () => {
  const { id, version } = await shop.list(ana, { stock: 5 })
  const saved = (change: object, expected: unknown) =>
    ana.put(`/api/products/${id}`, { ...aMug, ...change }, { 'expected-version': String(expected) })
  // Sales, reviews and stock do not change the version.
  await sell(id, 1)
  await ben.post(`/api/reviews/${id}/create-review`, { review: 'Holds a lot of tea.', stars: 5 })
  await save(id, { stock: 7, stock_shown: 5 })
  const first = await saved({ name: 'First tab', stock: 5, stock_shown: 5 }, version)
  expect(first).toMatchObject({ status: 200, body: { name: 'First tab', stock: 6, review_count: 1 } })
  const second = await saved({ price: 30, stock: 9, stock_shown: 5 }, version)
  expectRefusal(second, 409, 'This listing was changed meanwhile')
  expect((await ana.get(`/api/products/${id}`)).body).toEqual(first.body)
  // A retry of the first; then the second, based on it.
  expect((await saved({ name: 'First tab', stock: 5, stock_shown: 5 }, version)).body).toEqual(first.body)
  const third = await saved({ price: 30, stock: 9, stock_shown: 5 }, first.body.version)
  expect(third.body).toMatchObject({ name: aMug.name, price: 30, stock: 10 })
  // Without a version the listing is replaced, also by a copy that was read before.
  expect((await ana.put(`/api/products/${id}`, { ...first.body, stock: 2 })).body).toMatchObject({
    name: 'First tab',
    stock: 2,
  })
  expectRefusal(await saved({}, 'newest'), 400, 'Expected-Version must be a whole number above 0')
})

test('of ten concurrent changes of one version one is saved', async () => {
  const { id, version } = await shop.list(ana)
  const changes = Array.from({ length: 10 }, (_, n) =>
    ana.put(`/api/products/${id}`, { ...aMug, name: `Tab ${n}` }, { 'expected-version': String(version) }),
  )
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, ...Array(9).fill(409)])
})

test.each([-1, 0.5, '5', null])('%j is refused as the stock shown', async stock_shown => {
  const { id } = await shop.list(ana)
  expectRefusal(await save(id, { stock_shown }), 400, 'Stock shown must be a whole number, 0 or more')
})

test('twenty buyers while the listing is edited: nothing is oversold', async () => {
  const { id } = await shop.list(ana, { stock: 15 })
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.signUp('buyer')))
  const edits = Array.from({ length: 10 }, (_, n) =>
    save(id, { stock: 15, stock_shown: 15, description: `Words ${n}.` }),
  )
  const sales = buyers.map(buyer => sell(id, 1, buyer))
  const [saved, sold] = await Promise.all([Promise.all(edits), Promise.all(sales)])
  expect(saved.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(sold.filter(status => status === 201)).toHaveLength(15)
  expect(await shop.stockOf(id)).toBe(0)
})
