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

const add = (id: number, quantity = 1, person = ben) => person.post(`/api/cart_items/add/${id}`, { quantity })
/** Orders with preconditions: { key, total, items }. */
const checkout = (expected: { key?: string; total?: string; items?: string } = {}, person = ben) => {
  const { key, total, items } = expected
  const headers = { 'idempotency-key': key, 'expected-total': total, 'expected-items': items }
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined)
  return person.post('/api/orders/checkout', undefined, Object.fromEntries(sent) as Record<string, string>)
}
const ordersOf = async (person: Person) => (await person.get('/api/orders/')).body
/** What a checkout has answered, in the list. */
const byAna = (order: object) => ({ ...order, maker: ana.user.username })
const cartOf = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items

const ANEW = 'Nothing was ordered yet: please look at it again'
const otherContents = (id: number) =>
  `This was ordered already, as order #${id}, with other contents. Nothing was ordered again: please look at your cart once more`

test('an order with the expected total and lines succeeds', async () => {
  const mug = await shop.list(ana, { price: 24.5 })
  await add(mug.id, 2)
  const { status, body } = await checkout({ total: '49.00', items: `${mug.id}x2` })
  expect([status, body.total]).toEqual([201, 49])
})

test('a raised price is reported before it is paid', async () => {
  const mug = await shop.list(ana, { price: 24.5 })
  await add(mug.id, 2)
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 30 })
  const refused = `The total is now $60.00 instead of $49.00. ${ANEW}`
  expectRefusal(await checkout({ total: '49.00' }), 409, refused)
  expect(await ordersOf(ben)).toEqual([])
  expect(await shop.stockOf(mug.id)).toBe(5)
  expect(await cartOf()).toMatchObject([{ quantity: 2 }])
  expect((await checkout({ total: '60' })).body.total).toBe(60)
})

test('a lower price, another quantity and another piece are reported too', async () => {
  const [mug, bowl] = [await shop.list(ana, { price: 10 }), await shop.list(ana, { price: 10, name: 'Bowl' })]
  const { body: line } = await add(mug.id, 2)
  await ben.put(`/api/cart_items/${line.id}`, { quantity: 1 })
  expectRefusal(await checkout({ total: '20.00' }), 409, `The total is now $10.00 instead of $20.00. ${ANEW}`)
  await ben.delete(`/api/cart_items/${line.id}`)
  await add(bowl.id)
  const swapped = `Your cart has changed; the total is $10.00. ${ANEW}`
  expectRefusal(await checkout({ total: '10.00', items: `${mug.id}x1` }), 409, swapped)
  expect(await ordersOf(ben)).toEqual([])
  expect((await checkout({ total: '10.00', items: `${bowl.id}x1` })).status).toBe(201)
})

test('the expected lines may come in any order', async () => {
  const [mug, bowl] = [await shop.list(ana), await shop.list(ana, { name: 'Bowl' })]
  await add(bowl.id, 2)
  await add(mug.id)
  expectRefusal(await checkout({ items: `${bowl.id}x1 ${mug.id}x2` }), 409, expect.stringContaining(ANEW))
  expect((await checkout({ items: `${bowl.id}x2 ${mug.id}x1` })).status).toBe(201)
})

test('short or deleted lines are reported first', async () => {
  const mug = await shop.list(ana, { price: 10 })
  await add(mug.id, 2)
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 30, stock: 1 })
  expectRefusal(await checkout({ total: '20.00' }), 409, `Only 1 of ${mug.name} left in stock`)
})

