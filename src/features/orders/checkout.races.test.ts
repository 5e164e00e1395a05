import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastOfThree } from '../../../test/resilience/52-purchase-of-three.ts'
import { countStatuses, soon, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const add = (person: Person, id: number, quantity = 1) =>
  person.post(`/api/cart_items/add/${id}`, { quantity })
const checkout = (person: Person, key?: string) =>
  person.post('/api/orders/checkout', undefined, key ? { 'idempotency-key': key } : {})
const ordersOf = async (person: Person) => (await person.get('/api/orders/')).body

test('concurrent checkouts and changes by the seller never deadlock', async () => {
  const people = await times(20, n => shop.signUp(`p${n}`))
  const pieces = await times(5, n => shop.list(ana, { name: `Piece ${n}`, stock: 100, price: 10 }))
  for (const person of people) for (const { id } of pieces) await add(person, id)
  const responses = await Promise.all([
    ...people.map(person => checkout(person)),
    ...pieces.map(piece => ana.put(`/api/products/${piece.id}`, { ...piece, price: 20 })),
  ])
  expect(countStatuses(responses)).toEqual({ 200: 5, 201: 20 })
  for (const { body } of responses.slice(0, 20)) {
    const sum = body.products_ordered.reduce(
      (total: number, line: { price: number }) => total + line.price,
      0,
    )
    expect(body.total).toBe(sum)
  }
}, 120_000)

test('of the last pieces of three makers everybody gets one of each, or nothing', async () => {
  const own = await openShop()
  try {
    const people = await times(60, n => own.signUp(`p${n}`))
    expect(await lastOfThree(own, people, 1)).toMatchObject({ passed: true })
  } finally {
    await own.close()
  }
}, 120_000)

test('twenty concurrent checkouts with one key all return the one order', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana)
  await add(ben, mug.id)
  const responses = await times(20, () => checkout(ben, 'double-click'))
  expect(countStatuses(responses)).toEqual({ 201: 20 })
  expect(new Set(responses.map(response => response.body.id)).size).toBe(1)
  expect(await ordersOf(ben)).toHaveLength(1)
})

test('an order that waits for its cart uses the cart as it is then', async () => {
  const ben = await shop.signUp('ben')
  const [mug, bowl] = [await shop.list(ana, { price: 10 }), await shop.list(ana, { price: 3 })]
  await add(ben, mug.id)
  const other = new pg.Client(shop.connection)
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select from carts where user_id = $1 for update', [ben.user.id])
    const ordering = checkout(ben)
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await expect.poll(() => shop.rows(waiting), soon).toHaveLength(1)
    await other.query('update cart_lines set quantity = 3 where user_id = $1', [ben.user.id])
    await other.query('insert into cart_lines (user_id, product_id, quantity) values ($1, $2, 1)', [
      ben.user.id,
      bowl.id,
    ])
    await other.query('commit')
    expect(await ordering).toMatchObject({
      status: 201,
      body: { total: 33, products_ordered: [{ quantity: 3 }, { quantity: 1 }] },
    })
    const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
    expect(cart_items).toEqual([])
  } finally {
    await other.end()
  }
})

test('a refused order sends no invalidation', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 2 })
  const listening = new pg.Client(shop.connection)
  await listening.connect()
  try {
    let notifications = 0
    listening.on('notification', () => notifications++)
    await listening.query('listen changed')
    expect((await checkout(ben)).status).toBe(400)
    await add(ben, mug.id, 2)
    const headers = { 'expected-total': '1.00' }
    expect((await ben.post('/api/orders/checkout', undefined, headers)).status).toBe(409)
    // Notifications so far have arrived.
    await listening.query('select')
    expect(notifications).toBe(0)
    expect((await checkout(ben)).status).toBe(201)
    await expect.poll(() => notifications, soon).toBeGreaterThan(0)
  } finally {
    await listening.end()
  }
})
