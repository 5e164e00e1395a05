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

const QUANTITY = 'Quantity must be a whole number from 1 to 30'
const add = (id: number, quantity: unknown) => ben.post(`/api/cart_items/add/${id}`, { quantity })
const cartOf = async (person: Person) =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items

test('a new cart is empty', async () => {
  const { status, body } = await ben.get(`/api/cart_items/${ben.user.id}`)
  expect({ status, body }).toEqual({ status: 200, body: { cart_items: [] } })
})

test('adding returns the line, and the cart contains it', async () => {
  const mug = await shop.list(ana)
  const { status, body } = await add(mug.id, 2)
  expect(status).toBe(201)
  const { id, name, price, stock } = mug
  const product = { id, name, price, stock, image_url: null, image_srcset: null }
  expect(body).toEqual({ id: expect.any(Number), quantity: 2, product })
  expect(await cartOf(ben)).toEqual([body])
})

test('a session adds to its own cart alone, and not after it has ended', async () => {
  const mug = await shop.list(ana)
  await add(mug.id, 2)
  const sessions = () =>
    shop.db.selectFrom('sessions').select('used_at').where('user_id', '=', ben.user.id).executeTakeFirst()
  const set = (row: { used_at?: Date; expires_at?: Date }) =>
    shop.db.updateTable('sessions').set(row).where('user_id', '=', ben.user.id).execute()
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await set({ used_at: longAgo })
  expect(await add(mug.id, 1)).toMatchObject({ status: 201, body: { quantity: 3 } })
  expect((await sessions())?.used_at.getTime()).toBeGreaterThan(longAgo.getTime())
  await set({ expires_at: longAgo })
  expectRefusal(await add(mug.id, 1), 401, 'Please login to add items to cart.')
  await set({ expires_at: new Date(Date.now() + 60_000) })
  expect(await cartOf(ben)).toMatchObject([{ quantity: 3 }])
  const stranger = shop.visitor()
  stranger.cookie = 'session=made-up'
  const refused = await stranger.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  expectRefusal(refused, 401, 'Please login to add items to cart.')
  expect(await cartOf(ana)).toEqual([])
})

test('adding takes nothing out of stock', async () => {
  const mug = await shop.list(ana, { stock: 5 })
  await add(mug.id, 5)
  expect(await shop.stockOf(mug.id)).toBe(5)
})

test('adding again raises the line', async () => {
  const mug = await shop.list(ana, { stock: 100 })
  const { body } = await add(mug.id, 2)
  expect((await add(mug.id, 3)).body).toEqual({ ...body, quantity: 5 })
  expect(await cartOf(ben)).toHaveLength(1)
})

test('a line is raised to at most 30', async () => {
  const mug = await shop.list(ana, { stock: 100 })
  await add(mug.id, 29)
  expect(await add(mug.id, 2)).toMatchObject({ status: 201, body: { quantity: 30 } })
  const full = `Your cart already holds 30 of ${mug.name}, which is the most for one order`
  expectRefusal(await add(mug.id, 1), 409, full)
  expect(await cartOf(ben)).toMatchObject([{ quantity: 30 }])
})

test('an add with the idempotency key of the last one adds nothing, also to a full line', async () => {
  const mug = await shop.list(ana, { stock: 5 })
  const addAs = (key: string, quantity: number) =>
    ben.post(`/api/cart_items/add/${mug.id}`, { quantity }, { 'idempotency-key': key })
  const first = await addAs('one', 2)
  expect(await addAs('one', 2)).toMatchObject({ status: 201, body: { id: first.body.id, quantity: 2 } })
  expect((await addAs('two', 3)).body.quantity).toBe(5)
  expect(await addAs('two', 3)).toMatchObject({ status: 201, body: { quantity: 5 } })
  expectRefusal(await addAs('three', 1), 409, `Your cart already holds 5 of ${mug.name}; only 5 in stock`)
  // Without a key every add counts.
  const vase = await shop.list(ana, { stock: 5 })
  for (const quantity of [1, 2]) expect((await add(vase.id, 1)).body.quantity).toBe(quantity)
})

test('a line is raised to at most the stock', async () => {
  const mug = await shop.list(ana, { stock: 5 })
  await add(mug.id, 4)
  expect(await add(mug.id, 2)).toMatchObject({ status: 201, body: { quantity: 5 } })
  expectRefusal(await add(mug.id, 1), 409, `Your cart already holds 5 of ${mug.name}; only 5 in stock`)
  expect(await cartOf(ben)).toMatchObject([{ quantity: 5 }])
})

test('more than the stock is refused, and the line is unchanged', async () => {
  const mug = await shop.list(ana, { stock: 5 })
  expectRefusal(await add(mug.id, 6), 409, `Only 5 of ${mug.name} left in stock`)
  expect(await cartOf(ben)).toEqual([])
  const { body } = await add(mug.id, 2)
  expectRefusal(await add(mug.id, 6), 409, `Only 5 of ${mug.name} left in stock`)
  expectRefusal(
    await ben.put(`/api/cart_items/${body.id}`, { quantity: 6 }),
    409,
    `Only 5 of ${mug.name} left in stock`,
  )
  expect(await cartOf(ben)).toEqual([body])
})

