import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAddress, addProfile, sendBy } from '../../../test/support/postage.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { Checkout } from './contract.ts'

let shop: TestShop
let ana: Person
let mia: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  mia = await shop.signUp('mia')
})
afterAll(() => shop.close())
beforeEach(async () => {
  ben = await shop.signUp('ben')
})

const add = (id: number, quantity = 1) => ben.post(`/api/cart_items/add/${id}`, { quantity })
const checkout = async (): Promise<Checkout> => (await ben.get('/api/checkout/')).body
const setAddress = (address_id: number | null) => ben.put('/api/checkout/address', { address_id })
const choose = (seller: Person, choice: object) => ben.put(`/api/checkout/sellers/${seller.user.id}`, choice)
const order = (headers = {}) => ben.post('/api/orders/checkout', undefined, headers)

/** A listing that is sent by post, and can be collected in the studio. */
async function posted(seller: Person, rates: Record<string, [number, number]>, price = 10) {
  const listing = await shop.list(seller, { price, stock: 100 })
  const profile = await addProfile(shop.db, seller, { rates, places: { Studio: 'Sat 10–14' } })
  await sendBy(shop.db, profile.id, listing.id)
  return { id: listing.id, studio: profile.places.Studio ?? 0, profile: profile.id }
}

test('an empty cart has no parts, and costs nothing', async () => {
  const { address, addresses, parts, postage, total } = await checkout()
  expect({ address, addresses, parts, postage, total }).toEqual({
    address: null,
    addresses: [],
    parts: [],
    postage: 0,
    total: 0,
  })
})

test('a new maker’s pieces need no address', async () => {
  const { id } = await shop.list(ana, { price: 24.5 })
  await add(id, 2)
  const { parts, total } = await checkout()
  expect(total).toBe(49)
  expect(parts).toMatchObject([
    { seller: { id: ana.user.id, username: ana.user.username }, lines: [{ product_id: id, quantity: 2 }] },
  ])
  expect(parts[0]).toMatchObject({ by_post: false, post: null, postage: 0, refusal: null, ready_days: 3 })
  expect(parts[0]?.pickup_places).toMatchObject([{ place: 'Pick-up or by arrangement' }])
  expect(parts[0]?.pickup_id).toBe(parts[0]?.pickup_places[0]?.id)
})

test('a part for each maker, with the postage to the chosen address', async () => {
  const [mug, bowl] = [await posted(ana, { EU: [450, 150] }), await posted(mia, { '*': [1200, 0] }, 5)]
  await add(mug.id, 3)
  await add(bowl.id)
  const { id } = await addAddress(shop.db, ben)
  expect((await checkout()).parts.map(({ post }) => post)).toEqual([null, null])
  const answer = await setAddress(id)
  expect(answer).toMatchObject({ status: 200, body: { address: { id, country: 'ES' }, addresses: [{ id }] } })
  expect(answer.body).toEqual(await checkout())
  const { parts, postage, total } = answer.body as Checkout
  expect(parts.map(({ pieces, post }) => [pieces, post])).toEqual([
    [30, { postage: 7.5, name: 'Parcel', days_min: 2, days_max: 5 }],
    [5, { postage: 12, name: 'Parcel', days_min: 2, days_max: 5 }],
  ])
  expect([postage, total]).toEqual([19.5, 54.5])
  expect((await setAddress(null)).body).toMatchObject({ address: null, postage: 0, total: 35 })
})

test('someone else’s address and an unknown one are 404, and change nothing', async () => {
  const own = await addAddress(shop.db, ben)
  const other = await addAddress(shop.db, mia)
  await setAddress(own.id)
  for (const id of [other.id, 999_999_999]) expect((await setAddress(id)).status).toBe(404)
  for (const id of [0, 1.5, '7', undefined]) {
    expect(await ben.put('/api/checkout/address', { address_id: id })).toMatchObject({
      status: 400,
      body: { message: 'Address must be one of yours, or null' },
    })
  }
  expect(await checkout()).toMatchObject({ address: { id: own.id }, addresses: [{ id: own.id }] })
})

test('a place and a note are chosen each for itself, and stay when the cart changes', async () => {
  const mug = await posted(ana, { '*': [450, 150] })
  const bowl = await posted(ana, { '*': [450, 150] })
  const line = (await add(mug.id)).body.id
  await add(bowl.id)
  await setAddress((await addAddress(shop.db, ben)).id)
  expect((await choose(ana, { pickup_id: mug.studio })).body.parts).toMatchObject([{ postage: 0, note: '' }])
  expect((await choose(ana, { note: '  Is it for a child? 🧶 ' })).status).toBe(200)
  await ben.put(`/api/cart_items/${line}`, { quantity: 2 })
  expect((await checkout()).parts).toMatchObject([{ pickup_id: mug.studio, note: 'Is it for a child? 🧶' }])
  // The place of the piece that stays has another id.
  await ben.delete(`/api/cart_items/${line}`)
  expect((await checkout()).parts).toMatchObject([{ pickup_id: bowl.studio, note: 'Is it for a child? 🧶' }])
  expect((await choose(ana, { pickup_id: null })).body.parts).toMatchObject([
    { pickup_id: null, postage: 4.5, note: 'Is it for a child? 🧶' },
  ])
  expect((await choose(ana, {})).status).toBe(200)
})

