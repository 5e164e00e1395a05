import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal, soon } from '../support/expect.ts'
import type { MailServer } from '../support/mail-server.ts'
import type { Person, TestShop } from '../support/shop.ts'
import { openShopWithMail } from '../support/shop-with-mail.ts'

// The answers to a maker's questions, from the cart to the parcel.

let mail: MailServer
let shop: TestShop
let maker: Person
let shopper: Person
let mug: { id: number; name: string }
beforeAll(async () => {
  ;({ mail, shop } = await openShopWithMail())
  maker = await shop.signUp('maker')
})
beforeEach(async () => {
  shopper = await shop.signUp('shopper')
  mug = await shop.list(maker, {
    stock: 9,
    questions: [{ title: 'Name', instructions: '', required: true, max_length: 40 }],
  })
})
afterAll(() => shop.close())

const named = (answer: string) => [{ question: 'Name', answer }]
const add = (answer: string, quantity = 1) =>
  shopper.post(`/api/cart_items/add/${mug.id}`, { quantity, answers: named(answer) })
/** An order with two mugs for Ana and one for Ben. */
async function order(): Promise<number> {
  await add('Ana', 2)
  await add('Ben')
  const { status, body } = await shopper.post('/api/orders/checkout')
  expect(status).toBe(201)
  return body.id
}
const page = async (person: Person, path: string) => {
  const { body } = await person.get(path, { accept: 'text/html' })
  return body.replace(/<script.*?<\/script>/gs, '')
}

test('an order holds two lines of one listing, each with its answers', async () => {
  await add('Ana', 2)
  await add('Ben')
  const { body } = await shopper.post('/api/orders/checkout')
  expect(body.products_ordered).toEqual([
    { id: mug.id, name: mug.name, price: 24.5, quantity: 2, answers: named('Ana') },
    { id: mug.id, name: mug.name, price: 24.5, quantity: 1, answers: named('Ben') },
  ])
  expect(body.total).toBe(73.5)
  expect(await shop.stockOf(mug.id)).toBe(6)
  expect(await shop.rows(`select units from stock_ledger where order_id = ${body.id}`)).toEqual([
    { units: -3 },
  ])
  expect((await shopper.get(`/api/orders/?id=${body.id}`)).body).toEqual([
    expect.objectContaining({ products_ordered: body.products_ordered }),
  ])
  const { lines } = (await maker.get(`/api/sales/${body.id}`)).body
  expect(lines).toMatchObject([
    { id: mug.id, line: 1, answers: named('Ana'), quantity: 2, open: 2 },
    { id: mug.id, line: 2, answers: named('Ben'), quantity: 1, open: 1 },
  ])
})

test('the lines of an order are listed one by one, also across pages', async () => {
  const id = await order()
  const first = await shopper.get('/api/orders/order-items/1?limit=1')
  const [, next = ''] = /<([^>]+)>/.exec(String(first.headers.link)) ?? []
  const second = await shopper.get(next)
  expect([...first.body, ...second.body]).toEqual([
    { order_id: id, product_id: mug.id, quantity: 2 },
    { order_id: id, product_id: mug.id, quantity: 1, line: 2 },
  ])
})

test('a parcel and a cancellation are of one line, and the stock comes back once', async () => {
  const id = await order()
  const lines = (line: number, quantity: number) => [{ id: mug.id, line, quantity }]
  const send = (body: object) => maker.post(`/api/sales/${id}/parcels`, body)
  const message = `Only 1 of ${mug.name} is open`
  expectRefusal(await send({ lines: lines(2, 2) }), 409, message)
  expectRefusal(await send({ lines: lines(3, 1) }), 400, 'This order has no such piece')
  const sent = await send({ lines: lines(2, 1) })
  expect(sent.body.parcels[0].lines).toEqual([
    { id: mug.id, line: 2, name: mug.name, answers: named('Ben'), quantity: 1 },
  ])
  expect(sent.body.lines).toMatchObject([{ sent: 0 }, { sent: 1 }])
  const undone = await maker.post(`/api/sales/${id}/events/${sent.body.parcels[0].id}/undo`)
  expect(undone.body.lines).toMatchObject([{ sent: 0 }, { sent: 0 }])
  await maker.post(`/api/sales/${id}/cancel`, { lines: lines(1, 1), reason: 'It cracked.' })
  expect(await shop.stockOf(mug.id)).toBe(7)
  const whole = await maker.post(`/api/sales/${id}/cancel`, { reason: 'All cracked.' })
  expect(whole.body).toMatchObject({ state: 'cancelled', lines: [{ cancelled: 2 }, { cancelled: 1 }] })
  expect(await shop.stockOf(mug.id)).toBe(9)
})

test('its shopper cancels an order with both lines', async () => {
  const id = await order()
  expect((await shopper.delete(`/api/orders/${id}/delete-order`)).status).toBe(200)
  expect(await shop.stockOf(mug.id)).toBe(9)
})

