import { beforeAll, expect, test } from 'vitest'
import { addSize, stocksOf, varied } from '../../../test/support/listings.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { Bulk, BulkPreview, Previewed, Seen } from './bulk-contract.ts'

// Bulk edits of a listing with variations: Small at $12, 2 in stock; Large at $18.50, 3 in stock.

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  return () => open.close()
})

const list = async () => (await shop.list(ana, { variations: varied })).id
const prices = async (id: number) =>
  (await ana.get(`/api/products/${id}/details`)).body.variations.combinations.map(
    ({ price }: { price: number }) => price,
  )
const stocks = (id: number) => stocksOf(ana, id)
async function previewed(change: Omit<BulkPreview, 'ids'>, id: number): Promise<Previewed['rows'][number]> {
  return (await ana.post('/api/products/bulk/preview', { ...change, ids: [id] })).body.rows[0]
}
async function seenFor(change: Omit<BulkPreview, 'ids'>, id: number): Promise<Seen> {
  const { before, version } = await previewed(change, id)
  const { price, price_to, stock } = before!
  return { id, version: version!, price, price_to, stock }
}
async function send(change: Omit<Bulk, 'rows'>, row: Seen, key: string = crypto.randomUUID()) {
  const { body } = await ana.post(
    '/api/products/bulk',
    { ...change, rows: [row] },
    { 'idempotency-key': key },
  )
  return body.results[0]
}

test.each<[Omit<Bulk, 'rows'>, number[]]>([
  [{ change: 'price_set', amount: 15 }, [15, 15]],
  [{ change: 'price_percent', amount: 10 }, [13.2, 20.35]],
  [{ change: 'price_amount', amount: -2.5 }, [9.5, 16]],
])('%o changes each combination, once', async (change, after) => {
  const id = await list()
  const row = await previewed(change, id)
  expect(row).toMatchObject({
    before: { price: 12, price_to: 18.5, combinations: 2 },
    after: { price: after[0], price_to: after[1] },
  })
  const seen = await seenFor(change, id)
  for (const key of ['first', 'double-click']) {
    expect(await send(change, seen, key)).toMatchObject({ done: true })
    expect(await prices(id)).toEqual(after)
  }
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ price: after[0], version: 2 })
})

test('the same stock for each is set, also where the sum stays', async () => {
  const id = await list()
  await ana.put(`/api/products/${id}`, {
    ...{ ...aMug, price: 12, stock: 5 },
    variations: { ...varied, combinations: varied.combinations.map((row, n) => ({ ...row, stock: n * 2 })) },
  })
  expect(await stocks(id)).toEqual([0, 2])
  const change = { change: 'stock_set', amount: 1 } as const
  expect(await previewed(change, id)).toMatchObject({ problem: null, after: { stock: 2 } })
  expect(await send(change, await seenFor(change, id))).toMatchObject({ done: true })
  expect(await stocks(id)).toEqual([1, 1])
})

test('programs that do not say the highest price can change tags, and prices once', async () => {
  const id = await list()
  const seen = { id, version: 1, price: 12, stock: 5 }
  expect(await send({ change: 'tags_add', tags: ['clay'] }, seen)).toMatchObject({ done: true })
  expect(await send({ change: 'price_percent', amount: 10 }, { ...seen, version: 2 })).toMatchObject({
    done: true,
  })
  expect(await prices(id)).toEqual([13.2, 20.35])
})

test('a bulk change of an older version is refused, and prices stay', async () => {
  const id = await list()
  const change = { change: 'price_percent', amount: 10 } as const
  const seen = await seenFor(change, id)
  expect(await send({ change: 'price_set', amount: 15 }, seen)).toMatchObject({ done: true })
  expect(await send(change, seen)).toMatchObject({
    done: false,
    message: 'This listing was changed meanwhile',
  })
  expect(await prices(id)).toEqual([15, 15])
})

test('a price that one combination cannot have is refused', async () => {
  const id = await list()
  expect(await previewed({ change: 'price_amount', amount: -12 }, id)).toMatchObject({
    after: null,
    problem: 'The price would not be above $0.00',
  })
  expect(await previewed({ change: 'price_amount', amount: 999_985 }, id)).toMatchObject({
    after: null,
    problem: 'The price would be above $999,999.99',
  })
})

test('pieces are added to each combination, once for each key, also where some are sold meanwhile', async () => {
  const id = await list()
  const change = { change: 'stock_add', amount: 4 } as const
  expect(await previewed(change, id)).toMatchObject({ before: { stock: 5 }, after: { stock: 13 } })
  const seen = await seenFor(change, id)
  const ben = await shop.signUp('ben')
  await addSize(ben, id, 'Large')
  await ben.post('/api/orders/checkout')
  for (const _ of [1, 2]) expect(await send(change, seen, `add-${id}`)).toMatchObject({ done: true })
  expect(await stocks(id)).toEqual([6, 6])
})

test('the stock of each combination is set, unless some were sold since it was shown', async () => {
  const id = await list()
  const change = { change: 'stock_set', amount: 7 } as const
  expect(await previewed(change, id)).toMatchObject({ after: { stock: 14 } })
  const seen = await seenFor(change, id)
  const ben = await shop.signUp('ben')
  await addSize(ben, id, 'Small')
  await ben.post('/api/orders/checkout')
  expect(await send(change, seen)).toMatchObject({
    done: false,
    message: 'Some were sold meanwhile: 4 left in stock',
  })
  expect(await stocks(id)).toEqual([1, 3])
  expect(await send(change, await seenFor(change, id))).toMatchObject({ done: true })
  expect(await stocks(id)).toEqual([7, 7])
  expect(await previewed({ change: 'stock_set', amount: 600_000 }, id)).toMatchObject({
    after: null,
    problem: 'Stock cannot be more than 1,000,000',
  })
})
