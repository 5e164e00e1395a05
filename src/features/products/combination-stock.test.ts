import { expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { addSize, large, sizes, small, varied } from '../../../test/support/listings.ts'
import { aMug } from '../../../test/support/shop.ts'
import { VariedListings } from '../../../test/support/varied-listings.ts'

const varying = new VariedListings()
const { list, at, stocks, save } = varying

test('a repeated sending adds no stock twice', async () => {
  const { id, version } = await list()
  const change = {
    ...{ ...aMug, price: 12, stock: 5, stock_shown: 5 },
    variations: {
      variations: [sizes],
      combinations: [
        { ...small, stock: 10, stock_shown: 2 },
        { ...large, stock_shown: 3 },
      ],
    },
  }
  const headers = { 'idempotency-key': 'again', 'expected-version': String(version) }
  await varying.ana.put(`/api/products/${id}`, change, headers)
  expect((await varying.ana.put(`/api/products/${id}`, change, headers)).status).toBe(200)
  expect(await stocks(id)).toEqual([10, 3])
})

test('variations that are removed twice with one key, or while some are sold, leave what is left', async () => {
  const { id } = await list()
  const ben = await varying.shop.signUp('ben')
  const removal = {
    ...aMug,
    price: 12,
    stock: 5,
    stock_shown: 5,
    variations: { variations: [], combinations: [] },
  }
  await addSize(ben, id, 'Large')
  await ben.post('/api/orders/checkout')
  const headers = { 'idempotency-key': 'no-variations' }
  for (const _ of [1, 2]) {
    expect((await varying.ana.put(`/api/products/${id}`, removal, headers)).status).toBe(200)
    expect((await at(id)).stock).toBe(4)
  }
})

test('a new listing that is sent again without its variations has the stock of the form', async () => {
  const headers = { 'idempotency-key': 'without' }
  const sizes5 = { ...varied, combinations: varied.combinations.map(each => ({ ...each, stock: 5 })) }
  const { id } = (await varying.ana.post('/api/products/', { ...aMug, variations: sizes5 }, headers)).body
  for (const _ of [1, 2]) {
    const plain = { ...aMug, stock: 5, variations: { variations: [], combinations: [] } }
    expect((await varying.ana.post('/api/products/', plain, headers)).body.id).toBe(id)
    expect((await at(id)).stock).toBe(5)
  }
})

test('a listing that is sent again with its key is added once, with its stock', async () => {
  const headers = { 'idempotency-key': 'one-listing' }
  const send = () => varying.ana.post('/api/products/', { ...aMug, variations: varied }, headers)
  const { id } = (await send()).body
  expect((await send()).body).toMatchObject({ id, stock: 5 })
  expect(await stocks(id)).toEqual([2, 3])
})

test('units that are sold while others take their place do not come back', async () => {
  const ben = await varying.shop.signUp('ben')
  const buy = async (id: number, fields = {}) => {
    await ben.post(`/api/cart_items/add/${id}`, { quantity: 1, ...fields })
    expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  }
  const { id } = (await varying.ana.post('/api/products/', aMug)).body
  const { stock } = await at(id)
  await buy(id)
  const stale = { price: 20, stock, stock_shown: stock }
  expectRefusal(await save(id, varied, stale), 409, `Some were sold meanwhile: ${stock - 1} left in stock`)
  expect((await at(id)).stock).toBe(stock - 1)
  expect((await save(id, varied)).status).toBe(200)
  expect(await stocks(id)).toEqual([2, 3])

  // Another name for the options, while a large one is sold.
  const renamed = {
    variations: [{ title: 'Size', options: ['S', 'L'] }],
    combinations: [
      { options: ['S'], price: 12, stock: 2, stock_shown: 0 },
      { options: ['L'], price: 18.5, stock: 3, stock_shown: 0 },
    ],
  }
  const seen = { price: 12, stock: 5, stock_shown: 5 }
  await addSize(ben, id, 'Large')
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expectRefusal(await save(id, renamed, seen), 409, 'Some were sold meanwhile: 4 left in stock')
  expect(await stocks(id)).toEqual([2, 2])
  const headers = { 'idempotency-key': 'renamed' }
  const again = { ...aMug, ...seen, stock: 4, stock_shown: 4, variations: renamed }
  renamed.combinations[1]!.stock = 2
  for (const _ of [1, 2])
    expect((await varying.ana.put(`/api/products/${id}`, again, headers)).status).toBe(200)
  expect(await stocks(id)).toEqual([2, 2])
})

test('what is sold of a combination that stays, while another is replaced, stays sold', async () => {
  const { id } = await list()
  const ben = await varying.shop.signUp('ben')
  await addSize(ben, id, 'Small')
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  const replaced = {
    variations: [{ title: 'Size', options: ['Small', 'Huge'] }],
    combinations: [
      { options: ['Small'], price: 12, stock: 2, stock_shown: 2 },
      { options: ['Huge'], price: 18.5, stock: 3, stock_shown: 0 },
    ],
  }
  expect((await save(id, replaced, { price: 12, stock: 5, stock_shown: 5 })).status).toBe(200)
  expect(await stocks(id)).toEqual([1, 3])
})

test('the units of combinations are changed by the ledger alone', async () => {
  const { id } = await list()
  await expect(
    varying.shop.rows(`update variants set quantity = 9 where product_id = ${id}`),
  ).rejects.toThrow('stock is changed by a row in stock_ledger')
})
