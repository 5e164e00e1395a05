import { beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { BulkPreview, Previewed } from './bulk-contract.ts'

// Which listings a bulk edit is for.

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  return () => open.close()
})

/** Ids of so many mugs of a new seller. */
async function mugs(count: number): Promise<number[]> {
  ana = await shop.signUp('ana')
  return (await times(count, n => shop.list(ana, { name: `Mug ${n}` }))).map(({ id }) => id)
}
const preview = (body: BulkPreview) => ana.post('/api/products/bulk/preview', body)
const rowsOf = async (body: BulkPreview): Promise<Previewed['rows']> => (await preview(body)).body.rows
const rising = (ids: number[]) => ids.sort((a, b) => a - b)

test('retired pieces are brought back at once, those that match or those that are named', async () => {
  const ids = await mugs(3)
  for (const id of ids) await ana.post(`/api/products/${id}/retire`)
  expect((await rowsOf({ change: 'retire', ids })).map(({ problem }) => problem)).toEqual(
    Array(3).fill('It is no longer for sale'),
  )
  expect(rising((await rowsOf({ change: 'restore', matching: {} })).map(({ id }) => id))).toEqual(rising(ids))
  const rows = await rowsOf({ change: 'restore', matching: { name: 'mug 1' } })
  expect(rows).toMatchObject([{ before: { retired: true }, after: { retired: false }, problem: null }])
  const seen = rows.map(({ id, version, before }) => ({
    id,
    version,
    price: before!.price,
    stock: before!.stock,
  }))
  const send = () => ana.post('/api/products/bulk', { change: 'restore', rows: seen })
  for (const _ of [1, 2]) expect((await send()).body.results).toMatchObject([{ done: true }])
  expect((await ana.get(`/api/products/${seen[0]?.id}`)).body.name).toBe('Mug 1')
  expect(await rowsOf({ change: 'restore', ids: [seen[0]!.id] })).toMatchObject([
    { before: null, after: null, problem: 'It is not retired' },
  ])
  expect(await rowsOf({ change: 'restore', matching: {} })).toHaveLength(2)
})

test('all that match: by name, sold out, and at most 500', async () => {
  const ids = await mugs(3)
  const [cup = 0] = [(await shop.list(ana, { name: 'Café cup', stock: 1 })).id]
  await shop.correctStock(cup, -1)
  const of = async (matching: object) =>
    rising((await rowsOf({ change: 'retire', matching })).map(({ id }) => id))
  expect(await of({})).toEqual(rising([...ids, cup]))
  expect(await of({ name: 'cafe' })).toEqual([cup])
  expect(await of({ sold_out: true })).toEqual([cup])
  expect(await of({ name: '%' })).toEqual(rising([...ids, cup]))
  await shop.rows(`
    insert into products (seller_id, name, category, description, price_cents)
    select ${ana.user.id}, 'Tile', 'Home & Living', 'Flat.', 500 from generate_series(1, 501)`)
  await shop.rows(`
    insert into stock_ledger (product_id, units, reason)
    select id, 1, 'opening' from products where seller_id = ${ana.user.id} and name = 'Tile'`)
  expectRefusal(
    await preview({ change: 'retire', matching: { name: 'tile' } }),
    400,
    'More than 500 pieces match, which is the most at once. Search by name for fewer',
  )
})
