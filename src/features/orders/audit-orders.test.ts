import { afterAll, beforeAll, expect, test } from 'vitest'
import { findingsAfter, findingsIn, type Harm } from '../../../test/support/audit-findings.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let mug: number
let placed: number
let cancelled: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mug = (await shop.list(ana, { stock: 20 })).id
  placed = await order(2)
  cancelled = await order(3)
  await ana.delete(`/api/orders/${cancelled}/delete-order`)
})
afterAll(() => shop.close())

async function order(quantity: number): Promise<number> {
  await ana.post(`/api/cart_items/add/${mug}`, { quantity })
  return (await ana.post('/api/orders/checkout')).body.id
}

test.each<Harm>([
  [
    'an order without a seller',
    () => `update orders set seller_id = null where id = ${placed}`,
    () => `update orders set seller_id = ${ana.user.id} where id = ${placed}`,
    () => [
      '✗ Each order has a purchase, and a seller who is there',
      `order ${placed}: seller none, purchase ${placed}`,
    ],
  ],
  [
    'a sale that no order holds',
    () =>
      `update order_lines set quantity = 1 where order_id = ${placed}; update orders set total_cents = 2450 where id = ${placed}`,
    () =>
      `update order_lines set quantity = 2 where order_id = ${placed}; update orders set total_cents = 4900 where id = ${placed}`,
    () => [
      '✗ What the ledger sold is what orders hold',
      `purchase ${placed}, listing ${mug}: 1 ordered, 2 in the ledger`,
    ],
  ],
  [
    'a cancellation that gave nothing back',
    () =>
      `delete from stock_ledger where order_id = ${cancelled} and reason = 'cancel'; update stock set quantity = quantity - 3 where product_id = ${mug}`,
    () =>
      `insert into stock_ledger (product_id, units, reason, order_id, event_id)
        select ${mug}, 3, 'cancel', ${cancelled}, max(id) from order_events where order_id = ${cancelled};
       update stock set quantity = quantity + 3 where product_id = ${mug}`,
    () => [
      '✗ Cancelled pieces were given back to stock, and no others',
      `purchase ${cancelled}, listing ${mug}: 3 cancelled, nothing given back`,
    ],
  ],
  [
    'more given back than was cancelled',
    () =>
      `update stock_ledger set units = 4 where order_id = ${cancelled} and reason = 'cancel'; update stock set quantity = quantity + 1 where product_id = ${mug}`,
    () =>
      `update stock_ledger set units = 3 where order_id = ${cancelled} and reason = 'cancel'; update stock set quantity = quantity - 1 where product_id = ${mug}`,
    () => [
      '✗ Cancelled pieces were given back to stock, and no others',
      `purchase ${cancelled}, listing ${mug}: 3 cancelled, 4 given back`,
    ],
  ],
  [
    'pieces that were sent without a parcel',
    () =>
      `update order_lines set sent = 1 where order_id = ${placed}; update orders set status = 'Part sent' where id = ${placed}`,
    () =>
      `update order_lines set sent = 0 where order_id = ${placed}; update orders set status = 'Pending' where id = ${placed}`,
    () => [
      '✗ What is sent and cancelled of an order is what happened to it',
      `order ${placed}, listing ${mug}: 1 sent, 0 cancelled; 0 and 0 by its events`,
    ],
  ],
  [
    'a status that does not follow from the pieces',
    () => `update orders set is_open = false where id = ${placed}`,
    () => `update orders set is_open = true where id = ${placed}`,
    () => [
      '✗ The status of an order follows from its pieces',
      `order ${placed}: Pending, not open, with 2 pieces of which 0 are sent and 0 cancelled`,
    ],
  ],
  [
    'a total that is not the sum',
    () => `update orders set postage_cents = 1 where id = ${placed}`,
    () => `update orders set postage_cents = 0 where id = ${placed}`,
    () => [
      '✗ The total of an order is the sum of its lines and its postage',
      `order ${placed}: total 4900 cents, lines 4900, postage 1`,
    ],
  ],
  [
    'money that nobody has recorded',
    () => `update orders set paid_cents = 5 where id = ${placed}`,
    () => `update orders set paid_cents = 0 where id = ${placed}`,
    () => [
      '✗ What is cancelled, paid and refunded of an order is the sum of its events',
      `order ${placed}: 0 cents cancelled, 5 paid, 0 refunded; 0, 0 and 0 by its lines and events`,
    ],
  ],
  [
    'a status without its time',
    () => `update orders set cancelled_at = now() where id = ${placed}`,
    () => `update orders set cancelled_at = null where id = ${placed}`,
    () => [
      '✗ An order is cancelled at a time, and no other has one',
      expect.stringContaining(`order ${placed}: Pending`),
    ],
  ],
])('finds %s', async (_, harm, repair, expected) => {
  expect(await findingsAfter(shop, harm(), repair())).toEqual(expected())
})

test('an order of several sellers from before has its ledger entries under the number of the purchase', async () => {
  const ben = await shop.signUp('ben')
  const { id } = await shop.list(ben, { stock: 9 })
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await order(1)
  const [{ purchase_id }] = await shop.rows(
    'select purchase_id from orders group by purchase_id having count(*) > 1',
  )
  await shop.rows(`alter table stock_ledger disable trigger user;
    update stock_ledger as e set order_id = o.purchase_id from orders as o
      where o.id = e.order_id and o.purchase_id = ${purchase_id};
    alter table stock_ledger enable trigger user`)
  expect(await findingsIn(shop)).toEqual([])
})

test('an order that was sent, paid and cancelled in parts passes', async () => {
  const id = await order(3)
  const lines = [{ id: mug, quantity: 1 }]
  const { body } = await ana.post(`/api/sales/${id}/parcels`, { lines })
  await ana.post(`/api/sales/${id}/events/${body.parcels[0].id}/undo`)
  await ana.post(`/api/sales/${id}/parcels`, { lines })
  await ana.post(`/api/sales/${id}/cancel`, { lines, reason: 'It cracked.' })
  const money = { amount: 30, day: '2026-01-02' }
  await ana.post(`/api/sales/${id}/payments`, money)
  expect((await ana.post(`/api/sales/${id}/refunds`, { ...money, amount: 5 })).status).toBe(201)
  expect(await findingsIn(shop)).toEqual([])
})
