import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const shopOf = ({ user }: Person) => `/api/shops/${encodeURIComponent(user.username)}`
const pictureOf = (person: Person) => `${shopOf(person)}/picture`
const shopPage = async (person: Person) => (await shop.visitor().get(shopOf(person))).body

const portrait = (width = 400) =>
  sharp({ create: { width, height: width, channels: 3, background: 'teal' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()

test('a picture is re-encoded in every width, without metadata, and replaces the one before', async () => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.upload(pictureOf(ana), await portrait())
  expect(status).toBe(201)
  expect(body).toMatchObject({ width: 400, height: 400, document: null })
  expect(body.srcset).toMatch(/320\.webp 320w, .*400\.webp 400w$/)
  expect((await shopPage(ana)).picture).toEqual(body)
  const served = Buffer.from(await (await fetch(`${shop.address}${body.url}`)).arrayBuffer())
  expect(served.toString('latin1', 0, 4)).toBe('RIFF')
  expect(served.toString('latin1')).not.toMatch(/exif|gps/i)

  const second = (await ana.upload(pictureOf(ana), await portrait(330))).body
  expect((await shopPage(ana)).picture).toEqual(second)
  expect((await shop.visitor().get(body.url)).status).toBe(404)
  expect((await shop.visitor().get(second.url)).status).toBe(200)
})

test('a picture is removed with its files, repeatedly', async () => {
  const ana = await shop.signUp('ana')
  const { url } = (await ana.upload(pictureOf(ana), await portrait())).body
  for (let round = 0; round < 2; round++) {
    expect(await ana.delete(pictureOf(ana))).toMatchObject({
      status: 200,
      body: { message: 'Picture removed' },
    })
    expect((await shopPage(ana)).picture).toBeNull()
  }
  expect((await shop.visitor().get(url)).status).toBe(404)
  expect((await shopPage(ana)).words).toBe('')
})

test('the cards of a seller have the picture in its smallest size', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const visitor = shop.visitor()
  const onCards = async () => {
    const pages = [`/api/products/${id}`, '/api/products/?limit=1']
    const responses = await Promise.all(pages.map(page => visitor.get(page)))
    return responses.map(({ body }) => (body.products?.[0] ?? body).maker_picture)
  }
  expect(await onCards()).toEqual([null, null])
  const { srcset } = (await ana.upload(pictureOf(ana), await portrait())).body
  const smallest = srcset.split(' ')[0]
  await expect.poll(onCards).toEqual([smallest, smallest])
  expect((await visitor.get(smallest)).status).toBe(200)
  await ana.delete(pictureOf(ana))
  await expect.poll(onCards).toEqual([null, null])
})

test('of concurrent pictures one is stored, with no other files', async () => {
  const ana = await shop.signUp('ana')
  const file = await portrait()
  const responses = await times(6, () => ana.upload(pictureOf(ana), file))
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201))
  const { picture } = await shopPage(ana)
  const served = await Promise.all(responses.map(({ body }) => shop.visitor().get(body.url)))
  expect(served.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
  expect(responses.map(({ body }) => body.url)).toContain(picture.url)
})

test('a picture is a jpeg, png or gif; the original is not stored', async () => {
  const ana = await shop.signUp('ana')
  const message = 'File does not have an approved extension: jpg, jpeg, png, gif, webp, avif'
  for (const file of ['%PDF-1.4\n%%EOF', '<svg xmlns="http://www.w3.org/2000/svg"/>'])
    expectRefusal(await ana.upload(pictureOf(ana), Buffer.from(file)), 400, message)
  const damaged = (await portrait()).subarray(0, 300)
  expect((await ana.upload(pictureOf(ana), damaged)).status).toBe(400)
  expect((await shopPage(ana)).picture).toBeNull()
})

test('pictures count as uploads', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on', LIMIT_UPLOADS: '2' } })
  try {
    const ana = await strict.signUp('ana')
    const statuses = []
    for (let round = 0; round < 3; round++)
      statuses.push((await ana.upload(pictureOf(ana), await portrait())).status)
    expect(statuses).toEqual([201, 201, 429])
  } finally {
    await strict.close()
  }
})
