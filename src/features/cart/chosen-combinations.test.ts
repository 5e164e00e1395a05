import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import {
  addSize,
  aMug,
  colours,
  large,
  sizes,
  small,
  stocksOf,
  varied,
} from '../../../test/support/listings.ts'
import { times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const sized = (size: string) => ({ answers: [{ question: 'Size', answer: size }] })
const list = async (variations: object = varied, fields = {}) =>
  (await ana.post('/api/products/', { ...aMug, ...fields, variations })).body
const at = async (id: number) => (await ana.get(`/api/products/${id}`)).body
const stocks = (id: number) => stocksOf(ana, id)

test('a combination is added, ordered and given back with its own price and stock', async () => {
  const { id } = await list()
  const ben = await shop.signUp('ben')
  const { body: line } = await addSize(ben, id, 'Large', 2)
  expect(line).toMatchObject({ quantity: 2, ...sized('Large'), product: { price: 18.5, stock: 3 } })
  expect((await addSize(ben, id, 'Small')).body.id).not.toBe(line.id)
  const order = (await ben.post('/api/orders/checkout')).body
  expect(order).toMatchObject({ total: 49 })
  expect(order.products_ordered).toMatchObject([
    { id, price: 18.5, quantity: 2, ...sized('Large') },
    { id, price: 12, quantity: 1, ...sized('Small') },
  ])
  expect(await stocks(id)).toEqual([1, 1])
  expect((await at(id)).stock).toBe(2)
  await ben.delete(`/api/orders/${order.id}/delete-order`)
  expect(await stocks(id)).toEqual([2, 3])
  expect((await at(id)).stock).toBe(5)
})

test('a combination has to be chosen, and to be made', async () => {
  const { id } = await list({
    variations: [sizes, colours],
    combinations: [
      { ...small, options: ['Small', 'Red'] },
      { ...large, options: ['Large', 'Blue'], stock: 0 },
    ],
  })
  const put = (answers: object[]) => ana.post(`/api/cart_items/add/${id}`, { quantity: 1, answers })
  const size = { question: 'Size', answer: 'Small' }
  expectRefusal(await put([]), 400, 'Please answer “Size”', 'Please answer “Colour”')
  expect((await put([size, { question: 'Colour', answer: 'Green' }])).status).toBe(400)
  expectRefusal(
    await put([size, { question: 'Colour', answer: 'Blue' }]),
    409,
    'The maker does not make this combination. Please choose another one',
  )
  const soldOut = [
    { question: 'Size', answer: 'Large' },
    { question: 'Colour', answer: 'Blue' },
  ]
  expectRefusal(await put(soldOut), 409, 'Speckled mug (Large · Blue) is sold out')
  expect((await put([{ question: 'Colour', answer: 'Red' }, size])).body.answers).toEqual([
    size,
    { question: 'Colour', answer: 'Red' },
  ])
})

test('lines of one combination share its stock, and others do not', async () => {
  const { id } = await list(varied, { questions: [{ title: 'Name', required: false, max_length: 20 }] })
  const ben = await shop.signUp('ben')
  const named = (name: string, size: string, quantity: number) =>
    ben.post(`/api/cart_items/add/${id}`, {
      quantity,
      answers: [...sized(size).answers, { question: 'Name', answer: name }],
    })
  expect((await named('Ana', 'Small', 1)).status).toBe(201)
  expect((await named('Ben', 'Small', 2)).status).toBe(409)
  expect((await named('Ben', 'Small', 1)).status).toBe(201)
  expect((await named('Cleo', 'Large', 3)).status).toBe(201)
  const lines = (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items
  expectRefusal(
    await ben.put(`/api/cart_items/${lines[0].id}`, { quantity: 2 }),
    409,
    'Your cart already holds 1 of Speckled mug; only 2 in stock',
  )
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expect(await stocks(id)).toEqual([0, 0])
})

test('the last piece of a combination is sold once', async () => {
  const { id } = await list({ variations: [sizes], combinations: [{ ...small, stock: 1 }, large] })
  const people = await times(12, () => shop.signUp('shopper'))
  for (const person of people) expect((await addSize(person, id, 'Small')).status).toBe(201)
  const orders = await Promise.all(people.map(person => person.post('/api/orders/checkout')))
  expect(orders.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)])
  expect(await stocks(id)).toEqual([0, 3])
})

test('units of a combination that is not made any more do not come back', async () => {
  const { id } = await list()
  const ben = await shop.signUp('ben')
  await addSize(ben, id, 'Small')
  const order = (await ben.post('/api/orders/checkout')).body
  const variations = { variations: [{ ...sizes, options: ['Large'] }], combinations: [large] }
  await ana.put(`/api/products/${id}`, { ...aMug, price: 12, stock: 4, stock_shown: 4, variations })
  expect((await ben.delete(`/api/orders/${order.id}/delete-order`)).status).toBe(200)
  expect((await at(id)).stock).toBe(3)
  expect(await stocks(id)).toEqual([3])
})

test('what was bought is bought again in the same combination', async () => {
  const { id } = await list()
  const ben = await shop.signUp('ben')
  await addSize(ben, id, 'Large', 2)
  const order = (await ben.post('/api/orders/checkout')).body
  const again = (await ben.post(`/api/orders/${order.id}/again`)).body
  expect(again.lines).toMatchObject([
    { wanted: 2, added: 1, reason: 'Only 1 of Speckled mug (Large) left in stock' },
  ])
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  expect(cart_items).toMatchObject([{ quantity: 1, ...sized('Large'), product: { price: 18.5, stock: 1 } }])
})
