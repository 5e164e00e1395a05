import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { describeBowl, openListingForm } from '../support/browser/listing-form.ts'
import {
  brokenPicture,
  eventually,
  inEachMode,
  picture,
  type Visit,
  visit,
} from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let seller: Person
beforeAll(async () => {
  shop = await openShop()
  seller = await shop.signUp('seller')
})
afterAll(() => shop.close())

const photos = 'Photos and video'
interface Image {
  id: number
  alt: string
}

/** A listing with so many photos, and the ids of these. */
async function withPhotos(count: number): Promise<{ id: number; ids: number[] }> {
  const { id } = await shop.list(seller, { name: 'Bowl in photos' })
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const photo = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } }).png()
    ids.push((await seller.upload(`/api/products/${id}/images`, await photo.toBuffer())).body.id)
  }
  return { id, ids }
}
const imagesOf = async (id: number): Promise<Image[]> => (await seller.get(`/api/products/${id}`)).body.images
const idsOf = async (id: number) => (await imagesOf(id)).map(image => image.id)
const altsOf = async (id: number) => (await imagesOf(id)).map(({ alt }) => alt)

/** Gives a photo another place: by buttons, or without scripts by its number. */
async function moveToFront(there: Visit, from: number): Promise<void> {
  if (!there.scripted) return there.fill(`Place of photo ${from}`, '1')
  for (let at = from; at > 1; at--) await there.press('button', `Move photo ${at} forward`)
}

inEachMode(mode => {
  test('photos are reordered, described and removed, and nothing changes before the form is saved', async () => {
    const { id, ids } = await withPhotos(3)
    const [a, , c] = ids
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go(`/products/${id}/edit`)
    await there.fill('Alt text of photo 3', 'The foot of the bowl')
    await moveToFront(there, 3)
    // Without scripts the photos keep their numbers until the form is saved.
    const removed = there.scripted ? 'Remove photo 3 on saving' : 'Remove photo 2 on saving'
    const undone = 'Remove photo 1 on saving'
    await there.tick(removed)
    await there.tick(undone)
    await there.tick(undone)
    // A refused form keeps all of it.
    await there.fill('Price', '0')
    await there.press('button', 'Update listing')
    await there.describes('Price', 'Price must be a positive number')
    expect(await idsOf(id)).toEqual(ids)
    expect(await there.valueOf('Alt text of photo 1')).toBe('The foot of the bowl')
    expect(await there.field('Remove photo 3 on saving').isChecked()).toBe(true)
    await there.fill('Price', '13')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await imagesOf(id)).toMatchObject([
      { id: c, alt: 'The foot of the bowl' },
      { id: a, alt: '' },
    ])
  })

  test('several photos are chosen at once and stored in their order', async () => {
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/products/new')
    await describeBowl(there, `Bowl ${mode}`)
    const files = [await picture('one.png'), await picture('two.png'), await picture('three.png')]
    await there.field(photos).setInputFiles(files)
    if (there.scripted) {
      await there.sees('3 photos chosen')
      await there.fill('Alt text of photo 2', 'From the side')
      await moveToFront(there, 2)
    }
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    const [bowl] = (await seller.get('/api/products/current')).body.products
    expect(bowl.images).toHaveLength(3)
    if (!there.scripted) return
    expect(bowl.images.map(({ alt }: Image) => alt)).toEqual(['From the side', '', ''])
    expect(bowl.images[0].id).toBeGreaterThan(bowl.images[1].id)
  })

  test('a listing keeps one photo, and an alt text has a limit', async () => {
    const { id, ids } = await withPhotos(1)
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go(`/products/${id}/edit`)
    const text = 'x'.repeat(501)
    await there.fill('Alt text of photo 1', text)
    await there.tick('Remove photo 1 on saving')
    await there.press('button', 'Update listing')
    await there.describes('Alt text of photo 1', 'Alt text cannot be more than 500 characters')
    await there.describes(photos, 'Photo or video is required')
    expect(await there.valueOf('Alt text of photo 1')).toBe(text)
    expect(await idsOf(id)).toEqual(ids)
  })
})

