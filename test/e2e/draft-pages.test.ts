import { afterAll, beforeAll, expect, test } from 'vitest'
import { bowl, fillListing, openListingForm } from '../support/browser/listing-form.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

inEachMode(mode => {
  test('an unfinished listing is saved as a draft, finished later and published', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go('/products/new')
    await fillListing(there, { name: 'Half a bowl', price: '12' })
    await there.press('button', 'Save as a draft')
    await there.heading('Finish your draft')
    await there.sees('Your draft is saved. Only you see it')
    const [{ id }] = await draftsOf(ana)
    expect((await ana.get('/api/products/current')).body.products).toEqual([])

    await there.go('/your-listings')
    await there.press('link', '1 draft')
    await there.arrives('/drafts')
    await there.sees('4 things are missing')
    await there.page.getByRole('checkbox', { name: 'Half a bowl' }).check()
    // Enter presses the same button.
    await there.page.getByRole('checkbox', { name: 'Half a bowl' }).press('Enter')
    await there.sees('0 drafts are published')
    expect((await draftsOf(ana)).length).toBe(1)
    await there.go('/drafts')
    await there.page.getByRole('checkbox', { name: 'Half a bowl' }).check()
    await there.press('button', 'Publish the ticked ones')
    await there.sees('0 drafts are published')

    await there.press('link', 'Half a bowl')
    await there.arrives(`/drafts/${id}`)
    expect(await there.valueOf('Price')).toBe('12')
    await fillListing(there, bowl)
    await there.pick('Photos and video', await picture())
    await there.press('button', 'Publish')
    await there.arrives('/your-listings')
    await there.one('img', 'Half a bowl').waitFor()
    expect(await draftsOf(ana)).toEqual([])
    // The address of the draft leads to the listing.
    await there.go(`/drafts/${id}`)
    await there.heading('Half a bowl')
  })

  test('a piece is duplicated as a draft, and a draft is deleted', async () => {
    const ana = await shop.signUp('ana')
    const { id } = await shop.list(ana, { name: 'Twin mug' })
    await ana.upload(`/api/products/${id}/images`, (await picture()).buffer)
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/your-listings')
    await there.press('button', 'Duplicate Twin mug')
    await there.heading('Finish your draft')
    await there.sees('This is a copy, as a draft, with its photos')
    expect(await there.valueOf('Name')).toBe('Twin mug')
    expect(await there.valueOf('Alt text of photo 1')).toBe('')
    await there.press('link', 'Back to your drafts')
    await there.pressThis(there.page.locator('.delete-draft > summary'))
    await there.press('button', 'Yes, delete it: Twin mug')
    await there.sees('The draft is deleted')
    expect(await draftsOf(ana)).toEqual([])
  })

  test('a photo of a draft is added, described and removed, and what was typed stays', async () => {
    const ana = await shop.signUp('ana')
    const { id } = (await ana.post('/api/drafts/', { fields: { name: 'Photo mug' } })).body
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go(`/drafts/${id}`)
    await there.fill('Stock', '3')
    await there.pick('Photos and video', await picture())
    await there.press('button', 'Save the draft')
    await there.sees('Your draft is saved. Only you see it')
    await there.fill('Alt text of photo 1', 'A mug on a shelf')
    await there.press('button', 'Save the draft')
    await eventually(async () => (await draftsOf(ana))[0].images).toMatchObject([{ alt: 'A mug on a shelf' }])
    // What the message of the save before said.
    await eventually(() => there.one('button', 'Save the draft').getAttribute('aria-disabled')).toBe(null)
    await there.sees('Your draft is saved. Only you see it')
    await there.tick('Remove photo 1 on saving')
    await there.press('button', 'Save the draft')
    await eventually(async () => (await draftsOf(ana))[0].images).toEqual([])
    expect((await draftsOf(ana))[0].fields).toMatchObject({ name: 'Photo mug', stock: '3' })
  })
})

test('the list of drafts has what is saved while it opens, and a draft that was changed since can be deleted', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'Before' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`, [/status of 409/])
  await there.page.route('**/api/drafts/*', async route => {
    if (route.request().method() === 'PUT') await there.one('link', 'Before').waitFor()
    await route.continue()
  })
  await there.fill('Name', 'Saved on leaving')
  await there.press('link', 'Back to your drafts')
  await there.one('link', 'Saved on leaving').waitFor()

  await ana.put(`/api/drafts/${id}`, { fields: { name: 'Of the other tab' } })
  await there.pressThis(there.page.locator('.delete-draft > summary'))
  await there.press('button', 'Yes, delete it: Saved on leaving')
  await there.page.getByRole('alert').getByText('This draft was changed meanwhile').waitFor()
  await there.press('button', 'Yes, delete it: Of the other tab')
  await there.sees('The draft is deleted')
  expect(await draftsOf(ana)).toEqual([])
})

test('the pages of drafts fit, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'Wide mug', story: 'Thrown.' } })).body
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of ['/drafts', `/drafts/${id}`]) {
    await there.go(path)
    await expectFits(there.page)
    await expectOpen(there.page)
  }
})

test('a form with defaults alone saves nothing, and Enter in a draft publishes it', async () => {
  const ana = await shop.signUp('ana')
  const there = await openListingForm(shop, ana)
  await there.fill('Name', 'x')
  await there.fill('Name', '')
  await there.press('button', 'Save as a draft')
  await there.sees('There is nothing to save yet: begin with a name')
  expect(await draftsOf(ana)).toEqual([])
  const fields = { name: 'Enter bowl', ...bowl, description: 'Turned.' }
  const { id } = (await ana.post('/api/drafts/', { fields })).body
  await ana.upload(`/api/drafts/${id}/images`, (await picture()).buffer)
  await there.go(`/drafts/${id}`)
  await there.field('Name').press('Enter')
  await there.arrives('/your-listings')
  expect((await ana.get('/api/products/current')).body.products).toMatchObject([{ images: [{}] }])
})
