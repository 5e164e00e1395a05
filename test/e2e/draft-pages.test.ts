import { afterAll, beforeAll, expect, test } from 'vitest'
import { bowl, describeBowl, fillListing, openListingForm } from '../support/browser/listing-form.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, gate, inEachMode, picture, type Visit, visit } from '../support/browser/steps.ts'
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
    await there.press('button', 'Yes, delete the draft Twin mug')
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

test('an unfinished form saves itself, and survives a closed tab', async () => {
  const ana = await shop.signUp('ana')
  const there = await openListingForm(shop, ana)
  await describeBowl(there, 'Typed bowl')
  await eventually(async () => (await draftsOf(ana))[0]?.fields.stock).toBe('2')
  await there.page.getByText(/^Saved as a draft at /).waitFor()
  await there.page.close()
  const later = await visit(shop, 'with scripts', { signedInAs: ana })
  await later.go('/drafts')
  await later.press('link', 'Typed bowl')
  await later.heading('Finish your draft')
  expect(await later.valueOf('Price')).toBe('12.5')
  // The same draft again, not a second one.
  await later.fill('Name', 'Typed bowl, blue')
  await eventually(async () =>
    (await draftsOf(ana)).map(({ fields }: { fields: object }) => fields),
  ).toMatchObject([{ name: 'Typed bowl, blue' }])
  expect((await ana.get('/api/products/current')).body.products).toEqual([])
})

test('a form that was saved meanwhile and is then added leaves no draft behind', async () => {
  const ana = await shop.signUp('ana')
  const there = await openListingForm(shop, ana)
  await describeBowl(there, 'Added bowl')
  await there.page.getByText(/^Saved as a draft at /).waitFor()
  await there.pick('Photos and video', await picture())
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  expect(await draftsOf(ana)).toEqual([])
})

test.for([
  { button: 'Save as a draft', call: '**/api/drafts/*', next: /^\/drafts\/\d+$/ },
  { button: 'Add a listing', call: '**/api/products/', next: /^\/your-listings/ },
])(
  'while $button sends a new form, it takes no text, which would be lost',
  async ({ button, call, next }) => {
    const ana = await shop.signUp('ana')
    const there = await openListingForm(shop, ana)
    await describeBowl(there, 'Sent bowl')
    await there.page.getByText(/^Saved as a draft at /).waitFor()
    await there.pick('Photos and video', await picture())
    const { open, opened } = gate()
    await there.page.route(call, async route => {
      if (route.request().method() !== 'GET') await opened
      await route.continue()
    })
    await there.press('button', button)
    const name = there.page.locator('[name=name]')
    await eventually(() => name.evaluate(field => field.closest('[inert]') !== null)).toBe(true)
    await name.evaluate(field => (field as HTMLInputElement).focus())
    await there.page.keyboard.type(' and more')
    expect(await name.inputValue()).toBe('Sent bowl')
    open()
    await eventually(() => there.path).toMatch(next)
  },
)

test('what another tab has saved since is not replaced: the form says so, and keeps what was typed', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`, [/status of 409/])
  await ana.put(`/api/drafts/${id}`, { fields: { name: 'Of the other tab' } })
  await there.fill('Name', 'Of this tab')
  await there.page.getByText('Not saved as a draft: This draft was changed meanwhile').waitFor()
  await there.press('button', 'Save the draft')
  await there.page
    .getByRole('alert')
    .getByText(/What you typed is still here/)
    .waitFor()
  expect(await there.valueOf('Name')).toBe('Of this tab')
  expect((await draftsOf(ana))[0].fields.name).toBe('Of the other tab')
  await there.press('button', 'Save the draft')
  await there.sees('Your draft is saved. Only you see it')
  expect((await draftsOf(ana))[0].fields.name).toBe('Of this tab')
  // Refused once more, the page does not say any longer that it is saved.
  await ana.put(`/api/drafts/${id}`, { fields: { name: 'Of the other tab again' } })
  await there.press('button', 'Save the draft')
  await there.page
    .getByRole('alert')
    .getByText(/What you typed is still here/)
    .waitFor()
  await there.missing('Your draft is saved. Only you see it')
})

test('what is typed while the form saves itself, or after a refusal, is in the draft after leaving', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`, [/status of (400|409)/])
  let isHeld = true
  await there.page.route(`**/api/drafts/${id}`, async route => {
    if (route.request().method() === 'PUT') await eventually(async () => isHeld).toBe(false)
    await route.continue()
  })
  const saving = there.page.waitForRequest(request => request.method() === 'PUT')
  await there.fill('Name', 'Saved at first')
  await saving
  await there.fill('Name', 'Typed meanwhile')
  await there.press('link', 'Back to your drafts')
  await there.heading('Your drafts')
  isHeld = false
  await there.one('link', 'Typed meanwhile').waitFor()

  await there.press('link', 'Typed meanwhile')
  await there.heading('Finish your draft')
  await there.fill('Name', 'Typed before the refusal')
  await there.press('button', 'Publish')
  await there.describes('Price', 'Price is required')
  await there.press('link', 'Back to your drafts')
  await there.one('link', 'Typed before the refusal').waitFor()
})

