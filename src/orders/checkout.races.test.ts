import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../test/expect.ts'
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

test('twenty checkouts of one cart at the same time place one order', async () => {
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { stock: 50 })
  await add(ben, mug.id, 2)
  const answers = await times(20, () => checkout(ben))
  expect(countStatuses(answers)).toEqual({ 201: 1, 400: 19 })
  for (const answer of answers.filter(({ status }) => status === 400))
    expectRefusal(answer, 400, 'Your cart is empty')
  expect(await ordersOf(ben)).toHaveLength(1)
  expect(await shop.stockOf(mug.id)).toBe(48)
})

test('forty people for the last five pieces: five orders', async () => {
  const people = await times(40, n => shop.signUp(`p${n}`))
  for (let round = 0; round < 3; round++) {
    const mug = await shop.list(ana, { stock: 5 })
    for (const person of people) await add(person, mug.id)
    const answers = await Promise.all(people.map(person => checkout(person)))
    expect(countStatuses(answers)).toEqual({ 201: 5, 409: 35 })
    expect(await shop.stockOf(mug.id)).toBe(0)
    for (const [n, answer] of answers.entries()) {
      if (answer.status === 409) expectRefusal(answer, 409, `${mug.name} is sold out`)
      const { body } = await people[n]!.get(`/api/cart_items/${people[n]?.user.id}`)
      expect(body.cart_items).toHaveLength(answer.status === 409 ? 1 : 0)
      if (answer.status === 409) await people[n]?.delete(`/api/cart_items/${body.cart_items[0].id}`)
    }
  }
}, 60_000)

test('carts with the same ten listings in shuffled order never deadlock', async () => {
  const people = await times(30, n => shop.signUp(`p${n}`))
  const pieces = await times(10, n => shop.list(ana, { name: `Piece ${n}`, stock: 100 }))
  const fill = async (person: Person, n: number) => {
    for (const [at] of pieces.entries()) await add(person, pieces[(at * 3 + n * 7) % 10]!.id)
  }
  await Promise.all(people.map(fill))
  const { deadlocks } = await statistics()
  expect(countStatuses(await Promise.all(people.map(person => checkout(person))))).toEqual({ 201: 30 })
  for (const { id } of pieces) expect(await shop.stockOf(id)).toBe(70)
  expect((await statistics()).deadlocks).toBe(deadlocks)
}, 60_000)

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

/** Deadlocks since the database was made. PostgreSQL counts one when it ends a waiting statement. */
async function statistics() {
  await sql`select pg_stat_force_next_flush()`.execute(shop.db)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()
  `.execute(shop.db)
  return { deadlocks: Number(rows[0]?.deadlocks) }
}
