import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let photo: Buffer
beforeAll(async () => {
  shop = await openShop()
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => shop.close())

interface Image {
  id: number
  url: string
  alt: string
}

/** A listing with so many photos. */
async function withPhotos(count: number): Promise<{ id: number; ids: number[]; version: number }> {
  const { id } = await shop.list(ana)
  for (let n = 0; n < count; n++) expect((await ana.upload(pathOf(id), photo)).status).toBe(201)
  const { images, version } = (await ana.get(`/api/products/${id}`)).body
  return { id, version, ids: images.map((image: Image) => image.id) }
}
const pathOf = (id: number) => `/api/products/${id}/images`
const arrange = (id: number, photos: unknown, headers = {}) => ana.put(pathOf(id), { photos }, headers)
const imagesOf = async (id: number): Promise<Image[]> =>
  (await shop.visitor().get(`/api/products/${id}`)).body.images
const idsOf = async (id: number) => (await imagesOf(id)).map(image => image.id)
const named = (ids: number[]) => ids.map(id => ({ id }))

test('photos get their order and alt texts, and what is left out stays', async () => {
  const { id, ids } = await withPhotos(3)
  const [a = 0, b = 0, c = 0] = ids
  const { status, body } = await arrange(id, [{ id: c, alt: ' The handle ' }, { id: a }, { id: b, alt: '' }])
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id,
    images: [
      { id: c, alt: 'The handle' },
      { id: a, alt: '' },
      { id: b, alt: '' },
    ],
  })
  expect(await imagesOf(id)).toEqual(body.images)
  await arrange(id, named([a, c, b]))
  expect((await imagesOf(id)).map(({ alt }) => alt)).toEqual(['', 'The handle', ''])
})

test('a photo that is added later comes last, also one of the version before', async () => {
  const { id, ids } = await withPhotos(2)
  await arrange(id, named(ids.toReversed()))
  const { body } = await ana.upload(pathOf(id), photo)
  expect(body.alt).toBe('')
  const [{ id: old }] = (await shop.rows(
    `insert into images (product_id, folder, kind, widths) values (${id}, 'old-${id}', 'picture', '{}') returning id`,
  )) as [{ id: number }]
  expect(await idsOf(id)).toEqual([...ids.toReversed(), body.id, Number(old)])
})

test('a photo that is left out is deleted with its files, and no other', async () => {
  const { id, ids } = await withPhotos(2)
  const [gone, kept] = await imagesOf(id)
  const visitor = shop.visitor()
  expect((await visitor.get(String(gone?.url))).status).toBe(200)
  expect((await arrange(id, named(ids.slice(1)))).status).toBe(200)
  expectRefusal(await visitor.get(String(gone?.url)), 404, 'There is no such picture')
  expect((await visitor.get(String(kept?.url))).status).toBe(200)
  expect(await idsOf(id)).toEqual(ids.slice(1))
  expect((await arrange(id, [])).body.images).toEqual([])
  expectRefusal(await visitor.get(String(kept?.url)), 404, 'There is no such picture')
})

test('the first photo is the cover: in lists, carts, feeds, share pictures and structured data', async () => {
  const { id, ids } = await withPhotos(2)
  const shareOf = async () =>
    /property="og:image" content="([^"]+)"/.exec(
      (await shop.visitor().get(`/products/${id}/speckled-mug`, { accept: 'text/html' })).body,
    )?.[1]
  const [before, share] = [await imagesOf(id), await shareOf()]
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await arrange(id, named(ids.toReversed()))
  const cover = before[1]?.url
  const [found] = (await ben.get('/api/products/?limit=1')).body.products
  expect(found.images[0].url).toBe(cover)
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  expect(cart_items[0].product.image_url).toBe(cover)
  const added = (await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })).body
  expect(added.product.image_url).toBe(cover)
  const feed = JSON.stringify((await shop.visitor().get('/feeds/listings.json?limit=1')).body)
  expect(feed).toContain(cover)
  expect(feed).not.toContain(before[0]?.url)
  const page = (await shop.visitor().get(`/products/${id}/speckled-mug`, { accept: 'text/html' })).body
  const ld = /"image":\[([^\]]*)\]/.exec(page)?.[1] ?? ''
  expect(ld.indexOf(String(cover))).toBeGreaterThan(-1)
  expect(ld.indexOf(String(cover))).toBeLessThan(ld.indexOf(String(before[0]?.url)))
  expect(await shareOf()).not.toBe(share)
})

