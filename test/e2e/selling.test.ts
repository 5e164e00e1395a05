import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing, listingIn } from '../support/browser/listing-form.ts'
import {
  brokenPicture,
  eventually,
  gate,
  inEachMode,
  picture,
  type Visit,
  visit,
} from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const title = 'Tell us about your item and why we will love it'
const described = { category: 'Home & Living', description: 'Holds 300 ml.', price: '24.50', stock: '7' }

async function describeMug(there: Visit, name: string): Promise<void> {
  await fillListing(there, { ...described, name })
}

/** Names in the order of the page. */
const namesOf = (there: Visit) =>
  there.page.locator('main').getByRole('heading', { level: 2 }).allTextContents()

inEachMode(mode => {
  test('a listing is added, changed and deleted', async () => {
    const seller = await shop.signUp('seller')
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go('/your-listings')
    await there.heading('Your Listings')
    await there.sees('No listings found.')
    await there.press('link', '+ Add a listing')
    await there.arrives('/products/new')
    await there.heading(title)
    await there.one('link', 'Back to Your Listings').waitFor()
    await there.sees('Drag and drop an image')
    await describeMug(there, 'First mug')
    await there.pick('Photos and video', await picture('first.png'))
    if (there.scripted) {
      await there.sees('first.png')
      await there.missing('Drag and drop an image')
    }
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    await there.sees('Saved. Your new piece is on top')
    const photo = there.one('img', 'First mug')
    await eventually(() => photo.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(
      0,
    )
    for (const text of ['$24.50', '7 in stock', 'Home & Living', 'Holds 300 ml.']) await there.sees(text)

    await shop.list(seller, { name: 'Second mug' })
    await there.go('/your-listings')
    await there.sees('No image available')
    expect(await namesOf(there)).toEqual(['Second mug', 'First mug'])

    await there.press('link', 'Edit First mug')
    await there.heading('Update your product details')
    const address = there.page.getByRole('link', { name: '/images/' })
    expect(await address.getAttribute('href')).toMatch(/\.webp$/)
    const { price, ...now } = await listingIn(there)
    expect({ ...now, price: Number(price) }).toMatchObject({ ...described, name: 'First mug', price: 24.5 })
    await there.fill('Name', 'Better mug')
    await there.choose('Category', 'Art & Collectibles')
    await there.fill('Price', '30')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    await there.sees('Your changes are saved')
    await eventually(() => there.page.evaluate(() => scrollY)).toBe(0)
    await there.sees('$30.00')
    expect(await namesOf(there)).toEqual(['Second mug', 'Better mug'])

    await there.press('button', 'Delete Better mug')
    await there.dialog('Confirm Delete')
    await there.sees('Are you sure you want to remove Better mug from the listing?')
    await there.sees('Orders that were placed for it stay, and are still to be sent.')
    const [yes, no] = await Promise.all(
      ['Yes (Delete Product)', 'No (Keep Product)'].map(name => there.one('button', name).boundingBox()),
    )
    expect(yes?.y).toBe(no?.y)
    await there.press('button', 'No (Keep Product)')
    await there.arrives('/your-listings')
    await there.missing('Confirm Delete')
    await there.press('button', 'Delete Better mug')
    await there.press('button', 'Yes (Delete Product)')
    await there.missing('Confirm Delete')
    await there.arrives('/your-listings')
    await eventually(() => namesOf(there)).toEqual(['Second mug'])
  })

  test('a failed photo keeps the listing, and the form asks for the photo alone', async () => {
    const seller = await shop.signUp('seller')
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 4\d\d/] })
    await there.go('/products/new')
    await describeMug(there, 'Lucky mug')
    await there.pick('Photos and video', brokenPicture)
    await there.press('button', 'Add a listing')
    await there.page.getByRole('alert').getByText('Your listing was added').waitFor()
    const added = (await seller.get('/api/products/current')).body.products
    expect(added).toHaveLength(1)
    expect(await listingIn(there)).toMatchObject({ ...described, name: 'Lucky mug' })
    await there.pick('Photos and video', await picture())
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    await there.one('img', 'Lucky mug').waitFor()
    const { products } = (await seller.get('/api/products/current')).body
    expect(products.map(({ id }: { id: number }) => id)).toEqual([added[0].id])
    expect(products[0].images).toHaveLength(1)
  })
})

test('a dropped photo uploads with progress, and its address is shown', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller })
  await there.go('/products/new')
  await describeMug(there, 'Dropped mug')
  await there.field('Photos and video').waitFor()
  const { name, mimeType, buffer } = await picture('dropped.png')
  const carried = await there.page.evaluateHandle(
    ([name, type, bytes]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }))
      return transfer
    },
    [name, mimeType, [...buffer]] as const,
  )
  await there.text('Drag and drop an image').dispatchEvent('drop', { dataTransfer: carried })
  await there.sees('dropped.png')

  const sent = gate()
  const listed = gate()
  const delayed = (opened: Promise<void>) => async (route: Route) => {
    await opened
    await route.continue()
  }
  await there.page.route('**/images', delayed(sent.opened))
  await there.page.route('**/api/products/shelf*', delayed(listed.opened))
  await there.press('button', 'Add a listing')
  await there.page.getByRole('status').getByText('Loading...').waitFor()
  sent.open()
  await there.page
    .getByRole('status')
    .getByText(/^\/images\/.+\.webp$/)
    .waitFor()
  await there.missing('Loading...')
  listed.open()
  await there.arrives('/your-listings')
  await there.one('img', 'Dropped mug').waitFor()
})
