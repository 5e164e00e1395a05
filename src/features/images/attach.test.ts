import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendFile } from '../../../test/support/uploads.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const photo = pngOf(40, 30)
const uploadAs = (key: string, url: string, bytes = photo) => {
  const file = new File([new Uint8Array(bytes)], 'photo.png', { type: 'image/png' })
  return sendFile(ana, url, 'image', file, { 'idempotency-key': key })
}
const imagesAt = async (url: string) => (await ana.get(url.replace('/images', ''))).body.images

const places = {
  listing: async () => `/api/products/${(await shop.list(ana)).id}/images`,
  draft: async () =>
    `/api/drafts/${(await ana.post('/api/drafts/', { fields: { name: 'Mug' } })).body.id}/images`,
}

test.each(['listing', 'draft'] as const)(
  'a repeated upload to a %s is the photo that it added',
  async kind => {
    const url = await places[kind]()
    const first = await uploadAs('one', url)
    expect(first.status).toBe(201)
    expect(await uploadAs('one', url)).toMatchObject({ status: 201, body: first.body })
    expect(await imagesAt(url)).toEqual([first.body])
    // Another file, another attempt, or no key at all: another photo.
    const others = [
      await uploadAs('one', url, pngOf(41, 30)),
      await uploadAs('two', url),
      await ana.upload(url, photo),
      await ana.upload(url, photo),
    ]
    expect(await imagesAt(url)).toEqual([first.body, ...others.map(({ body }) => body)])
  },
)

test('uploads that are repeated at once add one photo, and leave no files behind', async () => {
  const url = await places.listing()
  const renditions = async () =>
    (await readdir(join(shop.dataDir, 'uploads'), { recursive: true })).filter(name => name.endsWith('.webp'))
      .length
  const before = await renditions()
  const sent = await times(6, () => uploadAs('one', url))
  expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1)
  expect(await imagesAt(url)).toHaveLength(1)
  expect(await renditions()).toBe(before + 1)
})

test('the last photo that fits can be repeated, and one that was removed is added again', async () => {
  const url = await places.listing()
  for (let n = 0; n < 11; n++) await ana.upload(url, photo)
  const last = await uploadAs('one', url)
  expect((await uploadAs('one', url)).body).toEqual(last.body)
  expectRefusal(await uploadAs('two', url), 409, 'A listing can have at most 12 photos')
  const rest = (await imagesAt(url)).slice(0, 11).map(({ id }: { id: number }) => ({ id }))
  expect((await ana.put(url, { photos: rest })).status).toBe(200)
  expect((await uploadAs('one', url)).body.id).not.toBe(last.body.id)
  expect(await imagesAt(url)).toHaveLength(12)
})

test('an idempotency key that is none is refused, and nothing is stored', async () => {
  const url = await places.listing()
  const message = 'Idempotency-Key must be 1 to 100 visible characters'
  expectRefusal(await uploadAs('x'.repeat(101), url), 400, message)
  expect(await imagesAt(url)).toEqual([])
})
