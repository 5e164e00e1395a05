import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { Bulk, BulkPreview, BulkResult, Previewed } from './bulk-contract.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

type Change = Omit<Bulk, 'rows'>
/** A new seller with so many mugs, and their ids. */
async function seller(count: number, input = {}): Promise<number[]> {
  ana = await shop.signUp('ana')
  return (await times(count, n => shop.list(ana, { name: `Mug ${n}`, price: 20, stock: 5, ...input }))).map(
    ({ id }) => id,
  )
}
const preview = (body: BulkPreview) => ana.post('/api/products/bulk/preview', body)
const rowsOf = async (body: BulkPreview): Promise<Previewed['rows']> => (await preview(body)).body.rows
/** The listings of a preview that are not refused, as the edit takes them. */
const seenOf = (rows: Previewed['rows']) =>
  rows.flatMap(({ id, version, before, after }) =>
    version !== null && before && after ? [{ id, version, price: before.price, stock: before.stock }] : [],
  )
const send = async (body: Bulk, key = crypto.randomUUID()): Promise<BulkResult['results']> =>
  (await ana.post('/api/products/bulk', body, { 'idempotency-key': key })).body.results
/** Previews, then changes. */
const edit = async (change: Change, ids: number[]) =>
  send({ ...change, rows: seenOf(await rowsOf({ ...change, ids })) })
const listing = async (id: number) => (await ana.get(`/api/products/${id}`)).body
const tagsOf = async (id: number) => (await ana.get(`/api/products/${id}/details`)).body.tags
async function buy(id: number, quantity: number) {
  await ben.post(`/api/cart_items/add/${id}`, { quantity })
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
}

test('the preview has before and after of each piece, and writes nothing', async () => {
  const ids = await seller(2)
  const before = await Promise.all(ids.map(listing))
  const rows = await rowsOf({ change: 'price_percent', amount: 12.5, ids })
  expect(
    rows.map(({ id, name, before, after, problem }) => [id, name, before?.price, after?.price, problem]),
  ).toEqual(ids.map((id, n) => [id, `Mug ${n}`, 20, 22.5, null]))
  expect(await Promise.all(ids.map(listing))).toEqual(before)
})

test.each<[Change, object]>([
  [
    { change: 'price_set', amount: 31.5 },
    { price: 31.5, stock: 5 },
  ],
  [
    { change: 'price_percent', amount: -10 },
    { price: 18, stock: 5 },
  ],
  [
    { change: 'price_amount', amount: -0.01 },
    { price: 19.99, stock: 5 },
  ],
  [
    { change: 'stock_set', amount: 2 },
    { price: 20, stock: 2 },
  ],
  [
    { change: 'stock_add', amount: 7 },
    { price: 20, stock: 12 },
  ],
])('%o', async (change, after) => {
  const ids = await seller(2)
  expect((await edit(change, ids)).map(({ done }) => done)).toEqual([true, true])
  for (const id of ids) expect(await listing(id)).toMatchObject(after)
})

test('section and tags', async () => {
  const [id = 0] = await seller(1, { tags: ['Tea', 'blue'] })
  const section = (await ana.post('/api/sections/', { name: 'Mugs' })).body.id
  await edit({ change: 'section', section_id: section }, [id])
  await edit({ change: 'tags_add', tags: ['TEA', 'gift'] }, [id])
  expect((await ana.get(`/api/products/${id}/details`)).body).toMatchObject({
    section: 'Mugs',
    tags: ['Tea', 'blue', 'gift'],
  })
  await edit({ change: 'tags_remove', tags: ['tea', 'none'] }, [id])
  expect(await tagsOf(id)).toEqual(['blue', 'gift'])
  await edit({ change: 'section', section_id: null }, [id])
  expect((await ana.get(`/api/products/${id}/details`)).body.section).toBeNull()
  const full = Array.from({ length: 12 }, (_, n) => `tag ${n}`)
  const [row] = await rowsOf({ change: 'tags_add', tags: full, ids: [id] })
  expect(row?.problem).toBe('It would have more than 13 tags')
})

test('a section of someone else is refused', async () => {
  const [id = 0] = await seller(1)
  const section = (await ben.post('/api/sections/', { name: 'Theirs' })).body.id
  const change = { change: 'section', section_id: section } as const
  const seen = { id, version: 1, price: 20, stock: 5 }
  const refusal = 'There is no such section of yours; choose another one'
  expectRefusal(await preview({ ...change, ids: [id] }), 400, refusal)
  expectRefusal(await ana.post('/api/products/bulk', { ...change, rows: [seen] }), 400, refusal)
})

test('retiring many', async () => {
  const ids = await seller(3)
  expect((await edit({ change: 'retire' }, ids.slice(0, 2))).map(({ done }) => done)).toEqual([true, true])
  const retired = (await ana.get('/api/products/shelf?retired=true')).body.products
  expect(retired.map(({ id }: { id: number }) => id).sort()).toEqual(ids.slice(0, 2).sort())
  expect((await listing(ids[2] ?? 0)).stock).toBe(5)
})

