import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { SHELF_SORTS } from './bulk-contract.ts'
import type { Listing } from './contract.ts'

let shop: TestShop
let ana: Person
let all: Listing[]
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  await shop.list(await shop.signUp('ben'), { name: 'Mug of Ben' })
  // Some prices and stocks twice.
  for (const [n, price] of [12, 5, 12, 30, 5, 7.5].entries())
    await shop.list(ana, { name: `Mug ${n}`, price, stock: 1 + (n % 3) })
  all = (await ana.get('/api/products/current')).body.products
})
afterAll(() => shop.close())

/** All pages of two, as one list. */
async function walk(query: string): Promise<Listing[]> {
  const found: Listing[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ana.get(`/api/products/shelf?limit=2&${query}${cursor && `&cursor=${cursor}`}`)
    found.push(...body.products)
    if (body.next_cursor === null) return found
    cursor = body.next_cursor
  }
}

test.each(SHELF_SORTS)('sorted by %s, the pages add up to the whole list', async sort => {
  const later = (a: Listing, b: Listing) => b.id - a.id
  const orders: Record<(typeof SHELF_SORTS)[number], (a: Listing, b: Listing) => number> = {
    newest: later,
    stock: (a, b) => a.stock - b.stock || a.id - b.id,
    price_asc: (a, b) => a.price - b.price || a.id - b.id,
    price_desc: (a, b) => b.price - a.price || later(a, b),
  }
  const found = await walk(`sort=${sort}`)
  expect(found).toHaveLength(all.length)
  expect(found).toMatchObject(all.toSorted(orders[sort]))
})

test('a cursor of another order is refused', async () => {
  const { body } = await ana.get('/api/products/shelf?limit=2&sort=stock')
  const other = await ana.get(`/api/products/shelf?sort=price_asc&cursor=${body.next_cursor}`)
  expectRefusal(other, 400, 'Cursor is not one of ours')
})

test('a name is a plain text, and only of the own listings', async () => {
  expect(await walk('name=MUG%203')).toHaveLength(1)
  for (const [name, count] of [
    ['mug', 6],
    ['m_g', 0],
    ["mug' or 1=1", 0],
    ['ben', 0],
  ])
    expect(await walk(`name=${encodeURIComponent(String(name))}`)).toHaveLength(Number(count))
})

test('sold out only', async () => {
  const [{ id, stock } = { id: 0, stock: 0 }] = all
  await shop.correctStock(id, -stock)
  expect((await walk('sold_out=true')).map(listing => listing.id)).toEqual([id])
  await shop.correctStock(id, stock)
})
