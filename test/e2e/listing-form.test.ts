import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled } from '../support/browser/browser.ts'
import {
  bowl,
  describeBowl,
  listingIn,
  openListingForm,
  thumbnailOf,
} from '../support/browser/listing-form.ts'
import { eventually, inEachMode, picture, signIn, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let seller: Person
beforeAll(async () => {
  shop = await openShop()
  seller = await shop.signUp('seller')
})
afterAll(() => shop.close())

const photos = 'Photos and video'

inEachMode(mode => {
  test('a session that ends keeps all typed values', async () => {
    const own = await shop.signUp(`ended${mode.replaceAll(' ', '')}`)
    const there = await visit(shop, mode, { signedInAs: own, expects: [/status of 401/] })
    await there.go('/products/new')
    await describeBowl(there, 'Kept bowl')
    await there.pick(photos, await picture())
    await there.page.context().clearCookies()
    await there.press('button', 'Add a listing')
    await there.page.getByRole('alert').waitFor()
    expect(await there.valueOf('Name')).toBe('Kept bowl')
    await signIn(there, own)
    if (!there.scripted) await there.pick(photos, await picture())
    await there.press('button', 'Add a listing')
    await there.arrives('/your-listings')
    await there.one('img', 'Kept bowl').waitFor()
  })
})

test('a decimal comma is accepted, typed and pasted, or the price is refused', async () => {
  const bowl = await shop.list(seller, { name: 'Comma bowl' })
  const there = await openListingForm(shop, seller, `/products/${bowl.id}/edit`)
  const { page } = there
  const price = there.field('Price')
  const type = async (text: string, inOne = false) => {
    await price.fill('')
    await price.focus()
    await (inOne ? page.keyboard.insertText(text) : page.keyboard.type(text))
    return price.inputValue()
  }
  expect(await price.getAttribute('type')).toBe('number')
  expect(await type('12.50')).toBe('12.50')
  expect(await type('1.250,75', true)).toBe('1250.75')
  expect(await type('1,250.75', true)).toBe('1250.75')
  expect(await type('1,250')).toBe('1.250')
  await page.keyboard.press('Enter')
  await eventually(() => price.getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('alert').getByText('Price cannot have more than two decimals').waitFor()
  expect(await type('12,50')).toBe('12.50')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/your-listings')
  expect((await seller.get(`/api/products/${bowl.id}`)).body.price).toBe(12.5)
})

test('Back restores an unsaved form, but not a saved one', async () => {
  const own = await shop.signUp('mistaken')
  const there = await visit(shop, 'with scripts', { signedInAs: own })
  await there.go('/')
  await there.openMenu()
  await there.press('link', 'Your Listings')
  await there.press('link', '+ Add a listing')
  await there.heading('Tell us about your item and why we will love it')
  await describeBowl(there, 'Found bowl')
  await there.pick(photos, await picture('found.png'))
  await there.press('link', 'Back to Your Listings')
  await there.arrives('/your-listings')
  // Another form opens empty.
  await there.press('link', '+ Add a listing')
  await there.arrives('/products/new')
  expect(await there.valueOf('Name')).toBe('')
  // Two steps at once, as with two quick presses: from one form directly to the other.
  await there.page.evaluate(() => history.go(-2))
  await there.sees('found.png')
  expect(await listingIn(there)).toMatchObject({ ...bowl, name: 'Found bowl' })
  await thumbnailOf(there).waitFor()
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  await there.one('img', 'Found bowl').waitFor()
  await there.page.goBack()
  await there.heading('Tell us about your item and why we will love it')
  expect(await there.valueOf('Name')).toBe('')
})

test('closing a tab asks only about unsaved values', async () => {
  const there = await openListingForm(shop, seller)
  const dialogs: string[] = []
  there.page.on('dialog', dialog => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  // Browsers ask only after an interaction.
  await there.field('Name').click()
  await there.page.reload()
  await settled(there.page)
  expect(dialogs).toEqual([])
  await there.field('Name').click()
  await there.page.keyboard.type('Closed bowl')
  await there.page.reload()
  expect(dialogs).toEqual(['beforeunload'])
})
