import { afterAll, beforeAll, expect, test } from 'vitest'
import { times } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { MAX_STOCK } from './contract.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

/** The ledger of a listing, oldest first. */
async function ledgerOf(id: number): Promise<[units: number, reason: string, order: number | null][]> {
  const rows = await shop.db
    .selectFrom('stock_ledger')
    .select(['units', 'reason', 'order_id'])
    .where('product_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ units, reason, order_id }) => [units, reason, order_id])
}

async function buy(person: Person, id: number, quantity: number): Promise<number> {
  await person.post(`/api/cart_items/add/${id}`, { quantity })
  return (await person.post('/api/orders/checkout')).body.id
}

test('every change of stock is in the ledger, with its reason and order', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const order = await buy(ben, id, 2)
  await ana.put(`/api/products/${id}`, { ...aMug, stock: 10 })
  await ana.put(`/api/products/${id}`, { ...aMug, stock: 9 })
  await ana.put(`/api/products/${id}`, { ...aMug, stock: 9, description: 'The same number is no change.' })
  await ben.delete(`/api/orders/${order}/delete-order`)
  expect(await ledgerOf(id)).toEqual([
    [5, 'opening', null],
    [-2, 'sale', order],
    [7, 'restock', null],
    [-1, 'correction', null],
    [2, 'cancel', order],
  ])
  expect(await shop.stockOf(id)).toBe(11)
})

test('one piece more is a restock, and the greatest stock can be set', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  for (const stock of [6, MAX_STOCK])
    expect((await ana.put(`/api/products/${id}`, { ...aMug, stock })).status).toBe(200)
  expect(await ledgerOf(id)).toEqual([
    [5, 'opening', null],
    [1, 'restock', null],
    [MAX_STOCK - 6, 'restock', null],
  ])
})

test('a refused checkout leaves no row', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 5 })
  await shop.correctStock(id, -3)
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  expect(await ledgerOf(id)).toEqual([
    [5, 'opening', null],
    [-3, 'correction', null],
  ])
  await ben.put(`/api/products/${id}`, { ...aMug, stock: 1 })
  expect(await shop.stockOf(id)).toBe(2)
  for (const line of (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items)
    await ben.delete(`/api/cart_items/${line.id}`)
})

test('stock above the maximum is not given back', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const order = await buy(ben, id, 2)
  await ana.put(`/api/products/${id}`, { ...aMug, stock: 999_999 })
  await ben.delete(`/api/orders/${order}/delete-order`)
  expect((await ledgerOf(id)).at(-1)).toEqual([1, 'cancel', order])
  expect(await shop.stockOf(id)).toBe(1_000_000)
})

test('concurrent sales, cancels and restocks: the stock is the sum of its ledger', async () => {
  const mugs = await times(3, () => shop.list(ana, { stock: 40 }))
  const people = await times(8, n => shop.signUp(`ben${n}`))
  const work = people.map(async person => {
    for (let round = 0; round < 4; round++) {
      for (const { id } of mugs) await person.post(`/api/cart_items/add/${id}`, { quantity: 1 + (round % 3) })
      const order = (await person.post('/api/orders/checkout')).body.id
      if (order && round % 2 === 0) await times(3, () => person.delete(`/api/orders/${order}/delete-order`))
    }
  })
  const stocking = times(10, n => ana.put(`/api/products/${mugs[n % 3]?.id}`, { ...aMug, stock: 10 + n }))
  await Promise.all([...work, stocking])
  for (const { id } of mugs) {
    const rows = await ledgerOf(id)
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.reduce((sum, [units]) => sum + units, 0)).toBe(await shop.stockOf(id))
  }
})

test('stock and ledger cannot be changed directly', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const { db } = shop
  const byLedger = 'stock is changed by a row in stock_ledger'
  await expect(db.updateTable('stock').set({ quantity: 9 }).execute()).rejects.toThrow(byLedger)
  await expect(db.deleteFrom('stock').execute()).rejects.toThrow(byLedger)
  await expect(db.insertInto('stock').values({ product_id: id, quantity: 9 }).execute()).rejects.toThrow(
    byLedger,
  )
  const stays = 'what stands in stock_ledger is never rewritten'
  await expect(db.updateTable('stock_ledger').set({ units: 9 }).execute()).rejects.toThrow(stays)
  await expect(db.deleteFrom('stock_ledger').execute()).rejects.toThrow(stays)
  expect([await shop.stockOf(id), await ledgerOf(id)]).toEqual([5, [[5, 'opening', null]]])
})

test('an order takes a listing once and gives it back once', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const order = await buy(ben, id, 2)
  const enter = (units: number, reason: string, order_id: number | null) =>
    shop.db.insertInto('stock_ledger').values({ product_id: id, units, reason, order_id }).execute()
  await expect(enter(-1, 'sale', order)).rejects.toThrow('stock_ledger_once')
  await enter(2, 'cancel', order)
  await expect(enter(2, 'cancel', order)).rejects.toThrow('stock_ledger_once')
  await expect(enter(-6, 'correction', null)).rejects.toThrow('stock_never_negative')
  await expect(enter(2, 'sale', order)).rejects.toThrow('stock_ledger_reason')
  await expect(enter(2, 'gift', null)).rejects.toThrow('stock_ledger_reason')
  await expect(enter(-1, 'sale', null)).rejects.toThrow('stock_ledger_of_order')
  expect(await shop.stockOf(id)).toBe(5)
})
