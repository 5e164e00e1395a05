import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDate } from '#format-date'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** A day in UTC. @param from days from today */
const day = (from: number) => new Date(Date.now() + from * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const leave = (maker: Person, from: number, until: number) =>
  maker.put('/api/holiday/', { from: day(from), until: day(until), note: 'At the sea.' })
const add = (person: Person, id: number) => person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
const refusal = (maker: Person, until: number) =>
  `${maker.user.username} is away until ${formatDate(day(until))}, and takes orders again after that day`

test('while a seller is away nothing of theirs can be added or ordered, and everything stays visible', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const [mug, jug] = [await shop.list(ana), await shop.list(ana, { name: 'Jug' })]
  await add(ben, mug.id)
  expect((await leave(ana, 0, 1)).body).toMatchObject({ away: true, until: day(1) })
  for (const id of [mug.id, jug.id]) {
    const response = await add(ben, id)
    expect([response.status, response.body.message]).toEqual([409, refusal(ana, 1)])
  }
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  expect(cart_items).toMatchObject([{ quantity: 1, product: { id: mug.id, refusal: refusal(ana, 1) } }])
  const order = await ben.post('/api/orders/checkout')
  expect([order.status, order.body.message]).toEqual([409, refusal(ana, 1)])
  const away = { until: day(1), note: 'At the sea.' }
  expect((await ben.get(`/api/shops/${ana.user.username}`)).body.away).toEqual(away)
  expect((await ben.get(`/api/products/${mug.id}/postage`)).body.away).toEqual(away)
  expect((await ben.get(`/api/products/?seller=${ana.user.username}`)).body.products).toHaveLength(2)

  await ana.delete('/api/holiday/')
  expect((await ana.get('/api/holiday/')).body).toEqual({ holiday: null })
  expect((await ben.get(`/api/products/${mug.id}/postage`)).body).not.toHaveProperty('away')
  expect((await add(ben, jug.id)).status).toBe(201)
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
})

test('to buy again adds nothing of a seller who is away', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(ana, { stock: 9 })
  await add(ben, id)
  const order = (await ben.post('/api/orders/checkout')).body.id
  await leave(ana, 0, 1)
  const again = await ben.post(`/api/orders/${order}/again`)
  expect(again.body.lines).toMatchObject([{ added: 0, in_cart: 0, reason: refusal(ana, 1) }])
  expect((await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items).toEqual([])
})

test('a holiday counts from its first day to its last, both included', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(ana, { stock: 9 })
  expect((await leave(ana, 1, 5)).body.away).toBe(false)
  expect((await add(ben, id)).status).toBe(201)
  await leave(ana, -3, 0)
  expect((await add(ben, id)).status).toBe(409)
  await shop.rows(`update shops set away_until = away_until - 1 where user_id = ${ana.user.id}`)
  expect((await add(ben, id)).status).toBe(201)
  expect((await ana.get('/api/holiday/')).body).toEqual({ holiday: null })
})

test.each([
  ['that is over', -3, -1, 'The last day cannot be in the past'],
  ['that ends before it begins', 3, 1, 'The last day cannot be before the first'],
])('a holiday %s is refused, and the one before stays', async (_, from, until, message) => {
  const ana = await shop.signUp('ana')
  await leave(ana, 0, 2)
  const before = (await ana.get('/api/holiday/')).body
  const response = await leave(ana, from, until)
  expect([response.status, response.body.message]).toEqual([400, message])
  expect((await ana.get('/api/holiday/')).body).toEqual(before)
})

test.each(['2026-02-30', '2026-13-01', 'tomorrow', '0000-01-01'])('%s is no day', async from => {
  const ana = await shop.signUp('ana')
  const response = await ana.put('/api/holiday/', { from, until: day(3), note: '' })
  expect([response.status, response.body.message]).toEqual([400, 'First day must be a day'])
})
