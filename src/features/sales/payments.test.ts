import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { type Order, sell } from '../../../test/support/sold.ts'

let shop: TestShop
let maker: Person
let shopper: Person
let order: Order
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  maker = await shop.signUp('maker')
  shopper = await shop.signUp('shopper')
  order = await sell(shop, { maker, shopper, quantities: [2, 3], by: 'post' })
})
afterAll(() => shop.close())

const day = '2026-01-02'
const post = (path: string, body?: object, key?: string) =>
  maker.post(`/api/sales/${order.id}/${path}`, body, key ? { 'idempotency-key': key } : {})
const sale = async () => (await maker.get(`/api/sales/${order.id}`)).body

test('payments and refunds are recorded by hand, and taken back', async () => {
  const { total } = await sale()
  const paid = await post('payments', { amount: total, day, note: 'By transfer' }, 'once')
  expect([paid.status, paid.body.payment]).toMatchObject([
    201,
    { due: total, paid: total, refunded: 0, open: 0 },
  ])
  const again = { amount: total, day, note: 'By transfer' }
  expect((await post('payments', again, 'once')).body.payment.paid).toBe(total)
  for (const other of [{ amount: 1 }, { day: '2026-01-03' }, { note: 'In cash' }])
    expect((await post('payments', { ...again, ...other }, 'once')).status).toBe(422)
  expect(paid.body.payment.entries).toMatchObject([{ kind: 'paid', amount: total, day, note: 'By transfer' }])
  const over = Math.round(total * 100 + 1) / 100
  expectRefusal(await post('refunds', { amount: over, day }), 409, 'More cannot be refunded than was paid')
  const halves = await times(5, () => post('refunds', { amount: Math.ceil(total / 2), day }))
  expect(countStatuses(halves)).toEqual({ 201: 1, 409: 4 })
  const letters = await shop.rows(
    `select kind from outbox where recipient = ${shopper.user.id} order by created_at`,
  )
  expect(letters.map(({ kind }) => kind)).toEqual(['order-received', 'refund-recorded'])
  const [{ id: payment }, { id: refund }] = (await sale()).payment.entries
  expectRefusal(await post(`events/${payment}/undo`), 409, 'More cannot be refunded than was paid')
  expect((await post(`events/${refund}/undo`)).body.payment).toMatchObject({ paid: total, refunded: 0 })
  expect((await post(`events/${payment}/undo`)).body.payment).toMatchObject({
    paid: 0,
    open: total,
    entries: [],
  })
})

test('a refund of a paid order is not owed again, and what was paid too much is', async () => {
  const { total } = await sale()
  const cents = (amount: number) => Math.round(amount * 100) / 100
  const open = async (path: string, amount: number) => (await post(path, { amount, day })).body.payment.open
  expect(await open('payments', 3)).toBe(cents(total - 3))
  // Given back before the rest is paid: nothing of it was for the pieces.
  expect(await open('refunds', 2)).toBe(cents(total - 1))
  expect(await open('payments', cents(total - 3))).toBe(0)
  expect(await open('refunds', 5)).toBe(0)
  const { sales } = (await maker.get('/api/sales/?state=unpaid')).body
  expect(sales).toEqual([])
  expect((await maker.get('/api/sales/')).body.sales).toMatchObject([{ id: order.id, unpaid: 0 }])
  expect((await shopper.get(`/api/orders/${order.id}/detail`)).body.payment).toMatchObject({
    refunded: 7,
    open: 0,
  })
  expect(await open('payments', 10)).toBe(-3)
  expect(await open('refunds', 3)).toBe(0)
  await post('cancel', { reason: 'Broken' })
  const { payment } = await sale()
  expect(payment).toMatchObject({ due: 0, open: -total })
  expect((await maker.get('/api/sales/sums')).body).toMatchObject({ orders: 1, open: -total })
  expect(await open('refunds', total)).toBe(0)
  expect((await maker.get('/api/sales/sums')).body).toMatchObject({ orders: 0, open: 0 })
})

test.each([
  [{ amount: 0 }, 'Amount must be more than 0'],
  [{ amount: 1.005 }, 'Amount cannot have more than two decimals'],
  [{ amount: 1_000_000.01 }, 'Amount cannot be more than 1,000,000'],
  [{ amount: '5' }, 'Amount must be a number'],
  [{}, 'Amount is required'],
  [{ amount: 5, day: '2026-02-30' }, 'Day must be a date such as 2026-03-31, and not in the future'],
  [{ amount: 5, day: '2999-01-01' }, 'Day must be a date such as 2026-03-31, and not in the future'],
])('%j is no payment', async (body, message) => {
  expectRefusal(await post('payments', { day, ...body }), 400, message)
  expect((await sale()).payment.entries).toEqual([])
})

test('an order has at most 500 entries', async () => {
  await shop.rows(`insert into order_events (order_id, kind, role, cents, happened_on)
    select ${order.id}, 'paid', 'maker', 1, '${day}' from generate_series(1, 499)`)
  expect((await post('payments', { amount: 1, day }, 'last')).status).toBe(201)
  expectRefusal(
    await post('payments', { amount: 1, day }),
    409,
    'This order has so many entries that no more can be added',
  )
  expect((await post('payments', { amount: 1, day }, 'last')).status).toBe(201)
})
