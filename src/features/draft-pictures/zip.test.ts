import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { queue } from './draft-pictures.ts'
import { fetchJob } from './fetch-job.ts'

const PATH = '/api/import/photos/zip'
const photo = new Uint8Array(pngOf(300, 200))
const urlOf = (n: number) => `https://i.etsystatic.com/1/r/il/ab/${n}/il_fullxfull.${n}_abc.jpg`

let shop: TestShop
let ana: Person
let mug: number
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  ana = await shop.signUp('ana')
  mug = await draft('Mug', 'MUG-01')
})

async function draft(name: string, sku: string): Promise<number> {
  const [{ id }] = await shop.rows(`
    insert into drafts (seller_id, fields, imported)
    values (${ana.user.id}, '{"name": "${name}"}', '{"skus": ["${sku}"]}')
    returning id`)
  return id
}
const send = (zip: Uint8Array | Zippable, person = ana, url = PATH) =>
  person.upload(
    url,
    Buffer.from(zip instanceof Uint8Array ? zip : zipSync(zip)),
    'photos.zip',
    'zip',
    'application/zip',
  )
const progress = async () => (await ana.get('/api/import/photos')).body
/** Waits until every photo is here, or has failed. */
const settled = () =>
  vi.waitFor(async () => {
    expect((await progress()).waiting).toBe(0)
    return progress()
  }, 10_000)
const photosOf = (id: number) =>
  shop.rows(`select position from images where draft_id = ${id} order by position`)

test('photos of a zip come to their drafts: by address, by SKU, by folder', async () => {
  await queue(shop.db, ana.user.id, [{ draft: mug, urls: [urlOf(1), urlOf(2)] }])
  const scarf = await draft('Long scarf', 'S')
  const { status, body } = await send({
    'il_fullxfull.2_abc.jpg': photo,
    'MUG-01.png': photo,
    'long-scarf': { '2.png': photo, '1.png': photo },
    'notes.txt': strToU8('hello'),
  })
  expect(status).toBe(202)
  expect(body).toEqual({ drafts: 0, taken: 4, here: 0, unknown: 1, unknown_names: ['notes.txt'] })
  await vi.waitFor(
    async () => expect(await progress()).toMatchObject({ total: 5, here: 4, waiting: 1 }),
    10_000,
  )
  expect(await photosOf(mug)).toEqual([{ position: 2 }, { position: 3 }])
  expect(await photosOf(scarf)).toEqual([{ position: 1 }, { position: 2 }])
})

test('the same zip again takes nothing twice', async () => {
  await queue(shop.db, ana.user.id, [{ draft: mug, urls: [urlOf(1)] }])
  const zip = { 'il_fullxfull.1_abc.jpg': photo, 'MUG-01.png': photo }
  await send(zip)
  await settled()
  expect((await send(zip)).body).toMatchObject({ taken: 0, here: 2 })
  await settled()
  expect((await photosOf(mug)).length).toBe(2)
})

test('what is no picture by its content has failed, under any name', async () => {
  await send({ 'MUG-01': { '1.jpg': strToU8('<!doctype html>'), '2.png': photo, '3.jpg': new Uint8Array() } })
  const { here, failed, failures } = await settled()
  expect([here, failed]).toEqual([1, 2])
  expect(failures[0].reason).toBe('The file in the zip is no picture, or larger than 10 MB')
})

test('a thirteenth photo of a draft has no room', async () => {
  await send({ 'MUG-01': Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`${n}.png`, photo])) })
  const { here, failed, failures } = await settled()
  expect([here, failed]).toEqual([12, 1])
  expect(failures[0].reason).toBe('A listing can have at most 12 photos')
})

test('folders, links and what macOS adds are left out', async () => {
  const link = { os: 3, attrs: 0o120777 << 16 } as const
  const zip = zipSync({
    'MUG-01/': new Uint8Array(),
    'MUG-01/link.png': [strToU8('/etc/passwd'), link],
    'MUG-01/pipe.png': [photo, { os: 3, attrs: 0o010644 << 16 }],
    '__MACOSX/MUG-01/._1.png': photo,
    'MUG-01/._1.png': photo,
    'MUG-01/.DS_Store': photo,
    'MUG-01/1.png': [photo, { os: 3, attrs: 0o100644 << 16 }],
  })
  expect((await send(zip)).body).toEqual({ drafts: 0, taken: 1, here: 0, unknown: 0, unknown_names: [] })
  await settled()
  expect((await photosOf(mug)).length).toBe(1)
})

test('a file that unpacks to more than it says has failed', async () => {
  const zip = Buffer.from(zipSync({ 'MUG-01.png': new Uint8Array(100_000) }))
  const directory = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  zip.writeUInt32LE(10, directory + 24)
  expect((await send(zip)).body.taken).toBe(1)
  const { failed, failures } = await settled()
  expect([failed, failures[0].reason]).toEqual([1, 'The file in the zip could not be read'])
})

test.each([true, false])(
  'after its process died, what is left of a zip has failed, and can be sent again',
  async importPhotos => {
    await shop.rows(`
    insert into draft_pictures (seller_id, draft_id, position, url)
    values (${ana.user.id}, ${mug}, 1, 'zip:MUG-01.png')`)
    const config = { ...shop.app.config, importPhotos }
    await fetchJob({ ...shop.app, config }).run(new AbortController().signal)
    expect((await progress()).failures).toMatchObject([
      { reason: 'The zip was not read to its end; please send it again' },
    ])
    expect((await send({ 'MUG-01.png': photo })).body.taken).toBe(1)
    expect(await settled()).toMatchObject({ here: 1, failed: 0 })
  },
)

test('the zip is nowhere in the data folder, not even while it is read', async () => {
  await send({ 'MUG-01.png': photo })
  expect(await readdir(join(shop.dataDir, 'zips'))).toEqual([])
  await settled()
})

test('the form of the page leads back to it, with what became of the zip', async () => {
  const to = async (zip: Uint8Array | Zippable) => {
    const { status, headers } = await send(zip, ana, '/import/photos/zip')
    expect(status).toBe(303)
    return headers.location
  }
  expect(await to({ 'MUG-01.png': photo, 'x.png': photo })).toBe(
    '/import/photos?drafts=0&taken=1&here=0&unknown=1',
  )
  await settled()
  expect(await to(strToU8('hello'))).toBe('/import/photos?refused=broken')
  expect(await to({ '../x.png': photo })).toBe('/import/photos?refused=path')
})

test('only a maker sends a zip, and it comes to drafts of their own', async () => {
  expect((await send({ 'MUG-01.png': photo }, shop.visitor())).status).toBe(401)
  // Over 64 kB it is refused before its body is read.
  const large = { 'MUG-01.png': [randomBytes(100_000), { level: 0 }] } satisfies Zippable
  expectRefusal(await send(large, shop.visitor()), 401, 'Please log in')
  const { status, headers } = await send(large, shop.visitor(), '/import/photos/zip')
  expect([status, headers.location]).toEqual([303, '/login?next=/import/photos'])
  const ben = await shop.signUp('ben')
  expect((await send({ 'MUG-01.png': photo }, ben)).body).toMatchObject({ taken: 0, unknown: 1 })
  expect((await ana.post(PATH, { zip: 'no' })).status).toBe(415)
  expect((await ana.upload(PATH, Buffer.from('x'), 'a.zip', 'image')).body.message).toBe(
    'Please choose a zip file',
  )
  expect((await ana.get(PATH)).status).toBe(405)
})
