import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { HEADER, row } from '../support/etsy-files.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** A listings file with these rows. */
const fileOf = (...rows: Record<string, string>[]) => ({
  name: 'EtsyListingsDownload.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...rows.map(row), ''].join('\n')),
})

inEachMode(mode => {
  test('a maker moves in: the file is shown, then its listings are drafts', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go('/your-listings')
    await there.press('link', 'Move in from Etsy')
    await there.heading('Move in from Etsy')
    await there.press('button', 'Show what would be added')
    await there.sees('Choose a file first')

    await there.pick('Listings file', fileOf({}, { PRICE: '1.234,50' }))
    await there.press('button', 'Show what would be added')
    await there.page.getByText(/^Row 3, PRICE: /).waitFor()

    await there.pick('Listings file', fileOf({}, { TITLE: 'Bowl', QUANTITY: '' }, {}))
    await there.press('button', 'Show what would be added')
    await there.sees('2 new, 1 twice in the file. Nothing is added yet.')
    await there.sees('The file has no quantity')
    expect((await ana.get('/api/drafts/')).body.count).toBe(0)
    await there.press('button', 'Yes, add 2 drafts')
    await there.sees('The file is taken in: its listings are drafts now')
    await there.one('link', 'Bowl').waitFor()
    expect((await ana.get('/api/drafts/')).body.count).toBe(2)
  })

  test('the archive of another shop is sent, and its listings are drafts with their photos', async () => {
    const ben = await shop.signUp('ben')
    const { id } = await shop.list(ben, { name: 'Moved mug' })
    await ben.upload(`/api/products/${id}/images`, (await picture()).buffer)
    const headers = { cookie: ben.cookie }
    const archive = await fetch(`${shop.address}/api/listings/export.zip`, { headers })
    const buffer = Buffer.from(await archive.arrayBuffer())
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/import')
    await there.press('link', 'Send its archive')
    await there.pick('Zip file', { name: 'listings.zip', mimeType: 'application/zip', buffer })
    await there.press('button', 'Send the zip')
    await there.sees('It has arrived: 1 listing is a draft now, and 1 photo is being taken in.')
    await eventually(async () => (await ana.get('/api/drafts/')).body.drafts).toMatchObject([
      { fields: { name: 'Moved mug' }, images: [{}] },
    ])

    const damaged = Buffer.from(zipSync({ 'listings.json': strToU8('{') }))
    await there.pick('Zip file', { name: 'listings.zip', mimeType: 'application/zip', buffer: damaged })
    await there.press('button', 'Send the zip')
    await there.sees('The listings of this archive cannot be read')
  })
})

test('a folder of photos is sent, and each finds its draft by its folder', async () => {
  const ana = await shop.signUp('ana')
  await ana.post('/api/drafts/', { fields: { name: 'Tall vase' } })
  const folder = await mkdtemp(join(tmpdir(), 'thrum-photos-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'tall-vase'))
  const { buffer } = await picture()
  for (const name of ['tall-vase/1.png', 'tall-vase/2.png', 'notes.txt'])
    await writeFile(join(folder, name), name.endsWith('png') ? buffer : 'Which photo is which')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go('/import/photos')
  await there.press('button', 'Send the folder')
  await there.sees('Please choose a folder with photos')
  await there.page.getByLabel('Folder', { exact: true }).setInputFiles(folder)
  await there.press('button', 'Send the folder')
  await there.sees(
    'It has arrived: 2 photos are being taken in. 1 file is not taken in: it belongs to no draft, or is a document.',
  )
  await eventually(async () => (await ana.get('/api/drafts/')).body.drafts).toMatchObject([
    { images: [{}, {}] },
  ])
})

test('the preview of a long file fits a phone and has pages', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana, width: 390 })
  await there.go('/import')
  const rows = Array.from({ length: 130 }, (_, n) => ({ TITLE: `${'Bowl of stoneware '.repeat(4)}${n}` }))
  await there.pick('Listings file', fileOf(...rows))
  await there.press('button', 'Show what would be added')
  await there.sees('130 new. Nothing is added yet.')
  await expectOpen(there.page)
  await there.press('link', 'Rows after 101')
  await eventually(() => there.page.locator('.import .rows > li').count()).toBe(30)
})