test('a sold-out listing stays visible and cannot be added', async () => {
  const mug = await shop.list(ana, { stock: 1 })
  await add(mug.id, 1)
  await ben.post('/api/orders/checkout')
  expect(await shop.visitor().get(`/api/products/${mug.id}`)).toMatchObject({
    status: 200,
    body: { stock: 0 },
  })
  expectRefusal(await add(mug.id, 1), 409, `${mug.name} is sold out`)
})

test('a line is set to any quantity from 1 to 30', async () => {
  const mug = await shop.list(ana, { stock: 30 })
  const { body } = await add(mug.id, 2)
  for (const quantity of [1, 30, 7]) {
    const response = await ben.put(`/api/cart_items/${body.id}`, { quantity })
    expect([response.status, response.body]).toEqual([200, { ...body, quantity }])
  }
  expect(await cartOf(ben)).toEqual([{ ...body, quantity: 7 }])
})

test.each([0, -1, 31, 1.5, 1e21, '2', '', true, [2], { n: 2 }, null, undefined])(
  'quantity %j is refused, and nothing changes',
  async quantity => {
    const mug = await shop.list(ana, { stock: 100 })
    expectRefusal(await add(mug.id, quantity), 400, QUANTITY)
    const { body } = await add(mug.id, 2)
    expectRefusal(await add(mug.id, quantity), 400, QUANTITY)
    expectRefusal(await ben.put(`/api/cart_items/${body.id}`, { quantity }), 400, QUANTITY)
    expect(await cartOf(ben)).toEqual([body])
  },
)

test('1 and 30 can be added', async () => {
  const [mug, bowl] = [await shop.list(ana, { stock: 100 }), await shop.list(ana, { stock: 100 })]
  expect((await add(mug.id, 1)).body.quantity).toBe(1)
  expect((await add(bowl.id, 30)).body.quantity).toBe(30)
  expect((await cartOf(ben)).map((line: { quantity: number }) => line.quantity)).toEqual([1, 30])
})

test('a line can be removed', async () => {
  const [mug, bowl] = [await shop.list(ana), await shop.list(ana, { name: 'Bowl' })]
  const { body: line } = await add(mug.id, 2)
  const { body: other } = await add(bowl.id, 1)
  const { status, body } = await ben.delete(`/api/cart_items/${line.id}`)
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Item was removed from your cart' } })
  expect(await cartOf(ben)).toEqual([other])
  expectRefusal(await ben.delete(`/api/cart_items/${line.id}`), 404, 'There is no such item in your cart')
})

test('the cart shows present prices and names', async () => {
  const mug = await shop.list(ana)
  await add(mug.id, 2)
  await ana.put(`/api/products/${mug.id}`, { ...mug, name: 'Dear mug', price: 99.99 })
  expect(await cartOf(ben)).toMatchObject([{ quantity: 2, product: { name: 'Dear mug', price: 99.99 } }])
})

test('a deleted listing leaves a line without a product, until it is removed', async () => {
  const mug = await shop.list(ana)
  const { body: line } = await add(mug.id, 2)
  await ana.delete(`/api/products/${mug.id}`)
  expect(await cartOf(ben)).toEqual([{ id: line.id, quantity: 2, product: null }])
  expectRefusal(await add(mug.id, 1), 404, 'There is no such listing')
  expectRefusal(await ben.put(`/api/cart_items/${line.id}`, { quantity: 1 }), 409, 'There is no such listing')
  expect((await ben.delete(`/api/cart_items/${line.id}`)).status).toBe(200)
  expect(await cartOf(ben)).toEqual([])
})

test('a visitor has no cart', async () => {
  const mug = await shop.list(ana)
  const visitor = shop.visitor()
  const response = await visitor.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  expectRefusal(response, 401, 'Please login to add items to cart.')
  expectRefusal(await visitor.get(`/api/cart_items/${ben.user.id}`), 401, 'Please log in')
})

test('a cart is private to its user', async () => {
  const mug = await shop.list(ana)
  const { body: line } = await add(mug.id, 2)
  expectRefusal(await ana.get(`/api/cart_items/${ben.user.id}`), 403, 'This is not your cart')
  expectRefusal(await ben.get('/api/cart_items/999999999'), 403, 'This is not your cart')
  expectRefusal(await ana.put(`/api/cart_items/${line.id}`, { quantity: 1 }), 403, 'This is not your cart')
  expectRefusal(await ana.delete(`/api/cart_items/${line.id}`), 403, 'This is not your cart')
  expect(await cartOf(ben)).toEqual([line])
})

test('unknown lines and listings answer 404', async () => {
  const line = 'There is no such item in your cart'
  expectRefusal(await add(999_999_999, 1), 404, 'There is no such listing')
  expectRefusal(await add(ana.user.id, 1), 404, 'There is no such listing')
  expectRefusal(await ben.put('/api/cart_items/999999999', { quantity: 1 }), 404, line)
  expectRefusal(await ben.delete('/api/cart_items/999999999'), 404, line)
})

test('unknown fields are ignored', async () => {
  const mug = await shop.list(ana)
  const extra = { id: 1, user_id: ana.user.id, product_id: 1, price: 0.01, product: { price: 0.01 } }
  const { body } = await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1, ...extra })
  expect(body).toMatchObject({ quantity: 1, product: { id: mug.id, price: mug.price } })
  expect(body.id).not.toBe(1)
  const changed = await ben.put(`/api/cart_items/${body.id}`, { quantity: 2, ...extra })
  expect(changed.body).toEqual({ ...body, quantity: 2 })
  expect(await cartOf(ana)).toEqual([])
})
