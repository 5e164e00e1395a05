import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeOfDeleted, removeOfDeletedToday } from '#images/sweep.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let photo: Buffer
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
  photo = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => shop.close())

const NOT_FOUND = 'There is no such listing'
const retire = (id: number, person = ana) => person.post(`/api/products/${id}/retire`)
const restore = (id: number, person = ana) => person.post(`/api/products/${id}/restore`)
const idsOf = ({ body }: { body: { products: { id: number }[] } }) => body.products.map(({ id }) => id)
const search = async (word: string) => idsOf(await shop.visitor().get(`/api/products/?q=${word}`))
const inconsistent = () =>
  shop.rows(`
    select product_id from catalogue_source as s full join catalogue as c using (product_id)
    where s is null or c is null or (s.in_stock, s.rating, s.reviews) is distinct from (c.in_stock, c.rating, c.reviews)`)

test('a retired listing is gone for everybody, and its seller finds it under Retired', async () => {
  const { id } = await shop.list(ana, { name: 'Quixotic jug' })
  expect(await search('quixotic')).toEqual([id])
  const response = await retire(id)
  expect([response.status, response.body]).toEqual([200, { message: 'Listing retired' }])
  for (const person of [shop.visitor(), ben, ana])
    for (const path of [`/api/products/${id}`, `/api/products/${id}/details`, `/api/reviews/${id}/reviews`])
      expectRefusal(await person.get(path), 404, expect.any(String) as never)
  expect(await search('quixotic')).toEqual([])
  expect(idsOf(await ana.get('/api/products/current'))).not.toContain(id)
  expect(idsOf(await ana.get('/api/products/shelf?retired=true'))).toEqual([id])
  expect(idsOf(await ben.get('/api/products/shelf?retired=true'))).toEqual([])
  expect((await shop.visitor().get(`/products/${id}`, { accept: 'text/html' })).status).toBe(404)
})

test('brought back it is where it was: address, photos, reviews, stock', async () => {
  const made = await shop.list(ana, { name: 'Wistful vase', stock: 3 })
  await ana.upload(`/api/products/${made.id}/images`, photo)
  await ben.post(`/api/reviews/${made.id}/create-review`, { review: 'Stands well.', stars: 4 })
  const before = (await ana.get(`/api/products/${made.id}`)).body
  expect(before).toMatchObject({ rating: 4, review_count: 1, images: [{}] })
  await retire(made.id)
  await removeOfDeletedToday(shop.db, shop.files)
  await removeOfDeleted(shop.db, shop.files)
  const { status, body } = await restore(made.id)
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, version: expect.any(Number) })
  expect((await shop.visitor().get(`/api/products/${made.id}`)).body).toEqual(body)
  expect((await shop.visitor().get(before.images[0].url)).status).toBe(200)
  expect(await search('wistful')).toEqual([made.id])
  expect(await inconsistent()).toEqual([])
})

