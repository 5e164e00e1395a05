import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, importOf, takeIn } from '../../../test/support/listing-archives.ts'
import { pdfOf, pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a document is not taken in, and its row says so', async () => {
  const ana = await shop.signUp('documents')
  const { id } = await shop.list(ana, { name: 'Pattern' })
  expect((await ana.upload(`/api/products/${id}/images`, pdfOf('1 0 0 rg 0 0 100 100 re f'))).status).toBe(
    201,
  )
  const archive = await archiveOf(shop, ana)
  const { rows, refused } = await importOf(shop.app, await shop.signUp('reader'), archive)
  expect(refused).toEqual([])
  expect(rows.find(({ name }) => name === 'Pattern')).toMatchObject({
    outcome: 'new',
    photos: 0,
    notes: [expect.stringMatching(/^photos\/.*\.pdf is a document: please add it yourself$/)],
  })
  const zip = ['/api/import/photos/zip', archive, 'listings.zip', 'zip', 'application/zip'] as const
  expect((await (await shop.signUp('sender')).upload(...zip)).body).toMatchObject({
    drafts: 1,
    taken: 0,
    unknown: 1,
    unknown_names: [expect.stringMatching(/\.pdf$/)],
  })
})

test('an archive that is sent again leaves renamed and removed sections as they are', async () => {
  const hal = await shop.signUp('sections')
  const [cups, jars] = [
    (await hal.post('/api/sections/', { name: 'Cups' })).body.id,
    (await hal.post('/api/sections/', { name: 'Jars' })).body.id,
  ]
  for (const section_id of [cups, jars]) {
    const { id } = await shop.list(hal, { name: `In ${section_id}`, section_id })
    await hal.upload(`/api/products/${id}/images`, pngOf(300, 100))
  }
  const archive = await archiveOf(shop, hal)
  const ida = await shop.signUp('ida')
  expect(new Set(await takeIn(shop, ida, archive))).toEqual(new Set(['new']))
  const sections = async () => (await ida.get('/api/sections/')).body.sections
  const names = async () => (await sections()).map(({ name }: { name: string }) => name)
  const [first] = await sections()
  await ida.put(`/api/sections/${first.id}`, { name: 'Mugs' })
  const renamed = await names()
  expect(new Set(await takeIn(shop, ida, archive))).toEqual(new Set(['same']))
  expect(await names()).toEqual(renamed)
  // A newer archive brings one more piece of that section.
  const { id } = await shop.list(hal, { name: 'Newer', section_id: cups })
  await hal.upload(`/api/products/${id}/images`, pngOf(300, 100))
  const newer = await takeIn(shop, ida, await archiveOf(shop, hal))
  expect(newer.filter(outcome => outcome !== 'same')).toEqual(['new'])
  expect((await names()).toSorted()).toEqual([...renamed, 'Cups'].toSorted())
  const ids = (await ida.get('/api/drafts/')).body.drafts.map(({ id }: { id: number }) => id)
  expect((await ida.post('/api/drafts/publish', { ids })).body.refused).toEqual([])
  for (const { id } of await sections()) await ida.delete(`/api/sections/${id}`)
  expect(new Set(await takeIn(shop, ida, archive))).toEqual(new Set(['published']))
  expect(await names()).toEqual([])
})
