import type { Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { describeBowl, openListingForm, thumbnailOf } from '../support/browser/listing-form.ts'
import { brokenPicture, eventually, gate, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let seller: Person
beforeAll(async () => {
  shop = await openShop()
  seller = await shop.signUp('seller')
})
afterAll(() => shop.close())

const photos = 'Photos and video'
const again = 'Try the upload again'
const listingsOf = async () => (await seller.get('/api/products/current')).body.products

/** Holds requests back until the promise resolves. */
const delayed = (until: Promise<void>) => async (route: Route) => {
  await until
  await route.continue()
}

describe('the photo', () => {
  test('can be removed, by keyboard too', async () => {
    const there = await visit(shop, 'by keyboard', { signedInAs: seller, expects: [/status of 400/] })
    await there.go('/products/new')
    expect(await there.one('button', 'Remove photo').count()).toBe(0)
    await there.pick(photos, await picture('wrong.png'))
    await there.sees('wrong.png')
    await there.sees('Choose another')
    await there.press('button', 'Remove photo')
    await there.sees('Drag and drop an image')
    await there.missing('wrong.png')
    expect(await thumbnailOf(there).count()).toBe(0)
    expect(await there.field(photos).evaluate(input => input === document.activeElement)).toBe(true)
    await there.press('button', 'Add a listing')
    await there.describes(photos, 'Photo or video is required')
  })

  test('is validated when chosen, after the first attempt', async () => {
    const there = await openListingForm(shop, seller)
    const large = { ...(await picture('large.png')), buffer: Buffer.alloc(10 * 1024 * 1024 + 1) }
    await there.pick(photos, large)
    await there.sees('large.png')
    expect(await there.text('Files can be at most 10 MB').count()).toBe(0)
    await there.press('button', 'Add a listing')
    await there.describes(photos, 'Files can be at most 10 MB')
    await there.pick(photos, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
    await there.describes(photos, 'File does not have an approved extension: pdf, jpg, jpeg, png, gif')
    await there.pick(photos, await picture())
    await there.missing('File does not have an approved extension: pdf, jpg, jpeg, png, gif')
    await there.press('button', 'Remove photo')
    await there.describes(photos, 'Photo or video is required')
  })

  test('is shrunk before upload if it is too large', async () => {
    const there = await openListingForm(shop, seller)
    await describeBowl(there, 'Large bowl')
    const large = sharp({ create: { width: 3000, height: 1500, channels: 3, background: 'teal' } })
    const buffer = await large.png({ compressionLevel: 0 }).toBuffer()
    expect(buffer.length).toBeGreaterThan(12e6)
    await there.pick(photos, { name: 'large.png', mimeType: 'image/png', buffer })
    await there.sees('large.jpg')
    await thumbnailOf(there).waitFor()
    await there.missing('Making the photo smaller...')
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    const [bowl] = await listingsOf()
    expect(bowl.images).toMatchObject([{ width: 1400, height: 700 }])
  })

  test('shows the progress of its upload', async () => {
    const there = await openListingForm(shop, seller)
    await describeBowl(there, 'Slow bowl')
    await there.pick(photos, await picture())
    const sent = gate()
    await there.page.route('**/images', delayed(sent.opened))
    await there.press('button', 'Add a listing')
    await there.page.getByRole('progressbar', { name: 'Upload' }).waitFor()
    await there.page.getByText(/^\d+%$/).waitFor()
    await there.sees('Loading...')
    sent.open()
    await there.arrives('/your-listings')
  })
})

inEachMode(mode => {
  test('a failed upload is retried beside the photo, and nothing is added twice', async () => {
    const own = await shop.signUp(`again${mode.replaceAll(' ', '')}`)
    const there = await visit(shop, mode, { signedInAs: own, expects: [/status of 4\d\d/] })
    await there.go('/products/new')
    await describeBowl(there, 'Patient bowl')
    expect(await there.one('button', again).count()).toBe(0)
    await there.pick(photos, brokenPicture)
    await there.press('button', 'Add a listing')
    const reason = 'File does not have an approved extension: pdf, jpg, jpeg, png, gif'
    await there.describes(photos, reason)
    const retry = there.one('button', again)
    if (there.scripted) {
      await eventually(() => retry.evaluate(button => button === document.activeElement)).toBe(true)
      // The error of the first attempt is still shown: the second is over when its response has come and the form is
      // free.
      const refused = there.page.waitForResponse(response => response.url().endsWith('/images'))
      await there.pressThis(retry)
      await refused
      await eventually(() => retry.getAttribute('aria-disabled')).toBe(null)
      await there.describes(photos, reason)
    }
    // An invalid field meanwhile does not lose the saved listing.
    await there.fill('Price', '0')
    await there.pick(photos, await picture())
    if (there.scripted) await there.missing(reason)
    await there.pressThis(retry)
    await there.describes('Price', 'Price must be a positive number')
    await there.fill('Price', '13')
    if (!there.scripted) await there.pick(photos, await picture())
    await there.pressThis(retry)
    await there.arrives('/your-listings')
    const { products } = (await own.get('/api/products/current')).body
    expect(products).toHaveLength(1)
    expect(products[0]).toMatchObject({ price: 13, description: 'Turned from\nwalnut.' })
    expect(products[0].images).toHaveLength(1)
  })
})

test('a lost connection is reported beside the photo, which is sent again', async () => {
  const there = await openListingForm(shop, seller, '/products/new', [/Network failure/, /net::ERR/])
  const before = (await listingsOf()).length
  await describeBowl(there, 'Lost bowl')
  await there.pick(photos, await picture('lost.png'))
  await there.page.route('**/images', route => route.abort('connectionfailed'), { times: 1 })
  await there.press('button', 'Add a listing')
  await there.describes(photos, 'The connection was lost. Nothing you typed is gone: please try again')
  await there.sees('lost.png')
  await thumbnailOf(there).waitFor()
  await there.press('button', again)
  await there.arrives('/your-listings')
  const products = await listingsOf()
  expect(products).toHaveLength(before + 1)
  expect(products[0].images).toHaveLength(1)
})

test.each(['light', 'dark'] as const)('a failed upload can be read by everybody, %s', async theme => {
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects: [/status of 4\d\d/], theme })
  await there.go('/products/new')
  await describeBowl(there, 'Readable bowl')
  await there.pick(photos, await picture())
  await thumbnailOf(there).waitFor()
  await there.pick(photos, brokenPicture)
  await there.press('button', 'Add a listing')
  await there.one('button', again).waitFor()
  expect(await barriers(there.page)).toEqual([])
})

test('the edit form retries its photo too, and lists errors on top', async () => {
  const bowl = await shop.list(seller, { name: 'Edited bowl' })
  const there = await openListingForm(shop, seller, `/products/${bowl.id}/edit`, [/status of 4\d\d/])
  await there.fill('Name', 'Better bowl')
  await there.pick(photos, brokenPicture)
  await there.press('button', 'Update listing')
  await there.page.getByRole('alert').getByText('Your changes were saved, but its photo was not').waitFor()
  await there.pick(photos, await picture())
  await there.press('button', again)
  await there.arrives('/your-listings')
  const { body } = await seller.get(`/api/products/${bowl.id}`)
  expect([body.name, body.images.length]).toEqual(['Better bowl', 1])
})
