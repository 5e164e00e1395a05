import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, times } from '../../test/expect.ts'
import { openShop, type Person, type TestShop } from '../../test/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const add = (person: Person, id: number, quantity = 1) =>
  person.post(`/api/cart_items/add/${id}`, { quantity })
const checkout = (person: Person, key?: string) =>
  person.post('/api/orders/checkout', undefined, key ? { 'idempotency-key': key } : {})
const ordersOf = async (person: Person) => (await person.get('/api/orders/')).body

test('checkouts and changes by the seller at the same time never deadlock', async () => {
  const people = await times(20, n => shop.signUp(`p${n}`))
  const pieces = await times(5, n => shop.list(ana, { name: `Piece ${n}`, stock: 100, price: 10 }))
  for (const person of people) for (const { id } of pieces) await add(person, id)
  const answers = await Promise.all([
    ...people.map(person => checkout(person)),
    ...pieces.map(piece => ana.put(`/api/products/${piece.id}`, { ...piece, price: 20 })),
  ])
  expect(countStatuses(answers)).toEqual({ 200: 5, 201: 20 })
  for (const { body } of answers.slice(0, 20)) {
    const sum = body.products_ordered.reduce(
      (total: number, line: { price: number }) => total + line.price,
      0,
    )
    expect(body.total).toBe(sum)
  }
}, 60_000)

test('twenty checkouts with one key at the same time all answer the one order', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana)
  await add(ben, mug.id)
  const answers = await times(20, () => checkout(ben, 'double-click'))
  expect(countStatuses(answers)).toEqual({ 201: 20 })
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
  expect(await ordersOf(ben)).toHaveLength(1)
})