test('a place that is not offered is 409, a maker without a piece in the cart 404', async () => {
  const mug = await posted(ana, { '*': [450, 150] })
  const elsewhere = await posted(mia, {})
  await add(mug.id)
  for (const pickup_id of [elsewhere.studio, 999_999_999]) {
    const answer = await choose(ana, { pickup_id, note: 'Not saved' })
    expect(answer.status).toBe(409)
    expect(answer.body.message).toBe(
      `${ana.user.username} does not offer this pick-up place. Please choose another way`,
    )
  }
  expect((await choose(mia, { pickup_id: elsewhere.studio })).status).toBe(404)
  expect((await choose(ana, { note: 'x'.repeat(501) })).body.message).toBe(
    'Note cannot be more than 500 characters',
  )
  expect((await checkout()).parts).toMatchObject([{ note: '' }])
})

test('what cannot be ordered says why, and is not ordered', async () => {
  const { username } = ana.user
  const far = await shop.list(ana, { stock: 5 })
  await sendBy(shop.db, (await addProfile(shop.db, ana, { rates: { US: [900, 0] } })).id, far.id)
  await add(far.id)
  const refusal = async () => (await checkout()).parts[0]?.refusal
  const refused = async () => {
    const answer = await order()
    expect(answer).toMatchObject({ status: 409, body: { message: await refusal() } })
  }
  expect(await refusal()).toBe(`Choose an address: ${username} sends these pieces by post`)
  await refused()
  await setAddress((await addAddress(shop.db, ben)).id)
  expect(await refusal()).toMatch(`${username} does not send all of these pieces to this address`)
  await refused()
  await setAddress((await addAddress(shop.db, ben, { country: 'US' })).id)
  expect(await refusal()).toBeNull()
  await shop.rows(
    `update shops set away_from = current_date - 1, away_until = current_date + 1 where user_id = ${ana.user.id}`,
  )
  expect(await refusal()).toMatch(`${username} is away until`)
  await refused()
  await shop.rows(`update shops set away_from = null, away_until = null where user_id = ${ana.user.id}`)
  expect((await order()).status).toBe(201)
})

test('deleted listings are left out', async () => {
  const [kept, gone] = [await shop.list(mia, { price: 3 }), await shop.list(ana, { price: 9 })]
  await add(kept.id)
  await add(gone.id)
  await ana.delete(`/api/products/${gone.id}`)
  expect(await checkout()).toMatchObject({ total: 3, parts: [{ lines: [{ product_id: kept.id }] }] })
})

test('an order of another delivery than the one that was seen is refused', async () => {
  const mug = await posted(ana, { '*': [450, 150] })
  await add(mug.id)
  const here = await addAddress(shop.db, ben)
  const there = await addAddress(shop.db, ben, { line1: 'Calle Menor 2' })
  const seen = (await setAddress(here.id)).body.delivery
  // In another tab, at the same price.
  await setAddress(there.id)
  const headers = { 'expected-delivery': seen, 'expected-total': '14.50' }
  const refused = await order(headers)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toMatch(/^How your pieces reach you has changed/)
  await setAddress(here.id)
  expect((await order(headers)).status).toBe(201)
  const written = await shop.rows(
    `select a.line1 from order_addresses as a join orders as o on o.id = a.order_id where o.user_id = ${ben.user.id}`,
  )
  expect(written).toEqual([{ line1: 'Calle Mayor 1' }])
})

test('the cart and the order agree on a delivery, whatever was added first', async () => {
  const pieces = [await posted(ana, { '*': [450, 150] }), await posted(ana, { '*': [450, 90] })]
  for (const { id } of pieces.toReversed()) await add(id)
  const { delivery, parts } = await checkout()
  expect(parts[0]?.pickup_id).toBe(pieces[0]?.studio)
  expect((await order({ 'expected-delivery': delivery })).status).toBe(201)
})

test('after an order the next cart has its address, and no choice or note of the last one', async () => {
  const mug = await posted(ana, { '*': [450, 150] })
  await add(mug.id)
  const { id } = await addAddress(shop.db, ben)
  await setAddress(id)
  await choose(ana, { pickup_id: mug.studio, note: 'A gift' })
  expect((await order()).status).toBe(201)
  await add(mug.id)
  expect(await checkout()).toMatchObject({ address: { id }, parts: [{ pickup_id: null, note: '' }] })
})
