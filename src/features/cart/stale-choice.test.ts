import { beforeEach, expect, test } from 'vitest'
import { addSize, sizes, stocksOf } from '../../../test/support/listings.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

// A line from before a listing had variations, whose answers would fit them.

let shop: TestShop
let ana: Person
let ben: Person
let mug: number
const question = { ...sizes, instructions: '', required: true }
const variations = {
  variations: [sizes],
  combinations: [
    { options: ['Small'], price: 12, stock: 3 },
    { options: ['Large'], price: 18.5, stock: 1 },
  ],
}
beforeEach(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
  mug = (await shop.list(ana, { stock: 9, questions: [question] })).id
  expect((await addSize(ben, mug, 'Small', 4)).status).toBe(201)
  const change = { ...aMug, stock: 9, stock_shown: 9, questions: [], variations }
  expect((await ana.put(`/api/products/${mug}`, change)).body).toMatchObject({ price: 12, stock: 4 })
  return () => open.close()
})
const lines = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items

test('it says that it is changed, and cannot be ordered', async () => {
  expect((await lines())[0].product.refusal).toContain(
    'The maker has changed what they ask about Speckled mug',
  )
  const refused = await ben.post('/api/orders/checkout')
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining('The maker has changed what they ask'),
  ])
  expect(await stocksOf(ana, mug)).toEqual([3, 1])
})

test('the combination is added beside it, and is ordered when the line is removed', async () => {
  expect((await addSize(ben, mug, 'Small', 3)).status).toBe(201)
  expect(await lines()).toHaveLength(2)
  await ben.delete(`/api/cart_items/${(await lines())[0].id}`)
  expect((await ben.post('/api/orders/checkout')).body).toMatchObject({ total: 36 })
  expect(await stocksOf(ana, mug)).toEqual([0, 1])
})

test('the previous release, which does not know combinations, sells none of them', async () => {
  await shop
    .list(ana, { name: 'Bowl' })
    .then(({ id }) => ana.post(`/api/cart_items/add/${id}`, { quantity: 1 }))
  expect((await ana.post('/api/orders/checkout')).status).toBe(201)
  const sale = shop.rows(`
    insert into stock_ledger (product_id, units, reason, order_id)
    select ${mug}, -1, 'sale', id from orders`)
  await expect(sale).rejects.toThrow('a listing with variations is sold by its combinations')
})
