import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockedPdf } from '../../../test/support/sample-pictures.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const photo = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()

test('a line has the first photo of its listing, once', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const [mug, bowl, plain] = [await shop.list(ana), await shop.list(ana), await shop.list(ana)]
  const urls = new Map<number, string>()
  for (const { id } of [bowl, mug, bowl, mug]) {
    const { body } = await ana.upload(`/api/products/${id}/images`, await photo())
    if (!urls.has(id)) urls.set(id, body.url)
  }
  for (const { id } of [mug, bowl, plain]) {
    const { body } = await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    expect(body.product.image_url).toBe(urls.get(id) ?? null)
  }
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  const shown = cart_items.map(({ product }: { product: { id: number; image_url: string | null } }) => [
    product.id,
    product.image_url,
  ])
  expect(shown).toEqual([mug, bowl, plain].map(({ id }) => [id, urls.get(id) ?? null]))
})

test('a line has no image for a document that cannot be rendered, but the photo after it', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(ana)
  const document = await ana.upload(
    `/api/products/${id}/images`,
    lockedPdf(),
    'a.pdf',
    'image',
    'application/pdf',
  )
  expect(document.status).toBe(201)
  const line = async () => (await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })).body.product
  expect((await line()).image_url).toBe(null)
  const { body } = await ana.upload(`/api/products/${id}/images`, await photo())
  expect((await line()).image_url).toBe(body.url)
  const { cart_items } = (await ben.get(`/api/cart_items/${ben.user.id}`)).body
  expect(cart_items).toMatchObject([{ product: { image_url: body.url } }])
})
