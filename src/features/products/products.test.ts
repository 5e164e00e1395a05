import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { mugSaying } from '../../../test/support/listings.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const NOT_FOUND = 'There is no such listing'
const idsIn = (products: { id: number }[]) => products.map(product => product.id)

test('a new listing is returned, and public', async () => {
  const { status, body } = await ana.post('/api/products/', aMug)
  expect(status).toBe(201)
  expect(body).toEqual({
    ...aMug,
    maker: expect.stringContaining(ana.user.username),
    maker_name: ana.user.username,
    maker_picture: null,
    id: expect.any(Number),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    seller_id: ana.user.id,
    seller: ana.user.username,
    images: [],
    price_varies: false,
    rating: null,
    review_count: 0,
    version: 1,
  })
  for (const reader of [shop.visitor(), ana, ben]) {
    expect(await reader.get(`/api/products/${body.id}`)).toMatchObject({ status: 200, body })
    expect((await reader.get('/api/products/')).body.products[0]).toEqual(body)
  }
})

test('a listing is created now', async () => {
  const { created_at } = await shop.list(ana)
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(10_000)
})

test('a user’s list has only their own listings, newest first', async () => {
  const cleo = await shop.signUp('cleo')
  expect((await cleo.get('/api/products/current')).body).toEqual({ products: [], next_cursor: null })
  const first = await shop.list(cleo, { name: 'First' })
  await shop.list(ana)
  const second = await shop.list(cleo, { name: 'Second' })
  expect((await cleo.get('/api/products/current')).body.products).toEqual([second, first])
  expectRefusal(await shop.visitor().get('/api/products/current'), 401, 'Please log in')
})

test('an update replaces the seller’s fields, and no others', async () => {
  const mug = await shop.list(ana)
  const texts = mugSaying(field => `Another ${field}`)
  const bowl = { ...texts, category: 'Art & Collectibles', price: 0.01, stock: 1 }
  const { status, body } = await ana.put(`/api/products/${mug.id}`, { id: mug.id, ...bowl })
  expect({ status, body }).toEqual({ status: 200, body: { ...mug, version: 2, ...bowl } })
  expect((await shop.visitor().get(`/api/products/${mug.id}`)).body).toEqual(body)
})

test('a listing as returned is a valid update', async () => {
  const mug = await shop.list(ana)
  expect(await ana.put(`/api/products/${mug.id}`, mug)).toMatchObject({ status: 200, body: mug })
})

test('an update with another listing’s id in its body changes only its own', async () => {
  const [mug, bowl] = [await shop.list(ana), await shop.list(ana, { name: 'Bowl' })]
  const response = await ana.put(`/api/products/${mug.id}`, { ...aMug, id: bowl.id, name: 'Changed' })
  expectRefusal(response, 400, 'The id in the body is not the one in the address')
  expect((await ana.get(`/api/products/${mug.id}`)).body).toEqual(mug)
  expect((await ana.get(`/api/products/${bowl.id}`)).body).toEqual(bowl)
})

test('a refused update changes nothing', async () => {
  const mug = await shop.list(ana)
  await ana.put(`/api/products/${mug.id}`, { ...aMug, name: 'Changed', stock: 0 })
  expect((await ana.get(`/api/products/${mug.id}`)).body).toEqual(mug)
})

test('only its seller edits, deletes or adds photos', async () => {
  const mug = await shop.list(ana)
  const refusal = 'Only its seller may change a listing'
  expectRefusal(await ben.put(`/api/products/${mug.id}`, { ...aMug, name: 'Mine' }), 403, refusal)
  expectRefusal(await ben.delete(`/api/products/${mug.id}`), 403, refusal)
  expectRefusal(await ben.upload(`/api/products/${mug.id}/images`, Buffer.from('x')), 403, refusal)
  expect((await ben.get(`/api/products/${mug.id}`)).body).toEqual(mug)
})

test('unknown fields are ignored', async () => {
  const foreign = {
    id: 1,
    user_id: 1,
    seller_id: ben.user.id,
    seller: 'ben',
    created_at: '2000-01-01T00:00:00.000Z',
  }
  const more = { images: [{ url: '/x' }], price_cents: 1, deleted_at: '2000-01-01' }
  const { body } = await ana.post('/api/products/', { ...aMug, ...foreign, ...more })
  expect(body).toMatchObject({ ...aMug, seller_id: ana.user.id, seller: ana.user.username, images: [] })
  expect(body.id).not.toBe(1)
  expect(body.created_at).not.toBe(foreign.created_at)
  const changed = await ana.put(`/api/products/${body.id}`, { ...aMug, ...foreign, ...more, id: body.id })
  expect(changed.body).toEqual(body)
})

test('a deleted listing is in no list, and its page is 404', async () => {
  const mug = await shop.list(ana)
  const { status, body } = await ana.delete(`/api/products/${mug.id}`)
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Listing deleted' } })
  for (const person of [shop.visitor(), ana]) {
    expectRefusal(await person.get(`/api/products/${mug.id}`), 404, NOT_FOUND)
    expect(idsIn((await person.get('/api/products/')).body.products)).not.toContain(mug.id)
  }
  expect(idsIn((await ana.get('/api/products/current')).body.products)).not.toContain(mug.id)
})

test('a deleted listing refuses changes, and a second deletion', async () => {
  const { id } = await shop.list(ana)
  await ana.delete(`/api/products/${id}`)
  for (const person of [ana, ben]) {
    expectRefusal(await person.put(`/api/products/${id}`, aMug), 404, NOT_FOUND)
    expectRefusal(await person.delete(`/api/products/${id}`), 404, NOT_FOUND)
    expectRefusal(await person.upload(`/api/products/${id}/images`, Buffer.from('x')), 404, NOT_FOUND)
  }
})

test('unknown ids answer 404', async () => {
  for (const id of [ana.user.id, 999_999_999, Number.MAX_SAFE_INTEGER]) {
    expectRefusal(await ana.get(`/api/products/${id}`), 404, NOT_FOUND)
    expectRefusal(await ana.put(`/api/products/${id}`, aMug), 404, NOT_FOUND)
    expectRefusal(await ana.delete(`/api/products/${id}`), 404, NOT_FOUND)
  }
})

test('of twenty concurrent deletions one succeeds', async () => {
  const { id } = await shop.list(ana)
  const responses = await Promise.all(Array.from({ length: 20 }, () => ana.delete(`/api/products/${id}`)))
  expect(responses.map(response => response.status).sort()).toEqual([200, ...Array(19).fill(404)])
})

test('ids come from one sequence and are unique', async () => {
  const mug = await shop.list(ana)
  const line = (await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })).body
  const review = (await ben.post(`/api/reviews/${mug.id}/create-review`, { review: 'Good', stars: 5 })).body
  const order = (await ben.post('/api/orders/checkout')).body
  const person = (await shop.signUp('dora')).user
  const ids = idsIn([mug, line, review, order, person])
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
})
