import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { ADDRESS, sell } from '../../../test/support/sold.ts'

let shop: TestShop
let maker: Person
let shopper: Person
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  maker = await shop.signUp('maker')
  shopper = await shop.signUp('shopper')
})
afterAll(() => shop.close())

const sale = (id: number, path = '') => `/api/sales/${id}${path}`
const promised = (id: number, when: string) =>
  shop.rows(`update orders set ready_by = ${when} where id = ${id}`)
const listOf = async (query = '') => (await maker.get(`/api/sales/${query}`)).body
const idsOf = async (query = ''): Promise<number[]> =>
  (await listOf(query)).sales.map(({ id }: { id: number }) => id)
const send = (id: number) => maker.post(sale(id, '/parcels'), {})

test('a maker reads an order with the name, address and note of its shopper, and nothing else of them', async () => {
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  await shop.rows(`update orders set note = 'Please wrap it.' where id = ${id}`)
  const { status, body } = await maker.get(sale(id))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id,
    state: 'open',
    shopper: shopper.name,
    address: { ...ADDRESS, line2: '', region: '' },
    note: 'Please wrap it.',
    pickup: null,
    postage: 5.5,
    lines: [{ quantity: 2, open: 2, sent: 0, cancelled: 0 }],
  })
  const text = JSON.stringify(body)
  for (const hidden of [shopper.user.email, shopper.user.username]) expect(text).not.toContain(hidden)
})

test('the code of a pick-up stays with the shopper', async () => {
  const { id } = await sell(shop, { maker, shopper })
  const [{ pickup_code }] = await shop.rows(`select pickup_code from orders where id = ${id}`)
  expect(pickup_code).toMatch(/^\d{4}$/)
  const { body } = await maker.get(sale(id))
  expect(body.pickup).toEqual({ place: 'Pick-up or by arrangement', hours: '' })
  expect(JSON.stringify([body.pickup, await listOf()])).not.toContain('code')
})

