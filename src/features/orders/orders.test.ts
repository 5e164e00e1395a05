import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
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

const add = (id: number, quantity = 1) => ben.post(`/api/cart_items/add/${id}`, { quantity })
const checkout = (person = ben) => person.post('/api/orders/checkout')
const cartOf = async (person: Person) =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items
const ordersOf = async (person: Person) => (await person.get('/api/orders/')).body
/** What a checkout has answered, in the list. */
const byAna = (order: object) => ({ ...order, maker: ana.user.username })

test('checkout places one order from the whole cart, takes the stock and empties the cart', async () => {
  const mug = await shop.list(ana, { stock: 5, price: 24.5 })
  const bowl = await shop.list(ana, { stock: 3, price: 0.1, name: 'Bowl' })
  await add(bowl.id, 3)
  await add(mug.id, 2)
  const { status, body } = await checkout()
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    status: 'Pending',
    total: 49.3,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    products_ordered: [
      { id: mug.id, name: mug.name, price: 24.5, quantity: 2 },
      { id: bowl.id, name: 'Bowl', price: 0.1, quantity: 3 },
    ],
  })
  expect(await ordersOf(ben)).toEqual([byAna(body)])
  expect([await shop.stockOf(mug.id), await shop.stockOf(bowl.id)]).toEqual([3, 0])
  expect(await cartOf(ben)).toEqual([])
})

test('an empty cart is refused', async () => {
  expectRefusal(await checkout(), 400, 'Your cart is empty')
  expect(await ordersOf(ben)).toEqual([])
})

test('a JSON content type with an empty body is what checkout expects; without one it works too', async () => {
  const mug = await shop.list(ana)
  const url = '/api/orders/checkout'
  await add(mug.id)
  const headers = { 'content-type': 'application/json' }
  expect((await ben.send({ method: 'POST', url, headers, payload: '' })).status).toBe(201)
  await add(mug.id)
  expect((await ben.send({ method: 'POST', url, headers })).status).toBe(201)
  await add(mug.id)
  expect((await ben.send({ method: 'POST', url: `${url}/` })).status).toBe(201)
  expect(await ordersOf(ben)).toHaveLength(3)
})

test('an order keeps name and price of its checkout', async () => {
  const mug = await shop.list(ana)
  await add(mug.id, 2)
  const { body: order } = await checkout()
  await ana.put(`/api/products/${mug.id}`, { ...mug, name: 'Dear mug', price: 99 })
  expect(await ordersOf(ben)).toEqual([byAna(order)])
  await ana.delete(`/api/products/${mug.id}`)
  expect(await ordersOf(ben)).toEqual([byAna(order)])
  expect((await ben.get('/api/orders/order-items/2')).body).toHaveLength(1)
})

test('the order has the price of the moment it is placed', async () => {
  const mug = await shop.list(ana, { price: 10 })
  await add(mug.id, 2)
  await ana.put(`/api/products/${mug.id}`, { ...mug, name: 'Cheap mug', price: 7.77 })
  expect((await checkout()).body).toMatchObject({
    total: 15.54,
    products_ordered: [{ name: 'Cheap mug', price: 7.77 }],
  })
})

test('short stock names every line that is short, and changes nothing', async () => {
  const names = ['Mug', 'Bowl', 'Ring', 'Vase']
  const [mug, bowl, ring, vase] = await Promise.all(names.map(name => shop.list(ana, { name, stock: 5 })))
  if (!mug || !bowl || !ring || !vase) throw new Error('four listings')
  for (const { id } of [vase, ring, bowl, mug]) await add(id, 3)
  const before = await cartOf(ben)
  await ana.put(`/api/products/${mug.id}`, { ...mug, stock: 2 })
  await shop.correctStock(ring.id, -5)
  await ana.delete(`/api/products/${vase.id}`)
  const response = await checkout()
  const errors = ['Only 2 of Mug left in stock', 'Ring is sold out', 'Vase is no longer available']
  expect(response.status).toBe(409)
  expect(response.body.errors.toSorted()).toEqual(errors)
  expect(response.body.message).toBe(response.body.errors[0])
  expect(await ordersOf(ben)).toEqual([])
  expect(
    (await cartOf(ben)).map((line: { id: number; quantity: number }) => [line.id, line.quantity]),
  ).toEqual(before.map((line: { id: number; quantity: number }) => [line.id, line.quantity]))
  expect(await Promise.all([mug, bowl, ring].map(({ id }) => shop.stockOf(id)))).toEqual([2, 5, 0])
})

test('after removing the deleted line, the rest can be ordered', async () => {
  const [mug, bowl] = [await shop.list(ana), await shop.list(ana, { name: 'Bowl' })]
  const { body: line } = await add(mug.id)
  await add(bowl.id)
  await ana.delete(`/api/products/${mug.id}`)
  expectRefusal(await checkout(), 409, `${mug.name} is no longer available`)
  await ben.delete(`/api/cart_items/${line.id}`)
  expect((await checkout()).body.products_ordered).toMatchObject([{ id: bowl.id }])
})

test('totals are exact', async () => {
  const prices = [0.1, 0.2, 0.7, 1.1, 999_999.99]
  for (const price of prices) await add((await shop.list(ana, { price, stock: 30 })).id, 30)
  expect((await checkout()).body.total).toBe(30_000_062.7)
})

test('a user sees only their own orders, newest first', async () => {
  const mug = await shop.list(ana)
  await add(mug.id)
  const { body: first } = await checkout()
  await add(mug.id, 2)
  const { body: second } = await checkout()
  expect(await ordersOf(ben)).toEqual([byAna(second), byAna(first)])
  expect(await ordersOf(ana)).toEqual([])
})

test('order items are the user’s own, for any number', async () => {
  const mug = await shop.list(ana)
  await add(mug.id, 2)
  const { body: order } = await checkout()
  for (const number of ['2', '1', String(order.id), '0', 'all']) {
    const items = [{ order_id: order.id, product_id: mug.id, quantity: 2 }]
    expect(await ben.get(`/api/orders/order-items/${number}`)).toMatchObject({ status: 200, body: items })
    expect((await ana.get(`/api/orders/order-items/${number}`)).body).toEqual([])
  }
})

test('fields of the request do not change the order', async () => {
  const mug = await shop.list(ana, { price: 10 })
  await add(mug.id)
  const lines = [{ product_id: mug.id, quantity: 1, price: 0.01 }]
  const claims = { id: 1, user_id: ana.user.id, status: 'Cancelled', total: 0.01, products_ordered: lines }
  const { body } = await ben.post('/api/orders/checkout?total=0', claims)
  expect(body).toMatchObject({ status: 'Pending', total: 10 })
  expect(body.id).not.toBe(1)
  expect(await ordersOf(ana)).toEqual([])
})

test('a visitor can neither order nor list orders', async () => {
  const visitor = shop.visitor()
  expectRefusal(await checkout(visitor), 401, 'Please log in')
  expectRefusal(await visitor.get('/api/orders/'), 401, 'Please log in')
  expectRefusal(await visitor.get('/api/orders/order-items/2'), 401, 'Please log in')
  expectRefusal(await visitor.delete('/api/orders/1/delete-order'), 401, 'Please log in')
})