test('retiring and restoring a listing can be repeated, also at once', async () => {
  const { id } = await shop.list(ana)
  for (const call of [retire, restore]) {
    expect((await times(5, () => call(id))).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect((await call(id)).status).toBe(200)
  }
  const [{ version }] = [(await ana.get(`/api/products/${id}`)).body]
  expect((await restore(id)).body.version).toBe(version)
})

test('only its seller retires a listing or brings it back, and to others a retired one is unknown', async () => {
  const { id } = await shop.list(ana)
  expectRefusal(await retire(id, ben), 403, 'Only its seller may change a listing')
  expectRefusal(await restore(id, ben), 403, 'Only its seller may change a listing')
  expectRefusal(await retire(id, shop.visitor()), 401, 'Please log in')
  await retire(id)
  for (const call of [retire, restore]) expectRefusal(await call(id, ben), 404, NOT_FOUND)
  expectRefusal(await ben.delete(`/api/products/${id}`), 404, NOT_FOUND)
  await ana.delete(`/api/products/${id}`)
  for (const call of [retire, restore]) expectRefusal(await call(id), 404, NOT_FOUND)
})

test('a retired listing is not changed, sold or reviewed', async () => {
  const { id, ...mug } = await shop.list(ana, { stock: 5 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const inCart = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items[0].product
  await retire(id)
  const why = 'You have retired this piece. Bring it back in Your Listings before you change it'
  expectRefusal(await ana.put(`/api/products/${id}`, mug), 404, why)
  expectRefusal(await ben.put(`/api/products/${id}`, mug), 404, NOT_FOUND)
  expectRefusal(await ana.upload(`/api/products/${id}/images`, photo), 404, NOT_FOUND)
  const review = await ben.post(`/api/reviews/${id}/create-review`, { review: 'Fine.', stars: 5 })
  expect(review.status).toBe(404)
  expect(await inCart()).toBeNull()
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  await restore(id)
  expect((await inCart()).id).toBe(id)
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expect(await shop.stockOf(id)).toBe(3)
})

test('a cancelled order gives pieces back to a retired listing, and it returns in stock', async () => {
  const buyer = await shop.signUp('buyer')
  const { id } = await shop.list(ana, { stock: 1 })
  await buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await buyer.post('/api/orders/checkout')).body.id
  await retire(id)
  expect((await buyer.get('/api/orders/')).body).toMatchObject([{ id: order }])
  await Promise.all([buyer.delete(`/api/orders/${order}/delete-order`), restore(id)])
  expect(await shop.stockOf(id)).toBe(1)
  expect(await inconsistent()).toEqual([])
})

test('deleted for good a retired listing loses its photos', async () => {
  const { id } = await shop.list(ana)
  const stored = (await ana.upload(`/api/products/${id}/images`, photo)).body
  await retire(id)
  expect((await ana.delete(`/api/products/${id}`)).body).toEqual({ message: 'Listing deleted' })
  expect(idsOf(await ana.get('/api/products/shelf?retired=true'))).not.toContain(id)
  expect(await shop.rows(`select id from images where id = ${stored.id}`)).toEqual([])
  expectRefusal(await ana.delete(`/api/products/${id}`), 404, NOT_FOUND)
})

test('a retired listing leaves with the account of its seller, and its photos too', async () => {
  const eve = await shop.signUp('eve')
  const { id } = await shop.list(eve)
  const stored = (await eve.upload(`/api/products/${id}/images`, photo)).body
  await retire(id, eve)
  const download = await shop.rows(
    `select retired_at is not null as is_retired from products where id = ${id}`,
  )
  expect(download).toEqual([{ is_retired: true }])
  expect(
    (
      await eve.post('/api/account/deletion', {
        current_password: eve.password,
        reviews: 'keep',
      })
    ).status,
  ).toBe(200)
  expect(
    await shop.rows(
      `select retired_at, seller_id = ${eve.user.id} as is_hers from products where id = ${id}`,
    ),
  ).toEqual([{ retired_at: null, is_hers: false }])
  expect(await shop.rows(`select id from images where id = ${stored.id}`)).toEqual([])
})

test('no row is retired without being deleted', async () => {
  const { id } = await shop.list(ana)
  await expect(shop.rows(`update products set retired_at = now() where id = ${id}`)).rejects.toThrow(
    'products_retired_deleted',
  )
})

test('a form that brings back a piece says why that is refused', async () => {
  const { id } = await shop.list(ana)
  await retire(id)
  await shop.rows(`update products set hidden_at = now() where id = ${id}`)
  const page = await ana.send({
    method: 'POST',
    url: '/your-listings?state=retired',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: `intent=restore&id=${id}`,
  })
  expect(page.status).toBe(403)
  expect(page.body).toContain('Those who run the shop have hidden this piece')
})

test('each copy of Your Listings has an idempotency key of its own, also beside a question', async () => {
  const { id } = await shop.list(ana)
  const keys: string[] = []
  for (let n = 0; n < 4; n++) {
    const { body } = await ana.get(`/your-listings?delete=${id}`, { accept: 'text/html' })
    keys.push(...[...body.matchAll(/"key":"([\w-]{20,})"/g)].map(([, key]) => key))
  }
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(4)
})