test('open sales come first by their promised day, then the others, newest first, page by page', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push((await sell(shop, { maker, shopper })).id)
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  await promised(b, `now() + interval '1 day'`)
  await promised(a, `now() + interval '2 days'`)
  // From before there were promises.
  await promised(c, 'null')
  await send(d)
  await send(e)
  const order = [b, a, c, e, d]
  expect(await idsOf()).toEqual(order)
  const found: number[] = []
  for (let cursor = ''; ; ) {
    const { sales, next_cursor } = await listOf(`?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...sales.map(({ id }: { id: number }) => id))
    if (next_cursor === null) break
    cursor = next_cursor
  }
  expect(found).toEqual(order)
  for (const cursor of ['abc', 'OS4xLjE', encodeURIComponent("' or 1=1")])
    expectRefusal(await maker.get(`/api/sales/?cursor=${cursor}`), 400, 'Cursor is not one of ours')
})

test('sales are filtered by what there is to do, and found by number or name', async () => {
  const other = await shop.signUp('quirin')
  const sold = async (by: Person) => (await sell(shop, { maker, shopper: by })).id
  const [open, late, ready] = [await sold(shopper), await sold(shopper), await sold(other)]
  const [sent, received, cancelled] = [await sold(shopper), await sold(shopper), await sold(shopper)]
  await promised(late, `now() - interval '2 days'`)
  await promised(ready, `now() - interval '2 days'`)
  await maker.post(sale(ready, '/ready'))
  await send(sent)
  await send(received)
  await shop.rows(`insert into order_events (order_id, kind, about, role)
    select order_id, 'received', id, 'shopper' from order_events where order_id = ${received}`)
  await maker.post(sale(cancelled, '/cancel'), { reason: 'Broken' })
  const { body: paid } = await maker.get(sale(sent))
  await maker.post(sale(sent, '/payments'), { amount: paid.total, day: '2026-01-02' })
  const sorted = async (query: string) => (await idsOf(query)).toSorted((a, b) => a - b)
  const all = (...ids: number[]) => ids.toSorted((a, b) => a - b)
  expect(await sorted('?state=open')).toEqual(all(open, late, ready))
  expect(await sorted('?state=late')).toEqual(all(late))
  expect(await sorted('?state=ready')).toEqual(all(ready))
  expect(await sorted('?state=sent')).toEqual(all(sent))
  expect(await sorted('?state=received')).toEqual(all(received))
  expect(await sorted('?state=cancelled')).toEqual(all(cancelled))
  expect(await sorted('?state=unpaid')).toEqual(all(open, late, ready, received))
  expect(await sorted(`?search=${sent}`)).toEqual(all(sent))
  expect(await sorted(`?search=%23${sent}`)).toEqual(all(sent))
  expect(await sorted(`?search=QUIRIN`)).toEqual(all(ready))
  expect(await sorted(`?search=${encodeURIComponent(other.user.email)}`)).toEqual([])
  expect(await sorted(`?search=quirin&state=sent`)).toEqual([])
  expect(await sorted(`?search=${encodeURIComponent("%' or 1=1 --")}`)).toEqual([])
  expect((await listOf('?state=late')).sales[0]).toMatchObject({ id: late, late: true, state: 'open' })
  expectRefusal(
    await maker.get('/api/sales/?state=all'),
    400,
    'State must be open, late, ready, sent, received, cancelled or unpaid',
  )
})

test('the sums are those of all orders that are open or not settled', async () => {
  expect((await maker.get('/api/sales/sums')).body).toEqual({
    orders: 0,
    due: 0,
    paid: 0,
    refunded: 0,
    open: 0,
    owed: 0,
  })
  const [one, two, three] = [
    await sell(shop, { maker, shopper, by: 'post' }),
    await sell(shop, { maker, shopper, quantities: [1, 3] }),
    await sell(shop, { maker, shopper, quantities: [1] }),
  ]
  const { body: first } = await maker.get(sale(one.id))
  const { body: second } = await maker.get(sale(two.id))
  const day = '2026-01-02'
  await maker.post(sale(one.id, '/payments'), { amount: first.total, day })
  await maker.post(sale(one.id, '/refunds'), { amount: 1.23, day })
  await maker.post(sale(two.id, '/cancel'), { lines: [{ id: two.pieces[1], quantity: 2 }], reason: 'Broken' })
  const due = first.total + second.total - 2 * second.lines[1].price
  // Cancelled as a whole and never paid: settled.
  await maker.post(sale(three.id, '/cancel'), { reason: 'Broken' })
  const cents = (amount: number) => Math.round(amount * 100) / 100
  expect((await maker.get('/api/sales/sums')).body).toEqual({
    orders: 2,
    due: cents(due),
    paid: first.total,
    refunded: 1.23,
    // The first was paid: its refund is not owed again.
    open: cents(due - first.total),
    owed: 0,
  })
  const left = cents(second.total - 2 * second.lines[1].price)
  expect((await maker.get(sale(two.id))).body.payment).toMatchObject({ due: left })
  const { sales } = (await maker.get(`/api/sales/?search=${two.id}`)).body
  expect(sales).toMatchObject([{ total: second.total, due: left, unpaid: left }])
})

test('what is owed to one shopper is not taken from what another has still to pay', async () => {
  const [open, paid] = [
    await sell(shop, { maker, shopper, quantities: [1] }),
    await sell(shop, { maker, shopper, quantities: [1] }),
  ]
  const { body } = await maker.get(sale(paid.id))
  await maker.post(sale(paid.id, '/payments'), { amount: body.total, day: '2026-01-02' })
  await maker.post(sale(paid.id, '/cancel'), { reason: 'Broken' })
  const { body: other } = await maker.get(sale(open.id))
  expect((await maker.get('/api/sales/sums')).body).toMatchObject({
    due: other.total,
    paid: body.total,
    open: Math.round((other.total - body.total) * 100) / 100,
    owed: body.total,
  })
  const { body: page } = await maker.get('/sold', { accept: 'text/html' })
  expect(page).toContain(`<dt>Still to be paid</dt><dd>$${other.total.toFixed(2)}</dd>`)
  expect(page).toContain(`<dt>You owe</dt><dd>$${body.total.toFixed(2)}</dd>`)
})

test('how to pay is the maker’s own to say', async () => {
  expect((await maker.get('/api/sales/payment-words')).body).toEqual({ words: '' })
  const words = 'By transfer to DE00 1234.\nOr in cash.'
  expect((await maker.put('/api/sales/payment-words', { words })).status).toBe(200)
  expect((await maker.get('/api/sales/payment-words')).body).toEqual({ words })
  expect((await shopper.get('/api/sales/payment-words')).body).toEqual({ words: '' })
  // It is on no public page.
  const { body } = await shop.visitor().get(`/api/shops/${maker.user.username}`)
  expect(JSON.stringify(body)).not.toContain('DE00')
  expectRefusal(
    await maker.put('/api/sales/payment-words', { words: 'x'.repeat(1001) }),
    400,
    'How to pay cannot be more than 1000 characters',
  )
})

test('sales are private to their maker', async () => {
  const { id } = await sell(shop, { maker, shopper })
  const another = await shop.signUp('another')
  for (const person of [shopper, another]) {
    expectRefusal(await person.get(sale(id)), 404, 'There is no such order')
    expectRefusal(await person.post(sale(id, '/parcels'), {}), 404, 'There is no such order')
    expectRefusal(await person.post(sale(id, '/cancel'), { reason: 'x' }), 404, 'There is no such order')
    expect((await person.get('/api/sales/')).body.sales).toEqual([])
    const { body } = await person.post('/api/sales/batch', { orders: [id], action: 'sent' })
    expect(body.results).toEqual([{ id, done: false, message: 'There is no such order' }])
  }
  expectRefusal(await shop.visitor().get(sale(id)), 401, 'Please log in')
  expect((await maker.get(sale(id))).body.state).toBe('open')
})