test('two tabs lose no photo: a change of an older version is refused, and nothing changes', async () => {
  const { id, ids, version } = await withPhotos(2)
  const seen = { 'expected-version': String(version) }
  const { body: added } = await ana.upload(pathOf(id), photo)
  const removing = await arrange(id, named(ids.slice(1)), seen)
  expectRefusal(removing, 409, 'This listing was changed meanwhile')
  expect(await idsOf(id)).toEqual([...ids, added.id])
  const now = { 'expected-version': String((await ana.get(`/api/products/${id}`)).body.version) }
  const wanted = named([added.id, ...ids])
  const changed = await arrange(id, wanted, now)
  expect(changed.status).toBe(200)
  // A retry is no conflict, and changes nothing.
  expect((await arrange(id, wanted, now)).body).toEqual(changed.body)
  expectRefusal(await arrange(id, named(ids), now), 409, 'This listing was changed meanwhile')
  const wrong = await arrange(id, named(ids), { 'expected-version': 'x' })
  expectRefusal(wrong, 400, 'Expected-Version must be a whole number above 0')
})

test('of ten concurrent orders of one version one is saved', async () => {
  const { id, ids, version } = await withPhotos(3)
  const seen = { 'expected-version': String(version) }
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) => arrange(id, [{ id: ids[2], alt: `Saved by ${n}` }], seen)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(await idsOf(id)).toEqual([ids[2]])
})

test('bad orders get a clear message and change nothing', async () => {
  const { id, ids } = await withPhotos(2)
  const [a = 0, b = 0] = ids
  const other = await withPhotos(1)
  const refused = async (photos: unknown, message: string) =>
    expectRefusal(await arrange(id, photos), 400, message)
  await refused(undefined, 'Photos must be a list')
  await refused({}, 'Photos must be a list')
  await refused(named([a, a]), 'Each photo has one place')
  await refused(named(Array.from({ length: 13 }, (_, n) => n + 1)), 'A listing can have at most 12 photos')
  await refused([{ id: a, alt: 'x'.repeat(501) }], 'Alt text cannot be more than 500 characters')
  await refused([{ id: a, alt: 7 }], 'Alt text must be a text')
  await refused([{ id: a, alt: '\0' }], 'Alt text contains characters that cannot be stored')
  const foreign = other.ids[0] ?? 0
  await refused(named([b, foreign]), `Photo ${foreign} is not there any more; please open the page again`)
  expect(await idsOf(id)).toEqual(ids)
  expect(await idsOf(other.id)).toEqual(other.ids)
  const longest = '🧶'.repeat(500)
  expect((await arrange(id, [{ id: a, alt: longest }, { id: b }])).body.images[0].alt).toBe(longest)
  await expect(shop.rows(`update images set alt = repeat('x', 501) where id = ${a}`)).rejects.toThrow(
    'images_alt_length',
  )
})

test('only its seller orders the photos of a listing', async () => {
  const { id, ids } = await withPhotos(2)
  const body = { photos: named(ids.slice(1)) }
  expectRefusal(await ben.put(pathOf(id), body), 403, 'Only its seller may change a listing')
  expect((await shop.visitor().put(pathOf(id), body)).status).toBe(401)
  await ana.delete(`/api/products/${id}`)
  expectRefusal(await ana.put(pathOf(id), body), 404, 'There is no such listing')
})

test('pages say the alt text, and the name of a listing without one', async () => {
  const { id, ids } = await withPhotos(2)
  const page = async () =>
    (await shop.visitor().get(`/products/${id}/speckled-mug`, { accept: 'text/html' })).body as string
  expect(await page()).toContain('alt="Speckled mug"')
  await arrange(id, [{ id: ids[1], alt: 'A blue mug & its handle' }, { id: ids[0] }])
  expect(await page()).toContain('alt="A blue mug &amp; its handle"')
  expect(await page()).toContain('Enlarge the photo of Speckled mug: A blue mug &amp; its handle')
  const list = (await shop.visitor().get('/', { accept: 'text/html' })).body
  expect(list).toContain('alt="A blue mug &amp; its handle"')
})

test('the index serves the order', async () => {
  const [{ indexdef }] = (await shop.rows(
    `select indexdef from pg_indexes where indexname = 'images_of_product'`,
  )) as [{ indexdef: string }]
  expect(indexdef).toMatch(/\(product_id, "position", id\)$/)
})
