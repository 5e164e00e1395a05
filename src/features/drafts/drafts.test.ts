import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug } from '../../../test/support/listings.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { MAX_DRAFTS } from './contract.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** The texts of a listing that lacks nothing but a photo. */
const finished = { ...aMug, name: 'Draft of a mug', price: '24.50', stock: '3' }
const begin = async (fields: object = finished, person = ana) =>
  (await person.post('/api/drafts/', { fields })).body.id as number
const withPhoto = async (fields: object = finished) => {
  const id = await begin(fields)
  await ana.upload(`/api/drafts/${id}/images`, pngOf(300, 200))
  return id
}

test('a draft keeps unfinished texts as they were typed, and says what is missing', async () => {
  const { status, body } = await ana.post('/api/drafts/', { fields: { name: 'Half a mug', price: '12,' } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ fields: { name: 'Half a mug', price: '12,' }, images: [], version: 1 })
  expect(body.missing).toMatchObject({
    category: 'Category is required',
    description: 'Description is required',
    stock: 'Stock is required',
    image: 'Photo or video is required',
  })
  expect((await ana.get(`/api/drafts/${body.id}`)).body).toEqual(body)
})

test('the same idempotency key is the same draft', async () => {
  const key = { 'idempotency-key': 'one-draft' }
  const first = await ana.post('/api/drafts/', { fields: { name: 'A' } }, key)
  const second = await ana.post('/api/drafts/', { fields: { name: 'B' } }, key)
  expect(second.body).toMatchObject({ id: first.body.id, version: 2, fields: { name: 'B' } })
})

test('a draft that another tab has changed is not replaced, but equal fields are no change', async () => {
  const id = await begin({ name: 'A' })
  const seen = { 'expected-version': '1' }
  const put = (name: string) => ana.put(`/api/drafts/${id}`, { fields: { name } }, seen)
  expect((await put('B')).body.version).toBe(2)
  const late = await put('C')
  expect([late.status, late.body.message]).toEqual([409, 'This draft was changed meanwhile'])
  expect((await put('B')).body).toMatchObject({ version: 2, fields: { name: 'B' } })
})

test('drafts are listed by page, last changed first, with their number', async () => {
  const eve = await shop.signUp('eve')
  const ids = [
    await begin({ name: '1' }, eve),
    await begin({ name: '2' }, eve),
    await begin({ name: '3' }, eve),
  ]
  await eve.put(`/api/drafts/${ids[0]}`, { fields: { name: 'changed' } })
  const first = (await eve.get('/api/drafts/?limit=2')).body
  const second = (await eve.get(`/api/drafts/?limit=2&cursor=${first.next_cursor}`)).body
  const names = [...first.drafts, ...second.drafts].map(({ fields }) => fields.name)
  expect([names, second.next_cursor, first.count]).toEqual([['changed', '3', '2'], null, 3])
})

test('an unfinished draft is not published: every reason is named by field, and it stays', async () => {
  const id = await begin({ ...finished, price: 'dear' })
  const { status, body } = await ana.post(`/api/drafts/${id}/publish`)
  expect(status).toBe(400)
  expect(body.errors).toEqual(['Price must be a number', 'Photo or video is required'])
  expect((await ana.get(`/api/drafts/${id}`)).status).toBe(200)
})

test('publishing makes the listing with its photos and stock; again it is the same one', async () => {
  const id = await withPhoto()
  const [first, second] = await Promise.all([
    ana.post(`/api/drafts/${id}/publish`),
    ana.post(`/api/drafts/${id}/publish`),
  ])
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.body).toMatchObject({ name: finished.name, price: 24.5, stock: 3 })
  expect(first.body.images).toHaveLength(1)
  expect(second.body.id).toBe(first.body.id)
  expect((await ana.get(`/api/drafts/${id}`)).status).toBe(404)
  expect((await ana.get(`/api/drafts/${id}/listing`)).body.id).toBe(first.body.id)
  expect((await shop.visitor().get(`/api/products/${first.body.id}`)).status).toBe(200)
})

