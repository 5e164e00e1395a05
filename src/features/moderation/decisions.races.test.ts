import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAudit } from '../../../test/support/audit.ts'
import { times } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
})
afterAll(async () => {
  await assertAudit(shop.connection, () => shop.files)
  await shop.close()
})

const statement = { reason: 'The photo is not yours', rule: 'Your own work' }
const hide = (id: number) => otto.post(`/api/operate/listings/${id}/hide`, statement)
const suspend = (person: Person) => otto.post(`/api/operate/people/${person.user.id}/suspend`, statement)

test('hidden against bought at the same moment: each order that was placed stands, and none comes after', async () => {
  for (const round of [1, 2, 3]) {
    const { id } = await shop.list(ana, { stock: 20 })
    const shoppers = await Promise.all([1, 2, 3, 4].map(n => shop.signUp(`s${round}${n}`)))
    for (const shopper of shoppers) await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const [hidden, ...placed] = await Promise.all([
      hide(id),
      ...shoppers.map(shopper => shopper.post('/api/orders/checkout')),
    ])
    expect(hidden.status).toBe(200)
    const sold = placed.filter(({ status }) => status === 201).length
    expect(placed.every(({ status }) => status === 201 || status === 409)).toBe(true)
    for (const [n, late] of shoppers.entries()) {
      expect((await late.post(`/api/cart_items/add/${id}`, { quantity: 1 })).status).toBe(404)
      // Of those who have ordered, the cart is empty.
      const expected = placed[n]?.status === 201 ? 400 : 409
      expect((await late.post('/api/orders/checkout')).status).toBe(expected)
    }
    expect(await shop.rows(`select quantity from stock where product_id = ${id}`)).toEqual([
      { quantity: 20 - sold },
    ])
  }
})

test('suspended while listings are added and bought: afterwards nothing of theirs is for sale', async () => {
  for (const round of [1, 2, 3]) {
    const mila = await shop.signUp('mila')
    const listings = await times(3, () => shop.list(mila, { stock: 5 }))
    const shoppers = await times(3, () => shop.signUp(`buyer${round}`))
    for (const shopper of shoppers)
      for (const { id } of listings) await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const [done, placed, added] = await Promise.all([
      suspend(mila),
      Promise.all(shoppers.map(shopper => shopper.post('/api/orders/checkout'))),
      times(3, () => mila.post('/api/products/', aMug)),
    ])
    expect(done.status).toBe(200)
    for (const { status } of placed) expect([201, 409]).toContain(status)
    for (const { status } of added) expect([201, 403]).toContain(status)
    const forSale = `select 1 from products where seller_id = ${mila.user.id} and deleted_at is null`
    expect(await shop.rows(forSale)).toEqual([])
    const sold = placed.filter(({ status }) => status === 201).length
    const ids = listings.map(({ id }) => id).join()
    expect(await shop.rows(`select quantity from stock where product_id in (${ids})`)).toEqual(
      Array(3).fill({ quantity: 5 - sold }),
    )
    const refused = shoppers.filter((_, n) => placed[n]?.status === 409)
    for (const shopper of refused) expect((await shopper.post('/api/orders/checkout')).status).toBe(409)
  }
})
test('of several who hide the same listing one does, and the log has it once', async () => {
  const { id } = await shop.list(ana)
  const responses = await times(4, () => hide(id))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const entries = await shop.rows(`select reason, rule from operator_log where product_id = ${id}`)
  expect(entries).toEqual([statement])
})