describe('with scripts', () => {
  test('a photo is dragged to the front, and the new order is announced', async () => {
    const { id, ids } = await withPhotos(3)
    const [a, b, c] = ids
    const there = await openListingForm(shop, seller, `/products/${id}/edit`)
    const rows = there.page.locator('.photo-list > li')
    await there.one('button', 'Move photo 3 forward').waitFor()
    await rows.nth(2).locator('.handle').hover()
    await there.page.mouse.down()
    // The first move begins the drag, the second one is over the row.
    for (let moves = 0; moves < 2; moves++) await rows.nth(0).locator('.handle').hover()
    await there.page.mouse.up()
    await there.sees('Photo 3 is now photo 1 of 3. It is the cover')
    await there.press('button', 'Move photo 2 back')
    await there.sees('Photo 2 is now photo 3 of 3')
    expect(await rows.nth(0).getByText('Cover').count()).toBe(1)
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await idsOf(id)).toEqual([c, b, a])
  })

  test('the button that moves a photo keeps the focus', async () => {
    const { id } = await withPhotos(3)
    const there = await visit(shop, 'by keyboard', { signedInAs: seller })
    await there.go(`/products/${id}/edit`)
    await there.press('button', 'Move photo 3 forward')
    await there.page.keyboard.press('Enter')
    await there.sees('Photo 2 is now photo 1 of 3. It is the cover')
    const focused = there.one('button', 'Move photo 1 forward')
    expect(await focused.evaluate(button => button === document.activeElement)).toBe(true)
    expect(await focused.getAttribute('aria-disabled')).toBe('true')
  })

  test('one of several photos fails: it is named, the others are stored once, and a retry adds the rest', async () => {
    const own = await shop.signUp('several')
    const there = await openListingForm(shop, own, '/products/new', [/status of 4\d\d/])
    await describeBowl(there, 'Patient bowl')
    await there
      .field(photos)
      .setInputFiles([await picture('one.png'), brokenPicture, await picture('two.png')])
    await there.press('button', 'Add a listing')
    const reason = 'broken.png: File does not have an approved extension: pdf, jpg, jpeg, png, gif'
    await there.describes(photos, reason)
    await there.sees(
      'Your listing was added, but 1 of its 3 new photos was not. Everything else is kept: choose them once more, or try the upload again.',
    )
    await there.sees('broken.png')
    await there.field(photos).setInputFiles(await picture('three.png'))
    await there.fill('Alt text of photo 3', 'From below')
    await there.press('button', 'Try the upload again')
    await there.arrives('/your-listings')
    const { products } = (await own.get('/api/products/current')).body
    expect(products).toHaveLength(1)
    expect(products[0].images.map(({ alt }: Image) => alt)).toEqual(['', '', 'From below'])
  })

  test('a chosen photo is taken out, and the texts of the others stay', async () => {
    const { id } = await withPhotos(1)
    const there = await openListingForm(shop, seller, `/products/${id}/edit`)
    await there.field(photos).setInputFiles([await picture('one.png'), await picture('two.png')])
    await there.fill('Alt text of photo 3', 'The second one')
    await there.press('button', 'Take out photo 2')
    await there.sees('two.png')
    await eventually(() => there.valueOf('Alt text of photo 2')).toBe('The second one')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await altsOf(id)).toEqual(['', 'The second one'])
  })

  test('a photo that another tab has added is not lost', async () => {
    const { id, ids } = await withPhotos(2)
    const [a, b] = ids
    const there = await openListingForm(shop, seller, `/products/${id}/edit`)
    const added = (await seller.upload(`/api/products/${id}/images`, (await picture()).buffer)).body.id
    await moveToFront(there, 2)
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await idsOf(id)).toEqual([b, a, added])
  })

  test.each(['light', 'dark'] as const)(
    'the photos of the form can be used by everybody, %s',
    async theme => {
      const { id } = await withPhotos(2)
      const there = await visit(shop, 'with scripts', { signedInAs: seller, theme })
      await there.go(`/products/${id}/edit`)
      await there.field(photos).setInputFiles([await picture('one.png'), await picture('two.png')])
      await there.sees('2 photos chosen')
      const images = there.page.locator('.photo-list img')
      const drawn = () =>
        images.evaluateAll(all => all.filter(image => (image as HTMLImageElement).naturalWidth > 0).length)
      await eventually(drawn).toBe(4)
      expect(await barriers(there.page)).toEqual([])
    },
  )
})
