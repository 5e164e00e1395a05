import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#platform/database/database.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { place } from './orders.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('the statements of a checkout have generic plans', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(ana, { stock: 9 })
  const { db, close } = openPool(shop.connection, 1)
  for (let order = 0; order < 3; order++) {
    await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    expect(await place(db, ben.user.id)).toMatchObject({ products_ordered: [{ quantity: 1 }] })
  }
  // Of this connection; the first statement of the transaction makes the setting.
  const { rows } = await sql<{ statement: string; custom: number; generic: number }>`
    select statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
    where statement not like '%insert into carts%' and statement not like '%pg_prepared_statements%'`.execute(
    db,
  )
  await close()
  expect(rows.length).toBeGreaterThan(2)
  for (const { statement, custom, generic } of rows) expect([custom, generic], statement).toEqual([0, 3])
})
