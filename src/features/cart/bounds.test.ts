import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, transaction } from '#platform/database/database.ts'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { addBatched } from './add-to-cart.ts'

let shop: TestShop
let ana: Person
let ben: Person
/** Listings of Ana, in stock. */
let beads: number[]
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  await shop.rows(`
    with bead as (
      insert into products (seller_id, name, category, description, price_cents)
      select ${ana.user.id}, 'Bead', 'Art & Collectibles', 'Small', 100 from generate_series(1, 220) returning id
    )
    insert into stock_ledger (product_id, units, reason) select id, 1000, 'opening' from bead`)
  beads = (await shop.rows('select id from products order by id')).map(({ id }) => id)
})
beforeEach(async () => {
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const add = (id: number, quantity = 1) => ben.post(`/api/cart_items/add/${id}`, { quantity })
const cartOf = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items
/** Inserts the first beads into Ben's cart. */
const hold = (count: number) =>
  shop.rows(`
    with cart as (insert into carts (user_id) values (${ben.user.id}))
    insert into cart_lines (user_id, product_id, quantity)
    select ${ben.user.id}, id, 1 from unnest(array[${beads.slice(0, count)}]) as id`)

const FULL =
  'Your cart holds 200 different pieces, which is the most for one order; order them or remove one first'

test('a cart takes 200 different pieces; those can still be raised, and removing one makes room', async () => {
  await hold(199)
  expect((await add(beads[199]!)).status).toBe(201)
  expectRefusal(await add(beads[200]!), 409, FULL)
  expect((await add(beads[0]!, 4)).body.quantity).toBe(5)
  const lines = await cartOf()
  expect(lines).toHaveLength(200)
  await ben.delete(`/api/cart_items/${lines[7].id}`)
  expect((await add(beads[200]!)).status).toBe(201)
  expectRefusal(await add(beads[7]!), 409, FULL)
  const order = await ben.post('/api/orders/checkout')
  expect([order.status, order.body.products_ordered.length, order.body.total]).toEqual([201, 200, 204])
})

test('changing or removing a line leaves the other lines and the other carts as they are', async () => {
  await hold(3)
  const cleo = await shop.signUp('cleo')
  await cleo.post(`/api/cart_items/add/${beads[0]}`, { quantity: 5 })
  const [first, second, third] = await cartOf()
  expect((await ben.put(`/api/cart_items/${second.id}`, { quantity: 9 })).status).toBe(200)
  await ben.delete(`/api/cart_items/${third.id}`)
  expect(await cartOf()).toEqual([first, { ...second, quantity: 9 }])
  const { cart_items } = (await cleo.get(`/api/cart_items/${cleo.user.id}`)).body
  expect(cart_items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([5])
})

test('lines of other carts do not count', async () => {
  await hold(200)
  const cleo = await shop.signUp('cleo')
  for (const at of [200, 201])
    expect((await cleo.post(`/api/cart_items/add/${beads[at]}`, { quantity: 30 })).status).toBe(201)
  expectRefusal(await add(beads[200]!), 409, FULL)
  expectRefusal(
    await cleo.post(`/api/cart_items/add/${beads[201]}`, { quantity: 1 }),
    409,
    'Your cart already holds 30 of Bead, which is the most for one order',
  )
})

test('concurrent adds end at 200 lines', async () => {
  await hold(190)
  const responses = await times(30, n => add(beads[190 + n]!))
  expect(countStatuses(responses)).toEqual({ 201: 10, 409: 20 })
  expect(await cartOf()).toHaveLength(200)
})

test('a longer cart of an older version shows 200 lines, and is ordered once enough is removed', async () => {
  await hold(203)
  expect(await cartOf()).toHaveLength(200)
  expectRefusal(
    await ben.post('/api/orders/checkout'),
    409,
    'An order has at most 200 different pieces; remove some from your cart first',
  )
  expect(await shop.rows(`select from cart_lines where user_id = ${ben.user.id}`)).toHaveLength(203)
  for (const { id } of (await cartOf()).slice(0, 3)) await ben.delete(`/api/cart_items/${id}`)
  expect((await ben.post('/api/orders/checkout')).body.products_ordered).toHaveLength(200)
  expect(await cartOf()).toEqual([])
})

test('adds read no lines of other carts, however many there are', async () => {
  await hold(200)
  await shop.rows(`
    with person as (
      insert into users (username, email, first_name, last_name, password_hash)
      select 'visitor_' || n, 'visitor_' || n || '@example.com', 'Visitor', 'Fromafar', '-' from generate_series(1, 40) as n
      returning id, username
    ),
    cart as (insert into carts (user_id) select id from person)
    insert into sessions (token_hash, user_id, expires_at) select sha256(username::bytea), id, now() + interval '1 day' from person`)
  await shop.rows('vacuum analyze')
  const { db, close } = openPool(shop.connection, 1)
  // In one transaction: it has counters of its own.
  await transaction(db, async db => {
    const addFirstTo = (person: number) =>
      addBatched(db, {
        token: `visitor_${person}`,
        product_id: beads[0]!,
        units: 1,
        key: undefined,
        rateLimit: undefined,
      })
    // PostgreSQL keeps a plan after five executions.
    for (let batch = 1; batch <= 8; batch++) {
      const added = await times(20, n => addFirstTo(n + 1))
      expect(added.map(line => line?.view.quantity)).toEqual(Array(20).fill(batch))
    }
    const { rows } = await sql<{ idx_scan: number; seq_tup_read: number }>`
      select idx_scan, seq_tup_read from pg_stat_xact_user_tables where relname = 'cart_lines'`.execute(db)
    expect(rows).toEqual([{ idx_scan: expect.any(Number), seq_tup_read: 0 }])
    expect(rows[0]!.idx_scan).toBeGreaterThan(0)
  })
  await close()
})

test('a changed price is shown beside the one at adding', async () => {
  const mug = await shop.list(ana, { price: 33 })
  const { body: line } = await add(mug.id)
  expect(line.product.price).toBe(33)
  expect(line.product).not.toHaveProperty('added_price')
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 35 })
  expect(await cartOf()).toMatchObject([{ product: { price: 35, added_price: 33 } }])
  const changed = await ben.put(`/api/cart_items/${line.id}`, { quantity: 2 })
  expect(changed.body.product).toMatchObject({ price: 35, added_price: 33 })
  // Adding more of it confirms the new price.
  expect((await add(mug.id)).body.product).not.toHaveProperty('added_price')
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 33 })
  expect(await cartOf()).toMatchObject([{ product: { price: 33, added_price: 35 } }])
})

test('a line without a price at adding shows no change', async () => {
  await hold(1)
  await shop.rows(`update products set price_cents = 120 where id = ${beads[0]}`)
  const [line] = await cartOf()
  expect(line.product.price).toBe(1.2)
  expect(line.product).not.toHaveProperty('added_price')
})
