import { expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { OpenOrder } from '../../../test/support/open-order.ts'

const open = new OpenOrder()
const { another, post, sale, first, lettersTo } = open

test('an order to collect is made ready, and handed over for its code', async () => {
  expectRefusal(await post('ready'), 409, 'This order is sent, not collected')
  expectRefusal(await post('collected', { code: '0000' }), 409, 'This order is sent, not collected')
  open.order = await another(await open.shop.signUp('potter'))
  await open.shop.rows(`update orders set seller_id = ${open.maker.user.id} where id = ${open.order.id}`)
  const [{ pickup_code }] = await open.shop.rows(`select pickup_code from orders where id = ${open.order.id}`)
  const { body: marked } = await post('ready', undefined, 'wrong')
  expect((await post(`events/${marked.ready_undo.id}/undo`)).body).toMatchObject({
    ...{ state: 'open', ready_at: null, ready_undo: null },
  })
  expect((await post('ready', undefined, 'once')).body).toMatchObject({
    state: 'ready',
    ready_at: expect.any(String),
  })
  expect((await post('ready', undefined, 'once')).status).toBe(200)
  expectRefusal(await post('ready'), 409, 'This order is marked as ready already')
  // The list has no mark for it.
  const { body: list } = await open.maker.get('/sold?state=ready', { accept: 'text/html' })
  expect(list).toContain(`Order #${open.order.id}`)
  expect(list).not.toContain(`Choose order #${open.order.id}`)
  expectRefusal(
    await post('collected', { code: '12' }),
    400,
    'Code must be the four digits that the shopper has',
  )
  const wrong = String((Number(pickup_code) + 1) % 10_000).padStart(4, '0')
  const message = 'This is not the code of this order. The shopper finds it on the page of their order'
  expectRefusal(await post('collected', { code: wrong }), 409, message)
  expect((await post('collected', { code: pickup_code })).body.state).toBe('collected')
  expect((await lettersTo(open.shopper)).at(-1)).toBe('order-ready')
})

test('an order whose shopper has deleted their account is handed over without its code', async () => {
  await open.shop.rows(
    `update orders set pickup_place = 'Studio', pickup_code = null where id = ${open.order.id}`,
  )
  expect((await post('collected', { code: '0000' })).body.state).toBe('collected')
})

test('what is left of an order to collect is ready, also if a part of it was sent', async () => {
  open.order = await another(await open.shop.signUp('potter'))
  const { id } = open.maker.user
  await open.shop.rows(
    `update orders set seller_id = ${id}, ready_by = now() - interval '3 days' where id = ${open.order.id}`,
  )
  const { body: begun } = await post('parcels', { lines: [{ id: first(), quantity: 1 }] })
  expect(begun).toMatchObject({ state: 'part-sent', late: true })
  const { body } = await post('ready')
  expect(body).toMatchObject({ state: 'ready', late: false, ready_undo: { id: expect.any(Number) } })
  const listed = async (state: string) =>
    (await open.maker.get(`/api/sales/?state=${state}&search=${open.order.id}`)).body.sales.length
  expect([await listed('ready'), await listed('late')]).toEqual([1, 0])
  expect((await post(`events/${body.ready_undo.id}/undo`)).body).toMatchObject({ state: 'part-sent' })
})

test('codes cannot be guessed', async () => {
  open.order = await another()
  await open.shop.rows(`update orders set pickup_code = '7777' where id = ${open.order.id}`)
  const guesses = await times(15, n => post('collected', { code: String(1000 + n) }))
  expect(countStatuses(guesses)).toEqual({ 409: 10, 429: 5 })
  expect((await post('collected', { code: '7777' })).status).toBe(429)
  expect((await sale()).state).toBe('open')
})
