import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBowl, openListingForm } from '../support/browser/listing-form.ts'
import { eventually, gate, picture, type Visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

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
