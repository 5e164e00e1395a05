import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Details } from '#products/details-contract.ts'
import { EMPTY_DETAILS } from '#products/form-details.ts'
import { archiveOf, contentOf, importOf, takeIn } from '../../../test/support/listing-archives.ts'
import { itsDetails } from '../../../test/support/listings.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { filled } from '../../../test/support/text-fields.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

/** A maker with listings that say all that can be said. */
async function openMaker(name: string): Promise<Person> {
  const maker = await shop.signUp(name)
  const section = (await maker.post('/api/sections/', { name: 'Cups' })).body
  const handled = { made_to_order: true, handling_days: 9, section_id: section.id }
  const questions = [
    { title: 'Name on it', instructions: 'As it is to be written', required: true, max_length: 20 },
    { title: 'Colour', instructions: '', required: false, options: ['Red', 'Sea green'] },
  ]
  const mug = await shop.list(maker, { ...itsDetails, ...handled, questions, name: 'Mug', price: 12.5 })
  for (const width of [300, 200]) await maker.upload(`/api/products/${mug.id}/images`, pngOf(width, 100))
  const { images } = (await maker.get(`/api/products/${mug.id}`)).body
  const photos = [{ id: images[1].id, alt: 'The handle' }, { id: images[0].id }]
  await maker.put(`/api/products/${mug.id}/images`, { photos })
  const variations = {
    variations: [
      { title: 'Size', options: ['S', 'L'] },
      { title: 'Glaze', options: ['Red', 'Blue, matt'] },
    ],
    // Large and red is not made.
    combinations: [
      { options: ['S', 'Red'], price: 8, stock: 2, sku: 'B-1', photo: 2 },
      { options: ['S', 'Blue, matt'], price: 8, stock: 0, sku: '', photo: null },
      { options: ['L', 'Blue, matt'], price: 14.5, stock: 1, sku: 'B-3', photo: 1 },
    ],
  }
  const bowl = await shop.list(maker, { name: 'Bowl', variations })
  for (const width of [300, 200]) await maker.upload(`/api/products/${bowl.id}/images`, pngOf(width, 100))
  return maker
}

test('what a shop exports is taken in by another, and exported again it is equal', async () => {
  const ana = await openMaker('ana')
  const archive = await archiveOf(shop, ana)
  const ben = await shop.signUp('ben')
  expect(await takeIn(shop, ben, archive)).toEqual(['new', 'new'])
  const drafts = await draftsOf(ben)
  const ids = drafts.map(({ id }: { id: number }) => id)
  expect((await ben.post('/api/drafts/publish', { ids })).body.refused).toEqual([])
  expect(contentOf(await archiveOf(shop, ben))).toEqual(contentOf(archive))
  const widths = async (person: Person) =>
    (await person.get('/api/products/current')).body.products
      .map(({ name, images }: { name: string; images: { width: number }[] }) => [
        name,
        ...images.map(i => i.width),
      ])
      .sort()
  expect(await widths(ben)).toEqual(await widths(ana))

  // Once more, nothing is added twice.
  expect(await takeIn(shop, ben, archive)).toEqual(['published', 'published'])
  expect(contentOf(await archiveOf(shop, ben))).toEqual(contentOf(archive))
  expect(await draftsOf(ben)).toEqual([])
})

