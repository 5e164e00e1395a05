import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Id } from '#contract'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { cancelUnits, openUnits, record } from './events.ts'
import { running } from './running.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

interface Sale {
  ana: Person
  maker: Person
  order: Id
}
/** Ana orders three mugs, so many days ago. */
async function sell(days = 0): Promise<Sale> {
  const [ana, maker] = [await shop.signUp('ana'), await shop.signUp('maker')]
  const mug = await shop.list(maker, { stock: 9 })
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 3 })
  const order = (await ana.post('/api/orders/checkout')).body.id
  await shop.rows(`update orders set created_at = now() - interval '${days} days' where id = ${order}`)
  return { ana, maker, order }
}
/** Sends so many of the open pieces, so many days ago. @returns the id of the event */
async function send({ order }: Sale, quantity: number, days = 0): Promise<Id> {
  const [line] = await openUnits(shop.db, order)
  const created_at = sql<Date>`now() - make_interval(days => ${days})`
  const { id } = await shop.db
    .insertInto('order_events')
    .values({ order_id: order, kind: 'sent', role: 'maker', created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const units = { event_id: id, order_id: order, product_id: line?.product_id ?? 0, units: quantity }
  await shop.db.insertInto('order_event_units').values(units).execute()
  return id
}
/** State of the running order for both sides; undefined: it runs no longer. */
async function stateOf({ ana, maker, order }: Sale) {
  const of = async ({ user }: Person) => (await running(shop.db, user.id)).find(({ id }) => id === order)
  const [placed, sold] = [await of(ana), await of(maker)]
  expect([placed?.role, sold?.role]).toEqual(placed ? ['shopper', 'maker'] : [undefined, undefined])
  expect(placed?.state).toBe(sold?.state)
  return placed?.state
}

test('an order runs while pieces are open, then while its parcels are on their way', async () => {
  const sale = await sell()
  expect(await stateOf(sale)).toBe('open')
  const first = await send(sale, 1)
  expect(await stateOf(sale)).toBe('open')
  const second = await send(sale, 2)
  expect(await stateOf(sale)).toBe('sent')
  await record(shop.db, sale.order, { kind: 'received', role: 'shopper', about: first })
  expect(await stateOf(sale)).toBe('sent')
  await record(shop.db, sale.order, { kind: 'received', role: 'shopper', about: second })
  expect(await stateOf(sale)).toBeUndefined()
})

test('a parcel counts as received after 14 days', async () => {
  const [late, early] = [await sell(20), await sell(20)]
  await send(late, 3, 13)
  await send(early, 3, 14)
  expect([await stateOf(late), await stateOf(early)]).toEqual(['sent', undefined])
})

test('a parcel that may travel for longer counts as received a week after it was expected', async () => {
  const [late, early] = [await sell(40), await sell(40)]
  for (const { order } of [late, early])
    await shop.rows(`update orders set days_min = 20, days_max = 30 where id = ${order}`)
  await send(late, 3, 36)
  await send(early, 3, 37)
  const shown = async ({ ana, order }: Sale) => (await ana.get(`/api/orders/${order}/detail`)).body.state
  expect([await stateOf(late), await shown(late)]).toEqual(['sent', 'sent'])
  expect([await stateOf(early), await shown(early)]).toEqual([undefined, 'received'])
})

test('a parcel that was undone is not on its way', async () => {
  const sale = await sell(200)
  const parcel = await send(sale, 3, 1)
  expect(await stateOf(sale)).toBe('sent')
  const undone = await record(shop.db, sale.order, { kind: 'undone', role: 'maker', about: parcel })
  await shop.rows(`
    insert into order_event_units (event_id, order_id, product_id, units)
    select ${undone}, order_id, product_id, units from order_event_units where event_id = ${parcel}`)
  expect(await stateOf(sale)).toBeUndefined()
})

test('what is cancelled, or was collected, does not run', async () => {
  const sale = await sell()
  const units = await openUnits(shop.db, sale.order)
  await cancelUnits(shop.db, sale.order, units, { role: 'maker' })
  expect(await stateOf(sale)).toBeUndefined()
  const collected = await sell()
  const pieces = await openUnits(shop.db, collected.order)
  await record(shop.db, collected.order, { kind: 'collected', role: 'maker' }, pieces)
  expect(await stateOf(collected)).toBeUndefined()
})

test('a running order names what is not cancelled', async () => {
  const { ana, order } = await sell()
  const [line] = await openUnits(shop.db, order)
  if (!line) throw new Error('nothing is open')
  await cancelUnits(shop.db, order, [{ ...line, quantity: 1 }], { role: 'maker' })
  expect(await running(shop.db, ana.user.id)).toMatchObject([
    { pieces: [{ id: line.product_id, quantity: 2 }] },
  ])
})

test('an open order keeps nobody for ever: 180 days after it was placed, or after its last parcel', async () => {
  const [waiting, forgotten, slow] = [await sell(179), await sell(180), await sell(300)]
  expect([await stateOf(waiting), await stateOf(forgotten)]).toEqual(['open', undefined])
  await send(slow, 1, 200)
  expect(await stateOf(slow)).toBeUndefined()
  await send(slow, 1, 179)
  expect(await stateOf(slow)).toBe('open')
})
