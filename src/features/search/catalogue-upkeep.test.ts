import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATEGORIES } from '#products/categories.ts'
import { times } from '../../../test/support/expect.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('the catalogue equals its source tables after concurrent changes', async () => {
  const [odile, critic] = [await shop.signUp('odile'), await shop.signUp('critic')]
  const busy = await times(6, n => shop.list(odile, { name: `Busy ${n}`, stock: 2 }))
  await times(60, async n => {
    const { id } = busy[n % busy.length]!
    if (n % 5 === 0)
      await odile.put(`/api/products/${id}`, {
        name: `Busy ${n}`,
        category: CATEGORIES[n % 5],
        description: 'Again.',
        price: n + 1,
        stock: 1 + (n % 2),
      })
    else if (n % 5 === 1)
      await critic.post(`/api/reviews/${id}/create-review`, { review: 'Fine.', stars: 1 + (n % 5) })
    else if (n % 5 === 2) await critic.delete(`/api/reviews/${id}/delete-review`)
    else if (n % 5 === 3)
      await critic
        .post(`/api/cart_items/add/${id}`, { quantity: 1 })
        .then(() => critic.post('/api/orders/checkout'))
    else if (n === 44) await odile.delete(`/api/products/${id}`)
    else
      for (const order of (await critic.get('/api/orders/')).body.slice(0, 1))
        await critic.delete(`/api/orders/${order.id}/delete-order`)
  })
  const { rows } = await sql`
    (table catalogue except table catalogue_source) union all (table catalogue_source except table catalogue)
  `.execute(shop.db)
  expect(rows).toEqual([])
})
