import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '#platform/database/database.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { countStatuses, times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { cancelUnits, lockOrder, record } from './events.ts'

let shop: TestShop
let mila: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  ;[mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
})
afterAll(() => shop.close())

const NO_ORDER = 'There is no such order'

/** Ana orders these pieces. @returns the purchase */
async function order(...lines: [listing: number, quantity: number][]) {
  for (const [id, quantity] of lines) await ana.post(`/api/cart_items/add/${id}`, { quantity })
  const { status, body } = await ana.post('/api/orders/checkout')
  expect(status).toBe(201)
  return body
}
/** The maker hands over some pieces. @returns id of the parcel */
const send = (id: number, product_id: number, quantity: number) =>
  transaction(shop.db, async db => {
    await lockOrder(db, id)
    const how = { kind: 'sent', role: 'maker', carrier: 'DHL', tracking: 'JD 014' } as const
    return record(db, id, how, [{ product_id, quantity }])
  })
const undo = (id: number, about: number, product_id: number, quantity: number) =>
  record(shop.db, id, { kind: 'undone', role: 'maker', about }, [{ product_id, quantity }])
const detail = async (id: number) => (await ana.get(`/api/orders/${id}/detail`)).body
const cartOf = async (person: Person) =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items.map(
    ({ quantity, product }: { quantity: number; product: { id: number } }) => [product.id, quantity],
  )

test('the name of a maker is no link while their shop is suspended, and has no page', async () => {
  const { id } = await order([(await shop.list(mila)).id, 1])
  const isLinked = async () =>
    (await ana.get(`/orders/${id}`, { accept: 'text/html' })).body.includes(
      `href="/shops/${mila.user.username}"`,
    )
  expect(await isLinked()).toBe(true)
  await shop.rows(`update users set suspended_at = now() where id = ${mila.user.id}`)
  expect((await detail(id)).maker).toMatchObject({ username: mila.user.username, suspended: true })
  expect(await isLinked()).toBe(false)
})

test('all orders come newest first in every state, those of a purchase next to each other', async () => {
  const [mug, bowl] = [await shop.list(mila, { stock: 9 }), await shop.list(await shop.signUp('rosa'), {})]
  const first = await order([mug.id, 1])
  const both = await order([mug.id, 2], [bowl.id, 1])
  await ana.delete(`/api/orders/${first.id}/delete-order`)
  const [, second] = both.orders
  await send(second.id, bowl.id, 1)
  const { body } = await ana.get('/api/orders/all')
  expect(body).toMatchObject({ next_cursor: null, unread: 0 })
  expect(body.orders).toMatchObject([
    { id: second.id, purchase_id: both.id, state: 'sent', unread: 0 },
    { id: both.id, purchase_id: both.id, state: 'open', maker: { username: mila.user.username } },
    { id: first.id, purchase_id: first.id, state: 'cancelled' },
  ])
  const page = (await ana.get('/api/orders/all?limit=2')).body
  expect(page.orders).toHaveLength(2)
  const rest = (await ana.get(`/api/orders/all?limit=2&cursor=${page.next_cursor}`)).body
  expect(rest).toMatchObject({ orders: [{ id: first.id }], next_cursor: null })
  expectRefusal(await ana.get('/api/orders/all?cursor=x'), 400, 'Cursor is not one of ours')
  // The makers have their own pages.
  expect((await mila.get('/api/orders/all')).body.orders).toEqual([])
})

test('an order tells its shopper the code and how to pay, and nobody else', async () => {
  const mug = await shop.list(mila, { stock: 9 })
  const payment_words = 'In cash at the stall.'
  await shop.db.updateTable('shops').set({ payment_words }).where('user_id', '=', mila.user.id).execute()
  const { id } = await order([mug.id, 2])
  const found = await detail(id)
  expect(found).toMatchObject({ id, state: 'open', payment_words, unread: 0, payment: { open: found.total } })
  expect(found.pickup.code).toMatch(/^\d{4}$/)
  for (const person of [mila, await shop.signUp('stranger')]) {
    expectRefusal(await person.get(`/api/orders/${id}/detail`), 404, NO_ORDER)
    expectRefusal(await person.post(`/api/orders/${id}/received`, { parcel: 1 }), 404, NO_ORDER)
    expectRefusal(await person.post(`/api/orders/${id}/again`), 404, NO_ORDER)
  }
  await ana.delete(`/api/orders/${id}/delete-order`)
  expect(await detail(id)).toMatchObject({ state: 'cancelled', payment_words: '' })
})

test('a parcel is received once, also with several requests at the same time', async () => {
  const mug = await shop.list(mila, { stock: 9 })
  const { id } = await order([mug.id, 3])
  const parcel = await send(id, mug.id, 1)
  const responses = await times(4, () => ana.post(`/api/orders/${id}/received`, { parcel }))
  expect(countStatuses(responses)).toEqual({ 200: 4 })
  const { parcels, state, lines } = await detail(id)
  expect(state).toBe('part-sent')
  expect(lines).toMatchObject([{ quantity: 3, sent: 1, open: 2, cancelled: 0 }])
  expect(new Set(responses.map(({ body }) => body.parcels[0].received_at))).toEqual(
    new Set([parcels[0].received_at]),
  )
  expect(parcels[0].received_at).not.toBeNull()
  const rest = await send(id, mug.id, 2)
  expect((await ana.post(`/api/orders/${id}/received`, { parcel: rest })).body.state).toBe('received')
})