test('photos that were not taken in are named with their reason', async () => {
  const archive = await archiveOf(shop, await openMaker('fred'))
  const { db, files, log, config } = shop.app
  const full = { db, files, log, config: { ...config, quota: 1 } }
  const { rows, refused } = await importOf(full, await shop.signUp('gina'), archive)
  expect(rows.map(({ outcome }) => outcome)).toEqual(['new', 'new'])
  expect(refused).toHaveLength(4)
  for (const { file, reason } of refused)
    expect([file, reason]).toEqual([
      expect.stringMatching(/^photos\//),
      expect.stringMatching(/^Your photos/),
    ])
})

test('photos that were not taken in are, when the archive is sent again', async () => {
  const archive = await archiveOf(shop, await openMaker('carl'))
  const dora = await shop.signUp('dora')
  const { 'listings.json': text = new Uint8Array(), ...photos } = unzipSync(archive)
  const [first = ''] = Object.keys(photos)
  await takeIn(shop, dora, zipSync({ 'listings.json': text }))
  expect((await draftsOf(dora)).map(({ images }: { images: [] }) => images.length)).toEqual([0, 0])
  expect((await dora.get('/api/import/photos')).body).toMatchObject({ here: 0, failed: 4 })
  expect(await takeIn(shop, dora, archive)).toEqual(['same', 'same'])
  expect((await dora.get('/api/import/photos')).body).toMatchObject({ here: 4, failed: 0 })
  expect(first).toMatch(/^photos\//)
})

const photo = { file: 'photos/a.webp', alt: '' }
const placed = (place: number) => ({
  variations: [{ title: 'Size', options: ['S'] }],
  combinations: [{ options: ['S'], price: 1, stock: 1, sku: '', photo: place }],
})
/** An archive with one listing. */
const archiveWith = (fields: object) =>
  zipSync({
    'listings.json': strToU8(
      JSON.stringify({
        format: 1,
        listings: [
          {
            ...{ id: 1, name: 'Mug', category: 'Home & Living', description: 'Fine.', price: 3, stock: 1 },
            ...{ ...itsDetails, section: null, made_to_order: false, handling_days: 3, photos: [photo] },
            ...fields,
          },
        ],
      }),
    ),
  })

/** An archive whose text cannot be unpacked: its compressed bytes were overwritten. */
function damagedZip(): Uint8Array {
  const zip = zipSync({ 'listings.json': strToU8('{"format":1}'.repeat(20)) })
  const start = 30 + 'listings.json'.length
  return zip.fill(0xff, start, start + 4)
}

test.each<[string, Uint8Array, RegExp]>([
  ['another zip', zipSync({ 'a.txt': strToU8('a') }), /: the zip has no listings\.json of at most 100 MB$/],
  ['damaged text', zipSync({ 'listings.json': strToU8('{') }), /is damaged$/],
  ['damaged bytes', damagedZip(), /: listings\.json is damaged$/],
  [
    'wrong values',
    zipSync({ 'listings.json': strToU8('{"format":1,"listings":[{"id":1,"name":7}]}') }),
    /^The listings of this archive cannot be read: listings\.json, listings\.0\.name: /,
  ],
  [
    'a section with a long name',
    archiveWith({ section: 'x'.repeat(25) }),
    /listings\.json, listings\.0\.section: /,
  ],
  [
    'a section without a name',
    archiveWith({ section: ' ' }),
    /listings\.json, listings\.0\.section: Name is required$/,
  ],
  [
    'a photo with a long alt text',
    archiveWith({ photos: [{ ...photo, alt: 'x'.repeat(501) }] }),
    /listings\.0\.photos\.0\.alt: /,
  ],
  [
    'a photo with a long name',
    archiveWith({ photos: [{ ...photo, file: 'x'.repeat(501) }] }),
    /listings\.0\.photos\.0\.file: /,
  ],
  ['a photo that is named twice', archiveWith({ photos: [photo, photo] }), /a\.webp is named twice$/],
  ['a photo of a combination that cannot be', archiveWith({ variations: placed(13) }), /photo: /],
  ['texts that cannot be stored', archiveWith({ name: 'a\0b' }), /listings\.json is damaged$/],
  [
    'too many listings',
    zipSync({ 'listings.json': strToU8(`{"format":1,"listings":[${'0,'.repeat(5_000)}0]}`) }),
    /has more than 5000 listings$/,
  ],
  ['a later format', zipSync({ 'listings.json': strToU8('{"format":2,"listings":[]}') }), /format/],
])('%s is refused, and nothing is written', async (_, archive, message) => {
  const eva = await shop.signUp('eva')
  await expect(takeIn(shop, eva, archive)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(message),
  })
  expect(await draftsOf(eva)).toEqual([])
  expect((await eva.get('/api/sections/')).body.sections).toEqual([])
})

test('an archive of a version without later details is taken in', async () => {
  const ana = await openMaker('ana')
  const files = unzipSync(await archiveOf(shop, ana))
  const written = JSON.parse(strFromU8(files['listings.json'] ?? new Uint8Array()))
  for (const listing of written.listings) {
    for (const detail of Object.keys(EMPTY_DETAILS)) delete listing[detail]
  }
  const ben = await shop.signUp('ben')
  const older = zipSync({ ...files, 'listings.json': strToU8(JSON.stringify(written)) })
  expect(await takeIn(shop, ben, Buffer.from(older))).toEqual(['new', 'new'])
  const [draft] = await draftsOf(ben)
  expect(draft.fields).toMatchObject({ tags: '', weight_grams: '', ...filled(Details, () => '') })
})
