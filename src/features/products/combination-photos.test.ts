import { beforeAll, expect, test } from 'vitest'
import { addSize, large, sizes, small } from '../../../test/support/listings.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

// A combination names one of the photos of its listing by its place.

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  return () => open.close()
})

interface Photo {
  id: number
  url: string
}
/** A listing with three photos, of which Small has the first and Large the second. */
async function listed(): Promise<{ id: number; photos: Photo[] }> {
  const variations = {
    variations: [sizes],
    combinations: [
      { ...small, photo: 1 },
      { ...large, photo: 2 },
    ],
  }
  const { id } = await shop.list(ana, { variations })
  const photos: Photo[] = []
  for (const width of [300, 400, 500])
    photos.push((await ana.upload(`/api/products/${id}/images`, pngOf(width, 200))).body)
  return { id, photos }
}
const photosOf = async (id: number) =>
  (await ana.get(`/api/products/${id}/details`)).body.variations.combinations.map(
    ({ photo }: { photo: number | null }) => photo,
  )

test('each combination keeps its photo in a new order, and has none after it is removed', async () => {
  const { id, photos } = await listed()
  const [first, second, third] = photos.map(({ id }) => ({ id }))
  const arrange = (photos: object[]) => ana.put(`/api/products/${id}/images`, { photos })
  expect((await arrange([third!, second!, first!])).status).toBe(200)
  expect(await photosOf(id)).toEqual([3, 2])
  await arrange([first!, third!])
  expect(await photosOf(id)).toEqual([1, null])
})

test('a photo that is still on its way keeps its place in a new order', async () => {
  const { id, photos } = await listed()
  await shop.rows(`update variants set photo = 4 where product_id = ${id} and options = '{Large}'`)
  const [first, second, third] = photos.map(({ id }) => ({ id }))
  await ana.put(`/api/products/${id}/images`, { photos: [second, first, third] })
  expect(await photosOf(id)).toEqual([2, 4])
})

test('another photo of a combination is another version of the listing', async () => {
  const { id } = await listed()
  const { version, price, stock } = (await ana.get(`/api/products/${id}`)).body
  const save = (photo: number | null) =>
    ana.put(`/api/products/${id}`, {
      ...{ ...aMug, price, stock, stock_shown: stock },
      variations: { variations: [sizes], combinations: [small, { ...large, photo }] },
    })
  expect((await save(3)).body.version).toBe(version + 1)
  expect(await photosOf(id)).toEqual([null, 3])
  for (const photo of [0, 13, 1.5])
    expect((await save(photo)).body.message).toBe('Photo must be a whole number from 1 to 12')
  expect(await photosOf(id)).toEqual([null, 3])
})

test('the cart shows the photo of the combination; the cover where it has none, or it is gone', async () => {
  const { id, photos } = await listed()
  const ben = await shop.signUp('ben')
  expect((await addSize(ben, id, 'Large')).body.product.image_url).toBe(photos[1]?.url)
  const shown = async () =>
    (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items[0].product.image_url
  expect(await shown()).toBe(photos[1]?.url)
  await ana.put(`/api/products/${id}/images`, { photos: [{ id: photos[2]?.id }, { id: photos[0]?.id }] })
  expect(await shown()).toBe(photos[2]?.url)
})

test('a draft keeps the photos of its combinations in a new order, and its copy has them too', async () => {
  const { id } = await listed()
  const draft = (await ana.post(`/api/products/${id}/draft`)).body
  const fields = { combination_1_photo: '1', combination_2_photo: '2' }
  expect(draft.fields).toMatchObject(fields)
  const [one, two] = draft.images
  await ana.put(`/api/drafts/${draft.id}/images`, { photos: [{ id: two.id }, { id: one.id }] })
  expect((await ana.get(`/api/drafts/${draft.id}`)).body).toMatchObject({
    fields: { combination_1_photo: '2', combination_2_photo: '1' },
    version: draft.version,
  })
  const { body } = await ana.post(`/api/drafts/${draft.id}/publish`)
  expect(await photosOf(body.id)).toEqual([2, 1])
})

test('search engines read the photo of a combination', async () => {
  const { id, photos } = await listed()
  const page = (await shop.visitor().get(`/products/${id}`)).body as string
  const [script = ''] = page.match(/<script type="application\/ld\+json">.*?<\/script>/) ?? []
  const [, ofLarge = ''] = script.split('"name":"Speckled mug, Large"')
  expect(ofLarge.slice(0, 300)).toContain(`"image":"${shop.address}${photos[1]?.url}"`)
})