test('what is no parcel of the order, or was taken back, cannot be received', async () => {
  const mug = await shop.list(mila, { stock: 9 })
  const { id } = await order([mug.id, 1])
  const other = await order([mug.id, 1])
  const parcel = await send(id, mug.id, 1)
  const receive = (order: number, parcel: unknown) => ana.post(`/api/orders/${order}/received`, { parcel })
  expectRefusal(await receive(other.id, parcel), 404, 'There is no such parcel')
  expectRefusal(await receive(id, 'first'), 400, 'Parcel must be the id of a parcel')
  await undo(id, parcel, mug.id, 1)
  expect((await receive(id, parcel)).status).toBe(409)
  expect(await detail(id)).toMatchObject({ state: 'open', parcels: [] })
})

test('a parcel of two weeks ago counts as received already', async () => {
  const mug = await shop.list(mila)
  const { id } = await order([mug.id, 1])
  const { id: parcel } = await shop.db
    .insertInto('order_events')
    .values({ order_id: id, kind: 'sent', role: 'maker', created_at: new Date(Date.UTC(2026, 0, 5)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await shop.db
    .insertInto('order_event_units')
    .values({ event_id: parcel, order_id: id, product_id: mug.id, units: 1 })
    .execute()
  const { body } = await ana.post(`/api/orders/${id}/received`, { parcel })
  expect(body).toMatchObject({ state: 'received', parcels: [{ received_at: '2026-01-19T00:00:00.000Z' }] })
})

test('buying again fills the cart up, and again it adds nothing', async () => {
  const [mug, bowl] = [await shop.list(mila, { stock: 9 }), await shop.list(mila, { name: 'Bowl', stock: 9 })]
  const { id } = await order([mug.id, 3], [bowl.id, 1])
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const responses = await times(3, () => ana.post(`/api/orders/${id}/again`))
  expect(countStatuses(responses)).toEqual({ 200: 3 })
  expect(responses.map(({ body }) => body.lines.map(({ added }: { added: number }) => added)).sort()).toEqual(
    [
      [0, 0],
      [0, 0],
      [2, 1],
    ],
  )
  expect(await cartOf(ana)).toEqual([
    [mug.id, 3],
    [bowl.id, 1],
  ])
})

test('buying again says what is not there any more', async () => {
  const list = async (name: string) => (await shop.list(mila, { name, stock: 4 })).id
  const [gone, out, few, plenty] = [
    await list('Gone'),
    await list('Sold out'),
    await list('Few'),
    await list('Plenty'),
  ]
  const { id } = await order([gone, 1], [out, 2], [few, 3], [plenty, 2])
  await mila.delete(`/api/products/${gone}`)
  await shop.correctStock(out, -2)
  const { body } = await ana.post(`/api/orders/${id}/again`)
  const line = (id: number) => body.lines.find((line: { id: number }) => line.id === id)
  expect(line(gone)).toMatchObject({ wanted: 1, added: 0, in_cart: 0, reason: 'Gone is no longer for sale' })
  expect(line(out)).toMatchObject({ wanted: 2, added: 0, reason: 'Sold out is sold out' })
  expect(line(few)).toMatchObject({ wanted: 3, added: 1, in_cart: 1, reason: 'Only 1 of Few left in stock' })
  expect(line(plenty)).toMatchObject({ wanted: 2, added: 2, in_cart: 2, reason: null })
  expect(await cartOf(ana)).toEqual([
    [few, 1],
    [plenty, 2],
  ])
})

test('own listings are not bought again where the shop refuses that', async () => {
  const strict = await openShop({ settings: { OWN_LISTINGS: 'refuse' } })
  try {
    const [maker, shopper] = [await strict.signUp('maker'), await strict.signUp('shopper')]
    const mug = await strict.list(maker, { stock: 9 })
    await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
    const { id } = (await shopper.post('/api/orders/checkout')).body
    // As if it was handed to her after the order.
    await strict.db
      .updateTable('products')
      .set({ seller_id: shopper.user.id })
      .where('id', '=', mug.id)
      .execute()
    const { body } = await shopper.post(`/api/orders/${id}/again`)
    expect(body.lines).toMatchObject([{ added: 0, reason: 'Speckled mug is your own listing' }])
  } finally {
    await strict.close()
  }
})

test('who cancelled what is kept, with the reason', async () => {
  const mug = await shop.list(mila, { stock: 9 })
  const { id } = await order([mug.id, 2])
  await transaction(shop.db, async db => {
    await lockOrder(db, id)
    await cancelUnits(db, id, [{ product_id: mug.id, quantity: 1 }], {
      role: 'maker',
      reason: 'It broke in the kiln.',
    })
  })
  expect(await detail(id)).toMatchObject({
    state: 'open',
    lines: [{ open: 1, cancelled: 1 }],
    cancellations: [{ role: 'maker', reason: 'It broke in the kiln.', lines: [{ quantity: 1 }] }],
  })
})
