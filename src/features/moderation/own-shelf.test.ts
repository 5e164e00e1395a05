import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const statement = { reason: 'The photo is not yours', rule: 'Your own work' }
/** What a seller sees of their listings, newest first. */
const shelf = async (seller: Person, query = '') =>
  (await seller.get(`/api/products/shelf${query}`)).body.products as {
    name: string
    state: string
    sold: number
    notice_id: number | null
    is_varied: boolean
  }[]
const statesOf = async (seller: Person, query = '') =>
  (await shelf(seller, query)).map(({ name, state }) => [name, state])

test('a seller sees each of their listings with its state, and the notice of one that is hidden', async () => {
  const mila = await shop.signUp('mila')
  const [mug, bowl, vase, jug] = [
    await shop.list(mila, { name: 'Mug' }),
    await shop.list(mila, { name: 'Bowl' }),
    await shop.list(mila, { name: 'Vase' }),
    await shop.list(mila, { name: 'Jug' }),
  ]
  await shop.correctStock(bowl.id, -5)
  await otto.post(`/api/operate/listings/${vase.id}/hide`, statement)
  await mila.post(`/api/products/${jug.id}/retire`)
  expect(await statesOf(mila)).toEqual([
    ['Vase', 'hidden'],
    ['Bowl', 'sold-out'],
    ['Mug', 'for-sale'],
  ])
  expect(await statesOf(mila, '?retired=true')).toEqual([['Jug', 'retired']])
  const [{ id: notice }] = (await mila.get('/api/notices/')).body.notices
  expect((await shelf(mila)).map(({ notice_id }) => notice_id)).toEqual([notice, null, null])
  // A hidden one cannot be changed with the others.
  const { body } = await mila.post('/api/products/bulk/preview', {
    change: 'price_set',
    amount: 8,
    matching: {},
  })
  expect(body.rows.map(({ name }: { name: string }) => name)).toEqual(['Bowl', 'Mug'])
  await otto.post(`/api/operate/listings/${vase.id}/show`, { reason: 'It was a mistake' })
  expect(await statesOf(mila)).toContainEqual(['Vase', 'for-sale'])
  expect(await shelf(mila)).toHaveLength(3)
  await mila.delete(`/api/products/${mug.id}`)
  expect(await shelf(mila)).toHaveLength(2)
})

test('a suspended seller sees their listings as such, with the notice', async () => {
  const nils = await shop.signUp('nils')
  await shop.list(nils, { name: 'Lamp' })
  await otto.post(`/api/operate/people/${nils.user.id}/suspend`, statement)
  const [{ id: notice }] = (await nils.get('/api/notices/')).body.notices
  expect(await shelf(nils)).toMatchObject([{ name: 'Lamp', state: 'suspended', notice_id: notice }])
})

test('a listing says how many were sold, without the cancelled ones, and whether its seller is away', async () => {
  const [pia, ben] = [await shop.signUp('pia'), await shop.signUp('ben')]
  const mug = await shop.list(pia, { name: 'Mug' })
  const orders: number[] = []
  for (const quantity of [2, 1]) {
    await ben.post(`/api/cart_items/add/${mug.id}`, { quantity })
    orders.push((await ben.post('/api/orders/checkout')).body.id)
  }
  expect(await shelf(pia)).toMatchObject([{ sold: 3, state: 'for-sale', is_varied: false, notice_id: null }])
  await ben.delete(`/api/orders/${orders[1]}/delete-order`)
  const today = new Date().toISOString().slice(0, 10)
  await pia.put('/api/holiday/', { from: today, until: today, note: '' })
  expect(await shelf(pia)).toMatchObject([{ sold: 2, state: 'away' }])
})