test('a link to a place of the page leaves what was typed in the form', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const there = await openListingForm(shop, ana, `/products/${id}/edit`)
  await there.fill('Name', 'Not saved yet')
  await there.page.evaluate(() => document.querySelector<HTMLElement>('a[href="#main"]')?.click())
  await eventually(() => there.page.evaluate(() => location.hash)).toBe('#main')
  await there.fill('Stock', '3')
  expect(await there.valueOf('Name')).toBe('Not saved yet')
})

test('each save of a draft is announced, also the second', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`)
  for (const name of ['B', 'C']) {
    await there.fill('Name', name)
    await there.press('button', 'Save the draft')
    await eventually(() => there.page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Your draft is saved. Only you see it',
    )
    expect((await draftsOf(ana))[0].fields.name).toBe(name)
  }
})

/** Holds uploads of photos to a draft. @returns a function that lets them go on */
async function holdPhotos(there: Visit, id: number): Promise<() => void> {
  const { open, opened } = gate()
  await there.page.route(`**/api/drafts/${id}/images`, async route => {
    await opened
    await route.continue()
  })
  return open
}

test('what is typed while the draft is being saved stays, and is saved after it', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`)
  const open = await holdPhotos(there, id)
  await there.pick('Photos and video', await picture())
  const storing = there.page.waitForRequest(`**/api/drafts/${id}/images`)
  await there.press('button', 'Save the draft')
  await storing
  await there.fill('Price', '12.50')
  open()
  await there.sees('Your draft is saved. Only you see it')
  expect(await there.valueOf('Price')).toBe('12.50')
  expect(await there.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('price')
  await eventually(async () => (await draftsOf(ana))[0]).toMatchObject({
    fields: { name: 'A', price: '12.50' },
    images: [{ alt: '' }],
  })
  expect(await there.valueOf('Alt text of photo 1')).toBe('')
  expect(
    await there.page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.value),
  ).toBe('')
  // Nothing is unsaved: a closed tab does not ask.
  const asks = () =>
    there.page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await eventually(asks).toBe(false)
  // A link to a place of the page does not go back to the version of its beginning.
  await there.page.evaluate(() => document.querySelector<HTMLElement>('a[href="#main"]')?.click())
  await eventually(() => there.page.evaluate(() => location.hash)).toBe('#main')
  await there.fill('Name', 'B')
  await there.press('button', 'Save the draft')
  await eventually(async () => (await draftsOf(ana))[0].fields.name).toBe('B')
  await there.sees('Your draft is saved. Only you see it')
})

test('a photo that is chosen while another one is saved stays chosen', async () => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } })).body
  const there = await openListingForm(shop, ana, `/drafts/${id}`)
  const open = await holdPhotos(there, id)
  await there.pick('Photos and video', await picture('one.png'))
  const storing = there.page.waitForRequest(`**/api/drafts/${id}/images`)
  await there.press('button', 'Save the draft')
  await storing
  await there.pick('Photos and video', await picture('two.png'))
  open()
  await there.sees('Your draft is saved. Only you see it')
  await there.sees('two.png')
  await there.press('button', 'Save the draft')
  await eventually(async () => (await draftsOf(ana))[0].images.length).toBe(2)
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
  await there.press('button', 'Yes, delete the draft Saved on leaving')
  await there.page.getByRole('alert').getByText('This draft was changed meanwhile').waitFor()
  await there.press('button', 'Yes, delete the draft Of the other tab')
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

test('a form that is sent while it saves itself is based on what it saves, and adds one listing', async () => {
  const ana = await shop.signUp('ana')
  const there = await openListingForm(shop, ana)
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  await there.page.route('**/api/drafts/', async route => {
    reached.resolve()
    await held.promise
    await route.continue()
  })
  await describeBowl(there, 'Busy bowl')
  await there.pick('Photos and video', await picture())
  await reached.promise
  await there.fill('Stock', '7')
  await there.press('button', 'Add a listing')
  held.resolve()
  await there.arrives('/your-listings')
  expect(await draftsOf(ana)).toEqual([])
  expect((await ana.get('/api/products/current')).body.products).toMatchObject([
    { name: 'Busy bowl', stock: 7 },
  ])
})

test('saves in turn are based on each other, also when an answer was lost', async () => {
  const ana = await shop.signUp('ana')
  const there = await openListingForm(shop, ana, '/products/new', [/Network failure/, /ERR_FAILED/, /409/])
  await there.fill('Name', 'One')
  await there.page.getByText(/^Saved as a draft at /).waitFor()
  let lost = 0
  await there.page.route('**/api/drafts/*', async route => {
    if (route.request().method() !== 'PUT' || lost++ > 0) return route.continue()
    // The server has saved it, but nobody hears of it.
    await route.fetch()
    await route.abort()
  })
  await there.fill('Name', 'Two')
  await there.page.getByText(/^Not saved as a draft: The connection was lost/).waitFor()
  await there.fill('Name', 'Three')
  await there.page.getByText(/^Saved as a draft at /).waitFor()
  expect(await draftsOf(ana)).toMatchObject([{ fields: { name: 'Three' }, version: 3 }])
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