test('refusals stand in their row, and the others go through', async () => {
  const [cheap = 0, dear = 0, same = 0, gone = 0] = await seller(4)
  await edit({ change: 'price_set', amount: 3 }, [cheap])
  await edit({ change: 'price_set', amount: 17 }, [same])
  await ana.delete(`/api/products/${gone}`)
  const foreign = (await shop.list(ben)).id
  const ids = [cheap, dear, gone, foreign]
  const rows = await rowsOf({ change: 'price_amount', amount: -3, ids })
  expect(rows.map(({ id, after, problem }) => [id, after?.price, problem])).toEqual([
    [cheap, undefined, 'The price would not be above $0.00'],
    [dear, 17, null],
    [gone, undefined, 'It is no longer for sale'],
    [foreign, undefined, 'It is no longer for sale'],
  ])
  expect(rows.find(({ id }) => id === foreign)).toMatchObject({ name: null, before: null, image: null })
  const [unchanged] = await rowsOf({ change: 'price_set', amount: 17, ids: [same] })
  expect(unchanged?.problem).toBe('It is like that already')
  const theirs = { id: foreign, version: 1, price: 24.5, stock: 5 }
  const before = await listing(foreign)
  for (const change of [{ change: 'retire' }, { change: 'stock_add', amount: 3 }] as const) {
    const [result] = await send({ ...change, rows: [theirs] })
    expect(result).toEqual({ id: foreign, name: null, done: false, message: 'It is no longer for sale' })
  }
  expect(await listing(foreign)).toEqual(before)
})

test('a piece that was changed meanwhile is refused, and the others are changed', async () => {
  const ids = await seller(3)
  for (const change of [
    { change: 'price_percent', amount: 10 },
    { change: 'stock_add', amount: 1 },
    { change: 'tags_add', tags: ['clay'] },
    { change: 'retire' },
  ] satisfies Change[]) {
    const rows = seenOf(await rowsOf({ ...change, ids }))
    const { images: _, ...mug } = await listing(ids[1] ?? 0)
    await ana.put(`/api/products/${mug.id}`, { ...mug, description: `Not for ${change.change}.` })
    const results = await send({ ...change, rows })
    expect(results.map(({ done }) => done)).toEqual([true, false, true])
    expect(results[1]?.message).toBe('This listing was changed meanwhile')
    expect(await listing(ids[1] ?? 0)).toMatchObject({ price: 20, stock: 5 })
  }
})

test('a price other than the one shown is refused', async () => {
  const [id = 0] = await seller(1)
  const [result] = await send({
    change: 'price_percent',
    amount: 10,
    rows: [{ id, version: 1, price: 10, stock: 5 }],
  })
  expect(result).toMatchObject({ done: false, message: 'This listing was changed meanwhile' })
  expect((await listing(id)).price).toBe(20)
})

test('what was sold meanwhile stays sold', async () => {
  const [set = 0, add = 0, out = 0] = await seller(3)
  const rows = async (change: Change, id: number) => seenOf(await rowsOf({ ...change, ids: [id] }))
  const [toSet, toAdd, toOne] = [
    { change: 'stock_set', amount: 8 } as const,
    { change: 'stock_add', amount: 10 } as const,
    { change: 'stock_set', amount: 1 } as const,
  ]
  const seen = [await rows(toSet, set), await rows(toAdd, add), await rows(toOne, out)] as const
  for (const id of [set, add, out]) await buy(id, 2)
  await send({ ...toSet, rows: seen[0] })
  await send({ ...toAdd, rows: seen[1] })
  expect([await shop.stockOf(set), await shop.stockOf(add)]).toEqual([6, 13])
  const [refused] = await send({ ...toOne, rows: seen[2] })
  expect(refused).toMatchObject({ done: false, message: 'Some were sold meanwhile: 3 left in stock' })
  expect(await shop.stockOf(out)).toBe(3)
})

test.each<Change>([
  { change: 'price_percent', amount: 10 },
  { change: 'price_amount', amount: 1.5 },
  { change: 'stock_add', amount: 3 },
  { change: 'tags_add', tags: ['clay'] },
  { change: 'retire' },
])('sent twice, also at once, it changes once: %o', async change => {
  const ids = await seller(3)
  const rows = seenOf(await rowsOf({ ...change, ids }))
  const key = crypto.randomUUID()
  const stateOf = () =>
    shop.rows(`select p.price_cents, p.tags, p.retired_at is null as listed, s.quantity
      from products as p join stock as s on s.product_id = p.id where p.seller_id = ${ana.user.id} order by p.id`)
  await send({ ...change, rows: rows.slice(0, 1) }, key)
  const results = await times(3, () => send({ ...change, rows }, key))
  expect(results.flat().map(({ done }) => done)).toEqual(Array(9).fill(true))
  const once = await stateOf()
  expect(new Set(once.map(row => JSON.stringify(row))).size).toBe(1)
  expect(await send({ ...change, rows }, key)).toEqual(results[0])
  expect(await stateOf()).toEqual(once)
})

test('a stock sent twice stays saved when the price was saved in between', async () => {
  const ids = await seller(1)
  const rows = seenOf(await rowsOf({ change: 'stock_set', amount: 2, ids }))
  const keys = [crypto.randomUUID(), crypto.randomUUID()]
  for (const _ of ['once', 'twice']) {
    const stock = await send({ change: 'stock_set', amount: 2, rows }, keys[0]!)
    const price = await send(
      { change: 'price_set', amount: 31.5, rows: [{ ...rows[0]!, stock: 2 }] },
      keys[1]!,
    )
    expect([stock, price].flat().map(({ done }) => done)).toEqual([true, true])
  }
  expect(await listing(ids[0]!)).toMatchObject({ price: 31.5, stock: 2 })
})
