import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBowl, openListingForm } from '../support/browser/listing-form.ts'
import { eventually, picture, signIn, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

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

test('what one account types is not saved as a draft of another one that logs in meanwhile', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const there = await openListingForm(shop, ana, '/products/new', [/status of 403/])
  await signIn(there, ben)
  await describeBowl(there, 'Bowl of Ana')
  const refusal = /You are logged in with another account now, so nothing was saved/
  await there.page.getByText(refusal).waitFor()
  // Nor when the page is hidden, as when somebody goes to another tab.
  await there.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
  })
  await there.press('button', 'Save as a draft')
  await there.page.getByRole('alert').getByText(refusal).waitFor()
  expect(await draftsOf(ben)).toEqual([])
  expect(await there.valueOf('Name')).toBe('Bowl of Ana')
  await signIn(there, ana)
  await there.press('button', 'Save as a draft')
  await there.heading('Finish your draft')
  expect(await draftsOf(ana)).toMatchObject([{ fields: { name: 'Bowl of Ana' } }])
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