test.each([
  ['total', 'x', 'Expected-Total must be an amount with at most two decimals'],
  ['total', '-1', 'Expected-Total must be an amount with at most two decimals'],
  ['total', '1.005', 'Expected-Total must be an amount with at most two decimals'],
  ['total', '1e3', 'Expected-Total must be an amount with at most two decimals'],
  ['items', '7', 'Expected-Items must be pairs such as 7x2, with spaces between them'],
  ['items', '7x2,8x1', 'Expected-Items must be pairs such as 7x2, with spaces between them'],
  ['key', 'x'.repeat(101), 'Idempotency-Key must be 1 to 100 visible characters'],
  ['key', 'a b', 'Idempotency-Key must be 1 to 100 visible characters'],
  ['key', 'ü', 'Idempotency-Key must be 1 to 100 visible characters'],
  // The bytes of 🧶: a client sends characters of one byte.
  ['key', Buffer.from('🧶').toString('latin1'), 'Idempotency-Key must be 1 to 100 visible characters'],
])('%s cannot be %j: nothing is ordered', async (name, value, message) => {
  const mug = await shop.list(ana)
  await add(mug.id)
  expectRefusal(await checkout({ [name]: value }), 400, message)
  expect(await ordersOf(ben)).toEqual([])
  expect((await checkout({ key: '!'.repeat(100) })).status).toBe(201)
})

test('the same key is the same order', async () => {
  const mug = await shop.list(ana, { stock: 50, price: 10 })
  // In the cart of somebody else, which is not compared.
  await add(mug.id, 1, await shop.signUp('carla'))
  await add(mug.id, 2)
  const { body: order } = await checkout({ key: 'key-1', total: '20.00' })
  for (const expected of [{}, { total: '20.00' }, { total: '20.00', items: `${mug.id}x2` }]) {
    expect(await checkout({ key: 'key-1', ...expected })).toMatchObject({ status: 201, body: order })
  }
  // The same lines in the cart again are the same contents.
  await add(mug.id, 2)
  expect(await checkout({ key: 'key-1' })).toMatchObject({ status: 201, body: order })
  expect(await ordersOf(ben)).toEqual([byAna(order)])
  expect(await shop.stockOf(mug.id)).toBe(48)
  expect(await cartOf()).toMatchObject([{ quantity: 2 }])
  const { body: second } = await checkout({ key: 'key-2' })
  expect(second.id).not.toBe(order.id)
  expect((await checkout({ key: 'key-1' })).body.id).toBe(order.id)
  expect((await checkout({ key: 'key-2' })).body.id).toBe(second.id)
  expectRefusal(await checkout({ key: 'key-3' }), 400, 'Your cart is empty')
})

test('the same key with another cart or total is refused, and leaves the cart alone', async () => {
  const mug = await shop.list(ana, { stock: 50, price: 10 })
  await add(mug.id, 2)
  const { body: order } = await checkout({ key: 'key-1', total: '20.00' })
  expectRefusal(await checkout({ key: 'key-1', total: '30.00' }), 422, otherContents(order.id))
  expectRefusal(await checkout({ key: 'key-1', items: `${mug.id}x3` }), 422, otherContents(order.id))
  await add(mug.id, 3)
  for (const expected of [{}, { total: '20.00' }, { total: '30.00' }, { items: `${mug.id}x3` }])
    expectRefusal(await checkout({ key: 'key-1', ...expected }), 422, otherContents(order.id))
  expect(await ordersOf(ben)).toEqual([byAna(order)])
  expect(await shop.stockOf(mug.id)).toBe(48)
  expect(await cartOf()).toMatchObject([{ quantity: 3 }])
})

test('another user’s key has no effect', async () => {
  const cleo = await shop.signUp('cleo')
  const mug = await shop.list(ana)
  await add(mug.id)
  const { body: order } = await checkout({ key: 'shared' })
  expectRefusal(await checkout({ key: 'shared' }, cleo), 400, 'Your cart is empty')
  await add(mug.id, 1, cleo)
  expect((await checkout({ key: 'shared' }, cleo)).body.id).not.toBe(order.id)
})

test('a refused checkout uses up no key', async () => {
  const mug = await shop.list(ana)
  expectRefusal(await checkout({ key: 'again' }), 400, 'Your cart is empty')
  await add(mug.id)
  expectRefusal(
    await checkout({ key: 'again', total: '1.00' }),
    409,
    `The total is now $24.50 instead of $1.00. ${ANEW}`,
  )
  expect((await checkout({ key: 'again' })).status).toBe(201)
})