test('answers are on every page of the order, as text', async () => {
  await add('<b>Ana</b>', 2)
  expect(await page(shopper, '/cart')).toContain('&lt;b&gt;Ana&lt;/b&gt;')
  expect(await page(shopper, '/cart?checkout=yes')).toContain('&lt;b&gt;Ana&lt;/b&gt;')
  const { id } = (await shopper.post('/api/orders/checkout')).body
  for (const path of [`/orders/${id}`, '/orders', '/orders/view'])
    expect(await page(shopper, path), path).toContain('&lt;b&gt;Ana&lt;/b&gt;')
  for (const path of [`/sold/${id}`, '/sold', `/sold/${id}/slip`])
    expect(await page(maker, path), path).toContain('&lt;b&gt;Ana&lt;/b&gt;')
})

test('answers are in the letters, and in the file of sales without formulas', async () => {
  await add('=HYPERLINK("http://evil","x")')
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const letter = (person: Person) =>
    mail.letters.find(
      ({ subject, recipients }) => subject?.includes(String(id)) && recipients.includes(person.user.email),
    )
  await expect.poll(() => [letter(shopper), letter(maker)].every(Boolean), soon).toBe(true)
  for (const person of [shopper, maker])
    expect(letter(person)?.text).toContain('=HYPERLINK("http://evil","x")')
  const day = new Date().toISOString().slice(0, 10)
  const { body } = await maker.get(`/api/sales/export.csv?from=${day}&to=${day}`)
  expect(String(body)).toContain(`,"${mug.name} – Name: =HYPERLINK(""http://evil"",""x"")"\r\n`)
  await maker.put(`/api/products/${mug.id}`, { ...(await listing()), name: '=1+1' })
  await add('Ana')
  await shopper.post('/api/orders/checkout')
  const again = await maker.get(`/api/sales/export.csv?from=${day}&to=${day}`)
  expect(String(again.body)).toContain(`,"'=1+1 – Name: Ana"\r\n`)
})
const listing = async () => {
  const { name, category, description, price, stock } = (await maker.get(`/api/products/${mug.id}`)).body
  return { name, category, description, price, stock }
}

test('what was bought is bought again with the same answers, as far as they fit', async () => {
  const id = await order()
  const again = async () => (await shopper.post(`/api/orders/${id}/again`)).body.lines
  const inCart = async () =>
    (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items.map(
      ({ quantity, answers }: { quantity: number; answers: { answer: string }[] }) => [
        quantity,
        answers[0]?.answer,
      ],
    )
  expect(await again()).toMatchObject([
    { answers: named('Ana'), wanted: 2, added: 2, reason: null },
    { answers: named('Ben'), wanted: 1, added: 1, reason: null },
  ])
  expect(await again()).toMatchObject([{ added: 0 }, { added: 0 }])
  expect(await inCart()).toEqual([
    [2, 'Ana'],
    [1, 'Ben'],
  ])
  await shopper.post('/api/orders/checkout')
  await maker.put(`/api/products/${mug.id}`, { ...(await listing()), stock: 2 })
  const reason = `Your cart already holds 2 of ${mug.name}; only 2 in stock`
  expect(await again()).toMatchObject([
    { added: 2, reason: null },
    { added: 0, reason },
  ])
  await maker.put(`/api/products/${mug.id}`, { ...(await listing()), stock: 9, questions: [] })
  const changed = `The maker has changed what they ask about ${mug.name}: add it on its page`
  expect(await again()).toMatchObject([
    { added: 0, reason: null },
    { added: 0, reason: changed },
  ])
})

test('an order is refused if an answer is not the one that its shopper saw', async () => {
  await add('Ana')
  const { delivery } = (await shopper.get('/api/checkout/')).body
  const [line] = (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items
  await shopper.delete(`/api/cart_items/${line.id}`)
  await add('Ben')
  const placing = (expected: string) =>
    shopper.post('/api/orders/checkout', undefined, {
      'expected-items': `${mug.id}x1`,
      'expected-total': '24.50',
      'expected-delivery': expected,
    })
  const message =
    'How your pieces reach you, or what you want of them, has changed. Nothing was ordered yet: please look at it again'
  expectRefusal(await placing(delivery), 409, message)
  expect((await placing((await shopper.get('/api/checkout/')).body.delivery)).status).toBe(201)
})

test('answers of a deleted account are gone, the pieces stay', async () => {
  const id = await order()
  await shop.rows(`update orders set created_at = created_at - interval '1 year' where id = ${id}`)
  const response = await shopper.post('/api/account/deletion', {
    current_password: shopper.password,
    reviews: 'keep',
  })
  expect(response.status).toBe(200)
  expect(
    await shop.rows(`select line, quantity, answers from order_lines where order_id = ${id} order by line`),
  ).toEqual([
    { line: 1, quantity: 2, answers: [] },
    { line: 2, quantity: 1, answers: [] },
  ])
})
