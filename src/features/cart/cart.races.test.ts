import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, soon, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const cartOf = async (person: Person) =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items
const add = (person: Person, id: number, quantity: number) =>
  person.post(`/api/cart_items/add/${id}`, { quantity })

test('twenty concurrent adds of one listing make one line with all units', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 100 })
  const answers = await times(20, () => add(ben, mug.id, 1))
  expect(countStatuses(answers)).toEqual({ 201: 20 })
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
  expect(await cartOf(ben)).toMatchObject([{ quantity: 20 }])
})

test('twenty concurrent adds with one idempotency key add once', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 100 })
  const headers = { 'idempotency-key': 'pressed-often' }
  const responses = await times(20, () => ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 }, headers))
  expect(countStatuses(responses)).toEqual({ 201: 20 })
  expect(await cartOf(ben)).toMatchObject([{ quantity: 2 }])
})

test('concurrent adds of many users reach their own carts', async () => {
  const people = await times(12, n => shop.signUp(`p${n}`))
  const pieces = await times(12, n => shop.list(ana, { name: `Piece ${n}`, stock: 9 }))
  const addAll = (offset: number) =>
    Promise.all(people.map((person, n) => add(person, pieces[(n + offset) % 12]!.id, 1 + (n % 3))))
  // At first they have no cart.
  for (const offset of [0, 0, 1]) expect(countStatuses(await addAll(offset))).toEqual({ 201: 12 })
  for (const [n, person] of people.entries()) {
    const quantity = 1 + (n % 3)
    expect(await cartOf(person)).toMatchObject([
      { quantity: 2 * quantity, product: { name: `Piece ${n}` } },
      { quantity, product: { name: `Piece ${(n + 1) % 12}` } },
    ])
  }
})

test('an add does not wait for another user’s checkout', async () => {
  const [ben, eva] = [await shop.signUp('ben'), await shop.signUp('eva')]
  const mug = await shop.list(ana, { stock: 9 })
  for (const person of [ben, eva]) await add(person, mug.id, 1)
  const ordering = new pg.Client(shop.connection)
  await ordering.connect()
  try {
    await ordering.query('begin')
    await ordering.query('select from carts where user_id = $1 for update', [ben.user.id])
    const [blocked, other] = [add(ben, mug.id, 1), add(eva, mug.id, 1)]
    expect(await other).toMatchObject({ status: 201, body: { quantity: 2 } })
    await ordering.query('commit')
    expect(await blocked).toMatchObject({ status: 201, body: { quantity: 2 } })
  } finally {
    await ordering.end()
  }
})

test('an add does not wait for a seller who saves the listing', async () => {
  const ben = await shop.signUp('ben')
  const [mug, bowl] = [await shop.list(ana, { stock: 9 }), await shop.list(ana, { stock: 9 })]
  await add(ben, bowl.id, 1)
  const selling = new pg.Client(shop.connection)
  await selling.connect()
  try {
    await selling.query('begin')
    await selling.query('select from stock where product_id = $1 for update', [mug.id])
    const saved = ana.put(`/api/products/${mug.id}`, { ...mug, stock: 8, stock_shown: 9 })
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await expect.poll(() => shop.rows(waiting), soon).toHaveLength(1)
    expect(await add(ben, mug.id, 1)).toMatchObject({ status: 201 })
    await selling.query('commit')
    expect((await saved).status).toBe(200)
  } finally {
    await selling.end()
  }
})

test('concurrent adds stop at the stock', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 5 })
  expect(countStatuses(await times(20, () => add(ben, mug.id, 1)))).toEqual({ 201: 5, 409: 15 })
  expect(await cartOf(ben)).toMatchObject([{ quantity: 5 }])
})

test('concurrent adds and removals leave one line or none', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 100 })
  const { body } = await add(ben, mug.id, 1)
  const answers = await times(20, n =>
    n % 2 ? ben.delete(`/api/cart_items/${body.id}`) : add(ben, mug.id, 1),
  )
  for (const { status } of answers) expect([200, 201, 404]).toContain(status)
  expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
  expect((await cartOf(ben)).length).toBeLessThan(2)
})

test('adding during a checkout: every unit is in the order or in the cart', async () => {
  for (let round = 0; round < 25; round++) {
    const ben = await shop.signUp('ben')
    const [mug, bowl] = [await shop.list(ana, { stock: 30 }), await shop.list(ana, { stock: 30 })]
    await add(ben, mug.id, 3)
    const [first, second, third, order] = await Promise.all([
      add(ben, mug.id, 2),
      add(ben, bowl.id, 4),
      add(ben, mug.id, 1),
      ben.post('/api/orders/checkout'),
    ])
    expect([first, second, third, order].map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const ordered = (await ben.get('/api/orders/order-items/2')).body as {
      product_id: number
      quantity: number
    }[]
    const lines = (await cartOf(ben)) as { quantity: number; product: { id: number } }[]
    const units = (id: number) =>
      ordered.filter(item => item.product_id === id).reduce((sum, item) => sum + item.quantity, 0) +
      lines.filter(line => line.product.id === id).reduce((sum, line) => sum + line.quantity, 0)
    expect([units(mug.id), units(bowl.id)]).toEqual([6, 4])
    const sold = ordered.find(item => item.product_id === mug.id)?.quantity ?? 0
    expect(await shop.stockOf(mug.id)).toBe(30 - sold)
  }
}, 120_000)
