import { expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { OpenOrder } from '../../../test/support/open-order.ts'

const open = new OpenOrder()
const { another, post, sale, first, second, lettersTo } = open
const GONE = 'Nothing of this order is open any more: it was sent or cancelled'
const linesOf = ({ lines }: { lines: Record<string, number>[] }) =>
  lines.map(({ open, sent, cancelled }) => [open, sent, cancelled])
const age = (minutes: number) =>
  open.shop.rows(`alter table order_events disable trigger user;
    update order_events set created_at = created_at - interval '${minutes} minutes' where order_id = ${open.order.id};
    alter table order_events enable trigger user`)

test('an order is sent in parcels of any pieces, each with a carrier and a number', async () => {
  const { status, body } = await post('parcels', {
    lines: [{ id: second(), quantity: 2 }],
    carrier: 'dhl',
    tracking: 'AB 12/3',
  })
  expect(status).toBe(201)
  expect(body.state).toBe('part-sent')
  expect(linesOf(body)).toEqual([
    [2, 0, 0],
    [1, 2, 0],
  ])
  expect(body.parcels).toMatchObject([
    { carrier: 'dhl', tracking: 'AB 12/3', lines: [{ id: second(), quantity: 2 }], received_at: null },
  ])
  expect(body.parcels[0].tracking_url).toMatch(/^https:\/\/www\.dhl\.com\/.*AB%2012%2F3$/)
  expect((await post('parcels', {})).body).toMatchObject({ state: 'sent', parcels: [{}, { carrier: null }] })
  expect(await lettersTo(open.shopper)).toEqual(['order-received', 'parcel-sent', 'parcel-sent'])
  expectRefusal(await post('parcels', {}), 409, GONE)
})

test('no more is sent than is open, and nothing that was not ordered', async () => {
  const three = await post('parcels', { lines: [{ id: first(), quantity: 3 }] })
  expectRefusal(three, 409, 'Only 2 of Speckled mug are open')
  expectRefusal(
    await post('parcels', { lines: [{ id: open.maker.user.id, quantity: 1 }] }),
    400,
    'This order has no such piece',
  )
  await post('cancel', { lines: [{ id: first(), quantity: 2 }], reason: 'Broken' })
  const gone = await post('parcels', { lines: [{ id: first(), quantity: 1 }] })
  expectRefusal(gone, 409, 'Speckled mug is not open any more: it was sent or cancelled')
  for (const lines of [
    [],
    [{ id: first(), quantity: 0 }],
    [{ id: first(), quantity: 1.5 }],
    'all',
    Array(2).fill({ id: first(), quantity: 1 }),
  ])
    expect((await post('parcels', { lines })).status).toBe(400)
  expect(linesOf(await sale())).toEqual([
    [0, 0, 2],
    [3, 0, 0],
  ])
})

test('a form that is sent twice is one parcel', async () => {
  const body = { lines: [{ id: first(), quantity: 1 }] }
  const responses = await times(20, () => post('parcels', body, 'once'))
  expect(countStatuses(responses)).toEqual({ 201: 20 })
  expect((await sale()).parcels).toHaveLength(1)
  expect(await lettersTo(open.shopper)).toEqual(['order-received', 'parcel-sent'])
  const message = 'This form was sent before, for something else. Please load the page again'
  expectRefusal(await post('cancel', { reason: 'Broken' }, 'once'), 422, message)
})

test('a parcel can be taken back for 15 minutes, once, and not when it was received', async () => {
  const undo = async (key?: string) => {
    const [event] = await open.shop.rows(
      `select id from order_events where order_id = ${open.order.id} and kind = 'sent' order by id desc limit 1`,
    )
    return post(`events/${event.id}/undo`, undefined, key)
  }
  await post('parcels', { lines: [{ id: first(), quantity: 1 }] })
  expect(linesOf((await undo('key')).body)).toEqual([
    [2, 0, 0],
    [3, 0, 0],
  ])
  expect((await undo('key')).status).toBe(200)
  expectRefusal(await undo(), 409, 'This was taken back meanwhile. Please load the page again')
  expect(await sale()).toMatchObject({ state: 'open', parcels: [] })
  await post('parcels', {})
  await age(16)
  expectRefusal(await undo(), 409, 'This can be undone for 15 minutes only')
  await age(-16)
  await open.shop.rows(`insert into order_events (order_id, kind, about, role)
    select order_id, 'received', max(id), 'shopper' from order_events where order_id = ${open.order.id} group by order_id`)
  expectRefusal(await undo(), 409, 'The shopper has received this already')
  expectRefusal(await post('events/999999999/undo'), 404, 'There is no such entry in this order')
  expect((await sale()).state).toBe('received')
})

test('of an undo and another parcel at the same time, both count', async () => {
  await post('parcels', { lines: [{ id: first(), quantity: 2 }] })
  const [{ id }] = (await sale()).parcels
  const responses = await Promise.all([
    post(`events/${id}/undo`),
    post('parcels', { lines: [{ id: second(), quantity: 3 }] }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 201])
  expect(linesOf(await sale())).toEqual([
    [2, 0, 0],
    [0, 3, 0],
  ])
})

test('carrier and number can be said later', async () => {
  const { body } = await post('parcels', {})
  await age(16)
  const path = `parcels/${body.parcels[0].id}/tracking`
  expectRefusal(await post(path, { tracking: ' ' }), 400, 'Tracking number is required')
  expect((await post(path, { carrier: 'UPS', tracking: '1Z' })).body.parcels).toMatchObject([
    { carrier: 'UPS', tracking: '1Z', tracking_url: 'https://www.ups.com/track?tracknum=1Z' },
  ])
  // Saved again, there is nothing to tell.
  await post(path, { carrier: 'UPS', tracking: '1Z' })
  expect(await lettersTo(open.shopper)).toEqual(['order-received', 'parcel-sent', 'tracking-added'])
  expectRefusal(
    await post('parcels/7/tracking', { tracking: '1Z' }),
    404,
    'There is no such entry in this order',
  )
})

test('what the maker cancels is in stock again once, and its shopper reads why', async () => {
  const before = await open.shop.stockOf(first())
  const body = { lines: [{ id: first(), quantity: 1 }], reason: 'It cracked.' }
  const responses = await times(10, () => post('cancel', body, 'once'))
  expect(countStatuses(responses)).toEqual({ 200: 10 })
  expect(await open.shop.stockOf(first())).toBe(before + 1)
  expect(await sale()).toMatchObject({
    state: 'open',
    cancellations: [{ role: 'maker', reason: 'It cracked.', lines: [{ id: first(), quantity: 1 }] }],
  })
  expectRefusal(await post('cancel', { reason: ' ' }), 400, 'Reason is required: the shopper reads it')
  expect((await post('cancel', { reason: 'The rest too.' })).body.state).toBe('cancelled')
  expect(await open.shop.stockOf(first())).toBe(before + 2)
  expect((await sale()).payment).toMatchObject({ due: 0, open: 0 })
  expect(await lettersTo(open.shopper)).toEqual([
    'order-received',
    'cancelled-by-maker',
    'cancelled-by-maker',
  ])
})

test('of a parcel and a cancellation at the same time one wins, and the other is told', async () => {
  for (let round = 0; round < 10; round++) {
    open.order = await another()
    const [sent, cancelled] = await Promise.all([
      post('parcels', {}),
      open.shopper.delete(`/api/orders/${open.order.id}/delete-order`),
    ])
    const { state } = await sale()
    if (state === 'sent') expectRefusal(cancelled, 409, 'Only an order that is Pending can be cancelled')
    else expectRefusal(sent, 409, GONE)
    expect([sent.status, cancelled.status]).toEqual(state === 'sent' ? [201, 409] : [409, 200])
    expect(await open.shop.stockOf(first())).toBe(state === 'sent' ? 18 : 20)
  }
})

test('a carrier that is not named stays, and an empty one is removed', async () => {
  const { body } = await post('parcels', { carrier: 'DHL', tracking: '1' })
  const save = async (tracking: object) =>
    (await post(`parcels/${body.parcels[0].id}/tracking`, tracking)).body.parcels[0]
  expect(await save({ carrier: 'UPS', tracking: '2' })).toMatchObject({ carrier: 'UPS', tracking: '2' })
  expect(await save({ tracking: '3' })).toMatchObject({ carrier: 'UPS', tracking: '3' })
  const none = { carrier: null, tracking: '3', tracking_url: null }
  expect(await save({ carrier: '', tracking: '3' })).toMatchObject(none)
})

test('several orders are marked at once, and each says what became of it', async () => {
  const others = [await another(), await another()]
  open.order = others[1] ?? open.order
  await post('cancel', { reason: 'Broken' })
  const ids = others.map(({ id }) => id)
  const mark = (action: string) =>
    open.maker.post(
      '/api/sales/batch',
      { orders: [...ids, 999_999_999], action },
      { 'idempotency-key': action },
    )
  for (let round = 0; round < 2; round++)
    expect((await mark('sent')).body.results).toEqual([
      { id: ids[0], done: true, message: 'Marked as sent' },
      { id: ids[1], done: false, message: GONE },
      { id: 999_999_999, done: false, message: 'There is no such order' },
    ])
  const message = 'This order is sent, not collected'
  expect((await mark('ready')).body.results[0]).toEqual({ id: ids[0], done: false, message })
  // Those that are collected are not marked as sent by mistake.
  const { id } = await another(await open.shop.signUp('potter'))
  await open.shop.rows(`update orders set seller_id = ${open.maker.user.id} where id = ${id}`)
  expect((await open.maker.post('/api/sales/batch', { orders: [id], action: 'sent' })).body.results).toEqual([
    { id, done: false, message: 'This order is to be collected. If you send it instead, say so on its page' },
  ])
})
