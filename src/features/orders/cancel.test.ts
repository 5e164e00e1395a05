import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
beforeEach(async () => {
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const NOT_PENDING = 'Only an order that is Pending can be cancelled'
const cancel = (person: Person, id: number | string) => person.delete(`/api/orders/${id}/delete-order`)

/** ben orders two of five mugs. */
async function orderTwoMugs(person = ben) {
  const mug = await shop.list(ana, { stock: 5 })
  await person.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 })
  const order = (await person.post('/api/orders/checkout')).body as { id: number }
  return { mug, order }
}
const rowOf = (id: number) =>
  shop.db
    .selectFrom('orders')
    .select(['status', 'cancelled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('cancelling gives the stock back, and the order leaves the list but is stored', async () => {
  const { mug, order } = await orderTwoMugs()
  expect(await shop.stockOf(mug.id)).toBe(3)
  const { status, body } = await cancel(ben, order.id)
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Order cancelled' } })
  expect(await shop.stockOf(mug.id)).toBe(5)
  expect((await ben.get('/api/orders/')).body).toEqual([])
  expect(await rowOf(order.id)).toEqual({ status: 'Cancelled', cancelled_at: expect.any(Date) })
  expect((await ben.get('/api/orders/order-items/2')).body).toEqual([
    { order_id: order.id, product_id: mug.id, quantity: 2 },
  ])
})

test('cancelling again is refused, and gives nothing back', async () => {
  const { mug, order } = await orderTwoMugs()
  await cancel(ben, order.id)
  expectRefusal(await cancel(ben, order.id), 409, NOT_PENDING)
  expect(await shop.stockOf(mug.id)).toBe(5)
})

test('cancelling one order leaves the others', async () => {
  const { order } = await orderTwoMugs()
  const { order: other } = await orderTwoMugs()
  await cancel(ben, order.id)
  expect((await ben.get('/api/orders/')).body).toMatchObject([{ id: other.id, status: 'Pending' }])
})

test('someone else’s order is 404', async () => {
  const { mug, order } = await orderTwoMugs()
  expectRefusal(await cancel(ana, order.id), 404, 'There is no such order')
  expectRefusal(await cancel(ben, 999_999_999), 404, 'There is no such order')
  expectRefusal(await cancel(ben, mug.id), 404, 'There is no such order')
  await cancel(ben, order.id)
  expectRefusal(await cancel(ana, order.id), 404, 'There is no such order')
  expect(await shop.stockOf(mug.id)).toBe(5)
})

test('malformed ids are 404', async () => {
  for (const id of ['0', '-1', '1.5', 'x', '1e3', '9223372036854775808', '01', '%00']) {
    expectRefusal(await cancel(ben, id), 404, 'There is nothing at this address')
  }
})

test('the stock of a deleted listing comes back too, and the listing stays deleted', async () => {
  const { mug, order } = await orderTwoMugs()
  await ana.delete(`/api/products/${mug.id}`)
  expect((await cancel(ben, order.id)).status).toBe(200)
  expect(await shop.stockOf(mug.id)).toBe(5)
  expect((await ben.get(`/api/products/${mug.id}`)).status).toBe(404)
})

test('cancelling is possible with a JSON content type and an empty body', async () => {
  const { order } = await orderTwoMugs()
  const url = `/api/orders/${order.id}/delete-order/`
  const headers = { 'content-type': 'application/json' }
  expect((await ben.send({ method: 'DELETE', url, headers, payload: '' })).status).toBe(200)
})

test('an order of any size can be cancelled, with all of its stock', async () => {
  const count = 16_400
  // Not in the catalogue, to save time.
  for (const table of ['products', 'stock']) await shop.rows(`alter table ${table} disable trigger user`)
  const maker = ana.user.id
  await shop.rows(`
    insert into products (seller_id, name, category, description, price_cents)
    select ${maker}, 'Bead', 'Art & Collectibles', 'Small', 1 from generate_series(1, ${count})`)
  await shop.rows(`
    insert into stock_ledger (product_id, units, reason)
    select id, 5, 'opening' from products where seller_id = ${maker} and name = 'Bead'`)
  for (const table of ['products', 'stock']) await shop.rows(`alter table ${table} enable trigger user`)
  const [{ id }] = await shop.rows(
    `insert into orders (user_id, seller_id, total_cents) values (${ben.user.id}, ${maker}, ${count}) returning id`,
  )
  await shop.rows(`
    insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select ${id}, id, name, 1, 1 from products where seller_id = ${maker} and name = 'Bead'`)
  await shop.rows(`
    insert into stock_ledger (product_id, units, reason, order_id)
    select product_id, -1, 'sale', order_id from order_lines where order_id = ${id}`)
  expect((await cancel(ben, id)).status).toBe(200)
  const [{ back }] = await shop.rows(`
    select count(*)::int as back from order_lines join stock using (product_id)
    where order_id = ${id} and stock.quantity = 5`)
  expect(back).toBe(count)
}, 60_000)

test('concurrent cancels and checkouts of the same listings never deadlock, and no unit is lost', async () => {
  const pieces = await times(5, n => shop.list(ana, { name: `Piece ${n}`, stock: 100 }))
  const buy = async (person: Person, ids: number[]) => {
    for (const id of ids) await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    return person.post('/api/orders/checkout')
  }
  const ids = pieces.map(piece => piece.id)
  const people = await times(16, n => shop.signUp(`p${n}`))
  const orders = await Promise.all(people.map((person, n) => buy(person, n % 2 ? ids : ids.toReversed())))
  const responses = await Promise.all(
    people.flatMap((person, n) => [
      cancel(person, orders[n]?.body.id),
      n % 2 ? buy(person, ids.toReversed()) : buy(person, ids),
    ]),
  )
  expect(countStatuses(responses)).toEqual({ 200: 16, 201: 16 })
  for (const id of ids) expect(await shop.stockOf(id)).toBe(84)
}, 120_000)
