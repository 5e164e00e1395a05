import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { itsDetails } from '../../../test/support/listings.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { readListings } from './read-listings.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const TABLE = '/api/listings/export.csv'
const ARCHIVE = '/api/listings/export.zip'

async function bytesOf({ cookie }: Person, path: string): Promise<Buffer> {
  const response = await fetch(shop.address + path, { headers: { cookie } })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
async function table(person: Person) {
  const file = await bytesOf(person, TABLE)
  return (await Array.fromAsync(readListings(() => [file]))).map(({ listing }) => listing)
}
async function archive(person: Person) {
  const files = unzipSync(await bytesOf(person, ARCHIVE))
  const { 'listings.json': text, ...photos } = files
  return { content: JSON.parse(strFromU8(text ?? new Uint8Array())), photos }
}

test('the table has every listing with its details and the addresses of its photos', async () => {
  const maker = await shop.signUp('tabler')
  const mug = await shop.list(maker, { ...itsDetails, name: '=Mug, "blue"', title: '=A mug, "blue"' })
  await maker.upload(`/api/products/${mug.id}/images`, pngOf(300, 200))
  await shop.list(maker, { name: 'Bowl' })
  const gone = await shop.list(maker, { name: 'Gone' })
  await maker.delete(`/api/products/${gone.id}`)
  await shop.list(await shop.signUp('other'), { name: 'Theirs' })
  const { body } = await maker.get(`/api/products/${mug.id}`)
  const [first, second, ...more] = await table(maker)
  expect(first).toEqual({
    title: '=A mug, "blue"',
    description: itsDetails.story,
    price_cents: 2450,
    currency: 'USD',
    quantity: 5,
    tags: itsDetails.tags,
    materials: itsDetails.materials,
    images: [shop.address + body.images[0].url],
    variations: [],
    skus: [],
  })
  expect([second?.title, more]).toEqual(['Bowl', []])
})

test('the archive has what the maker wrote, with photos and names of sections', async () => {
  const maker = await shop.signUp('archiver')
  const section = (await maker.post('/api/sections/', { name: 'Cups' })).body
  const handled = { made_to_order: true, handling_days: 9 }
  const mug = await shop.list(maker, { ...itsDetails, ...handled, section_id: section.id, name: 'Mug' })
  await maker.upload(`/api/products/${mug.id}/images`, pngOf(300, 200))
  await maker.upload(`/api/products/${mug.id}/images`, pngOf(200, 300))
  const bowl = await shop.list(maker, { name: 'Bowl' })
  const { content, photos } = await archive(maker)
  const names = [`photos/${mug.id}-1.webp`, `photos/${mug.id}-2.webp`]
  const { category, description, price, stock } = mug
  expect(content).toEqual({
    format: 1,
    listings: [
      {
        ...{ id: mug.id, name: 'Mug', category, description, price, stock },
        variations: { variations: [], combinations: [] },
        ...{ ...itsDetails, ...handled, section: 'Cups', photos: names.map(file => ({ file, alt: '' })) },
      },
      expect.objectContaining({ id: bowl.id, section: null, dimensions: null, tags: [], photos: [] }),
    ],
  })
  expect(Object.keys(photos)).toEqual(names)
  const { images } = (await maker.get(`/api/products/${mug.id}`)).body
  for (const [index, { url }] of images.entries()) {
    const shown = await fetch(shop.address + url)
    expect(Buffer.from(photos[names[index] ?? ''] ?? [])).toEqual(Buffer.from(await shown.arrayBuffer()))
  }
})

test('many listings come in pages, and each once', async () => {
  const maker = await shop.signUp('many')
  const { id } = await shop.list(maker, { name: 'Mug 0' })
  await shop.rows(`with copies as (
    insert into products (seller_id, name, category, description, price_cents)
    select seller_id, 'Mug ' || n, category, description, price_cents from products, generate_series(1, 250) as n where id = ${id}
    returning id
  ) insert into stock_ledger (product_id, units, reason) select id, 1, 'opening' from copies`)
  const titles = (await table(maker)).map(({ title }) => title)
  expect([titles.length, new Set(titles).size]).toEqual([251, 251])
  expect((await archive(maker)).content.listings).toHaveLength(251)
})

test.each([TABLE, ARCHIVE])('visitors and other sites get no file: %s', async path => {
  const maker = await shop.signUp('owner')
  expectRefusal(await shop.visitor().get(path), 401, 'Please log in')
  const page = await shop.visitor().get(path, { accept: 'text/html' })
  expect([page.status, page.headers.location]).toEqual([303, '/login?next=%2Fyour-listings'])
  expect((await maker.get(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const { headers } = await maker.get(path)
  expect([headers['cache-control'], headers['content-disposition']]).toEqual([
    'no-store',
    `attachment; filename="listings.${path.slice(-3)}"`,
  ])
  expect((await maker.post(path)).status).toBe(405)
})

test('what is retired or hidden is taken out too, also by a maker who is suspended', async () => {
  const maker = await shop.signUp('leaver')
  const ids: number[] = []
  for (const name of ['Mug', 'Bowl', 'Vase']) ids.push((await shop.list(maker, { name })).id)
  await maker.post(`/api/products/${ids[0]}/retire`)
  await shop.rows(`update products set hidden_at = now(), deleted_at = now() where id = ${ids[1]}`)
  await shop.rows(`update products set suspended_at = now(), deleted_at = now() where id = ${ids[2]}`)
  expect((await table(maker)).map(({ title }) => title)).toEqual(['Mug', 'Bowl', 'Vase'])
  expect((await archive(maker)).content.listings).toHaveLength(3)
})
