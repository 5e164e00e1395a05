import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSales } from '../../../bench/sales.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { filters } from './filters.ts'
import { parts, rowsOf, searched } from './list.ts'

const MANY = 5_000

let shop: TestShop
let maker: Person
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
  const [other, shopper] = [await shop.signUp('other'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker)
  await shop.rows(`insert into products (seller_id, name, category, description, price_cents)
    select seller_id, name, category, description, price_cents from products, generate_series(1, 200) where id = ${id}`)
  expect(shopper.user.id).toBeGreaterThan(0)
  const client = new pg.Client(shop.connection as pg.ClientConfig)
  await client.connect()
  for (const person of [maker, other]) await addSales(client, person.user.id, MANY)
  await client.query('analyze')
  await client.end()
})
afterAll(() => shop.close())

/** The indexes that a plan reads. */
async function indexesOf(statement: ReturnType<typeof rowsOf>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(shop.db)
  return rows.map(row => Object.values(row).join()).join('\n')
}

test('each part of the list is read in the order of an index, and nothing is sorted', async () => {
  const used = ['orders_seller_open', 'orders_seller_open', 'orders_seller']
  for (const [n, part] of parts.entries())
    for (const beyond of [sql`true`, part.after('1780000000000000', '7')]) {
      const plan = await indexesOf(rowsOf(maker.user.id, part, [beyond], 25))
      expect(plan).toMatch(new RegExp(`using ${used[n]} on orders`))
      expect(plan).not.toMatch(/Seq Scan on orders|^\s*Sort\b/m)
    }
})

test('unpaid orders and the sums are found by an index', async () => {
  const [, , closed] = parts
  const plan = await indexesOf(rowsOf(maker.user.id, closed!, [filters.unpaid.where], 25))
  expect(plan).toMatch(/using orders_seller(_running)? on orders/)
  expect((await maker.get('/api/sales/?state=unpaid&limit=100')).body.sales).toHaveLength(100)
  const { body } = await maker.get('/api/sales/sums')
  // Every tenth is open, and every second of them and of the others is not paid.
  expect(body.orders).toBe(MANY / 2 + MANY / 10)
  expect(body.open).toBe(Math.round((body.due - body.paid) * 100) / 100)
})

test('a search reads only the shoppers and addresses of the orders of its maker', async () => {
  for (const [n, part] of parts.entries()) {
    const plan = await indexesOf(rowsOf(maker.user.id, part, [searched('fromafar')], 25))
    expect(plan, `part ${n}`).not.toMatch(/hashed SubPlan|Seq Scan on order_addresses/)
  }
})

test('all of many orders are on the pages of the list, each once', async () => {
  const found: number[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 100; pages++) {
    const { body } = await maker.get(`/api/sales/?limit=100${cursor && `&cursor=${cursor}`}`)
    found.push(...body.sales.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
  }
  expect([found.length, new Set(found).size]).toEqual([MANY, MANY])
})