test('of several drafts the finished ones are published, and the others say why not', async () => {
  const [good, bad] = [await withPhoto(), await begin({ name: 'No price' })]
  const { body } = await ana.post('/api/drafts/publish', { ids: [bad, good, 999_999_999] })
  expect(body.published).toMatchObject([{ id: good, name: finished.name }])
  expect(body.refused.map(({ id }: { id: number }) => id)).toEqual([bad, 999_999_999])
  expect(body.refused[0].errors).toContain('Price is required')
})

test('a deleted draft takes its photos along', async () => {
  const id = await withPhoto()
  const [image] = (await ana.get(`/api/drafts/${id}`)).body.images
  expect((await ana.delete(`/api/drafts/${id}`)).status).toBe(200)
  expect((await ana.get(image.url)).status).toBe(404)
})

test('photos of a draft have an order and alt texts, which its listing takes over; one left out is deleted', async () => {
  const id = await withPhoto()
  for (const width of [301, 302]) await ana.upload(`/api/drafts/${id}/images`, pngOf(width, 200))
  const [a, b, c] = (await ana.get(`/api/drafts/${id}`)).body.images
  const photos = [{ id: c.id, alt: 'The handle' }, { id: a.id }]
  const { status, body } = await ana.put(`/api/drafts/${id}/images`, { photos })
  expect([status, body.images]).toMatchObject([
    200,
    [
      { id: c.id, alt: 'The handle' },
      { id: a.id, alt: '' },
    ],
  ])
  expect((await ana.get(b.url)).status).toBe(404)

  const listed = await shop.list(ana)
  await ana.upload(`/api/products/${listed.id}/images`, pngOf(300, 200))
  const [foreign] = (await ana.get(`/api/products/${listed.id}`)).body.images
  const refused = await ana.put(`/api/drafts/${id}/images`, { photos: [{ id: foreign.id }] })
  expectRefusal(refused, 400, `Photo ${foreign.id} is not there any more; please open the page again`)

  const { images } = (await ana.post(`/api/drafts/${id}/publish`)).body
  expect(images).toMatchObject([{ id: c.id, alt: 'The handle' }, { id: a.id }])
})

test('a photo that arrives while the order of the others is saved stays, at the end', async () => {
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const add = async () => (await ana.upload(`/api/drafts/${id}/images`, pngOf(30, 20))).body.id
  const [first, second, third] = [await add(), await add(), await add()]
  const order = (body: object) => ana.put(`/api/drafts/${id}/images`, body)
  const { body } = await order({ photos: [{ id: second }], known: [first, second] })
  expect(body.images.map(({ id }: { id: number }) => id)).toEqual([second, third])
  expect((await order({ photos: [{ id: third }], known: ['x'] })).status).toBe(400)
  expect((await order({ photos: [{ id: third }] })).body.images).toMatchObject([{ id: third }])
})

test('nobody else sees a draft: not by its address, in lists, search, feeds, the sitemap or the maker’s page', async () => {
  const id = await withPhoto({ ...finished, name: 'Zylonite secret' })
  const stranger = await shop.signUp('stranger')
  for (const person of [stranger, shop.visitor()])
    for (const path of [
      '/',
      '/api/products/',
      '/api/products/?q=zylonite',
      '/search?q=zylonite',
      '/feeds/listings.atom',
      '/feeds/listings.json',
      '/sitemap.xml',
      `/shops/${ana.user.username}`,
      `/products/${id}`,
      `/drafts/${id}`,
    ]) {
      const text = JSON.stringify((await person.get(path)).body).replaceAll('q=zylonite', '')
      expect(text).not.toMatch(/zylonite secret/i)
    }
  expect((await stranger.get(`/api/drafts/${id}`)).status).toBe(404)
  expect((await stranger.post(`/api/drafts/${id}/publish`)).status).toBe(404)
})

test('a maker has a maximum number of drafts', async () => {
  const max = await shop.signUp('max')
  await shop.rows(
    `insert into drafts (seller_id, fields) select ${max.user.id}, '{}' from generate_series(1, ${MAX_DRAFTS - 1})`,
  )
  // Also when several are added at once.
  const responses = await Promise.all([1, 2, 3].map(() => max.post('/api/drafts/', { fields: {} })))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  const { status, body } = await max.post('/api/drafts/', { fields: {} })
  expect([status, body.message]).toEqual([
    409,
    'You have 5,000 drafts, which is the most. Publish or delete one first',
  ])
})
