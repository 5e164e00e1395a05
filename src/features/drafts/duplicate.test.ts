import { beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  return () => open.close()
})

test('a copy of a listing is a draft with its texts', async () => {
  const section = (await ana.post('/api/sections/', { name: 'Copies' })).body.id
  const details = { story: 'Made twice.', tags: ['blue', 'clay'], weight_grams: 340, section_id: section }
  const { id } = await shop.list(ana, { name: 'First', stock: 4, ...details })
  const { body } = await ana.post(`/api/products/${id}/draft`)
  expect(body.fields).toMatchObject({
    ...{ name: 'First', stock: '4', story: 'Made twice.', tags: 'blue, clay', weight_grams: '340' },
    section_id: String(section),
  })
  expect([body.images, Object.keys(body.missing)]).toEqual([[], ['image']])
})

test('its photos are copied in their order with their alt texts, and are files of their own', async () => {
  const { id } = await shop.list(ana)
  const photos = []
  for (const width of [300, 400])
    photos.push((await ana.upload(`/api/products/${id}/images`, pngOf(width, 200))).body)
  const order = [
    { id: photos[1].id, alt: 'From above' },
    { id: photos[0].id, alt: '' },
  ]
  await ana.put(`/api/products/${id}/images`, { photos: order })
  const { body: draft } = await ana.post(`/api/products/${id}/draft`)
  expect(draft.images).toMatchObject([
    { alt: 'From above', width: 400 },
    { alt: '', width: 300 },
  ])
  const before = (await ana.get(photos[1].url)).body
  await ana.delete(`/api/products/${id}`)
  const copy = await ana.get(draft.images[0].url)
  expect(copy.status).toBe(200)
  expect(copy.body).toEqual(before)
  expect((await ana.post(`/api/drafts/${draft.id}/publish`)).status).toBe(201)
})

test('a quota without room for the copies refuses, and nothing is added', async () => {
  const small = await openShop({ settings: { LIMITS: 'on', QUOTA_MB: '1' } })
  const ben = await small.signUp('ben')
  const { id } = await small.list(ben)
  for (let n = 0; n < 12; n++)
    expect((await ben.upload(`/api/products/${id}/images`, pngOf(300 + n, 200))).status).toBe(201)
  const spent = await ben.post(`/api/products/${id}/draft`)
  expect(spent.status).toBe(201)
  const before = await small.rows('select count(*) from drafts')
  expectRefusal(await ben.post(`/api/products/${id}/draft`), 409, expect.stringContaining('1 MB') as never)
  expect(await small.rows('select count(*) from drafts')).toEqual(before)
  await small.close()
})
