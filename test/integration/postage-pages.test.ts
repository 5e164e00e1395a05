import { afterAll, beforeAll, expect, test } from 'vitest'
import { letterPost } from '../support/fixtures.ts'
import { formWith, openForm, send } from '../support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ana: Person
/** A listing that is sent to Portugal and Japan at different prices. */
let mug: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  const rates = [
    { ...letterPost.rates[0], destination: 'PT', first: 4.5 },
    { ...letterPost.rates[0], destination: 'JP', first: 12 },
  ]
  const profile = (await ana.post('/api/postage/', { ...letterPost, rates })).body.id
  mug = (await shop.list(ana, { postage_profile_id: profile })).id
})
afterAll(() => shop.close())

const from = (country: string | null) => {
  const visitor = shop.visitor()
  visitor.choices = country === null ? {} : { country }
  return visitor
}
/** What the page says of postage, as a browser without scripts shows it. */
async function shownTo(person: Person): Promise<string> {
  const { body, status } = await person.get(`/products/${mug}`, { accept: 'text/html' })
  expect(status).toBe(200)
  const [, section = ''] = /Delivery<\/h2>.*?<p role="status"[^>]*>(.*?)<\/p>/.exec(body) ?? []
  return section
}
const cheapest = 'Postage from $4.50 · choose your country'
const expected: [country: string | null, text: RegExp][] = [
  ['PT', /^Postage to Portugal: \$4\.50, /],
  [null, new RegExp(`^${cheapest.replace('$4.', '\\$4\\.')}$`)],
  ['JP', /^Postage to Japan: \$12\.00, /],
  ['SE', /^Not sent to Sweden$/],
  // No country: as without the cookie.
  ['XX', new RegExp(`^${cheapest.replace('$4.', '\\$4\\.')}$`)],
]

test('visitors of different countries never get each other’s page', async () => {
  const ben = await shop.signUp('ben')
  // At first each page is rendered; afterwards it is cached.
  for (let round = 0; round < 4; round++) {
    const pages = await Promise.all(expected.map(([country]) => shownTo(from(country))))
    for (const [index, [, text]] of expected.entries()) expect(pages[index]).toMatch(text)
    for (const [country, text] of expected) {
      ben.choices = country === null ? {} : { country }
      expect(await shownTo(ben)).toMatch(text)
    }
  }
})

test('the country is chosen by a form without scripts, and the page shows it from then on', async () => {
  const visitor = shop.visitor()
  const form = await openForm(visitor, `/products/${mug}`, 'Show postage')
  expect(form.fields).toEqual({ country: '' })
  const { status, headers } = await send(visitor, { ...form, fields: { country: 'JP' } })
  expect([status, headers.location]).toEqual([303, `/products/${mug}`])
  expect(await shownTo(visitor)).toMatch(/^Postage to Japan: /)
  expect((await openForm(visitor, `/products/${mug}`, 'Show postage')).fields).toEqual({ country: 'JP' })
  const refused = await send(visitor, { ...form, fields: { country: 'ZZ' } })
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('Country must be one of the list')
  await send(visitor, { ...form, fields: { country: '' } })
  expect(await shownTo(visitor)).toBe(cheapest)
})

test('a change of postage is on every page at once', async () => {
  const visitor = from('PT')
  await shownTo(visitor)
  const { profiles } = (await ana.get('/api/postage/')).body
  const [{ id, is_default: _, listings: __, ...profile }] = profiles
  const rates = profile.rates.map((rate: object) => ({ ...rate, first: 5 }))
  await ana.put(`/api/postage/${id}`, { ...profile, rates })
  expect(await shownTo(visitor)).toMatch(/^Postage to Portugal: \$5\.00, /)
  expect(await shownTo(shop.visitor())).toBe('Postage from $5.00 · choose your country')
  await ana.put(`/api/postage/${id}`, profile)
})

test('the pages of a seller on holiday say until when, and offer no cart', async () => {
  const until = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const pages = [`/products/${mug}`, `/shops/${ana.user.username}`]
  const opened = () =>
    Promise.all(pages.map(async path => (await shop.visitor().get(path, { accept: 'text/html' })).body))
  const [before] = await opened()
  expect(before).toContain('Add to cart')
  await ana.put('/api/holiday/', { from: '2026-01-01', until, note: 'Gone to the sea.' })
  for (const page of await opened()) {
    expect(page).toContain(`<time dateTime="${until}">`)
    expect(page).toContain(', and takes orders again after that day.')
    expect(page).toContain('Gone to the sea.')
    expect(page).not.toContain('Add to cart')
  }
  await ana.delete('/api/holiday/')
  expect(await opened()).toEqual([
    expect.stringContaining('Add to cart'),
    expect.not.stringContaining('is away until'),
  ])
})

test('the listing form offers the seller’s profiles, and keeps, saves and checks how a piece is sent', async () => {
  const ben = await shop.signUp('ben')
  const parcel = (await ben.post('/api/postage/', { ...letterPost, name: 'Parcel' })).body.id
  const { id } = await shop.list(ben)
  const saved = async () => (await ben.get(`/api/products/${id}/postage`)).body
  const form = await openForm(ben, `/products/${id}/edit`, 'Update listing')
  expect(form.fields).toMatchObject({ postage_profile_id: '', made_to_order: 'no', handling_days: '3' })
  const chosen = { postage_profile_id: String(parcel), made_to_order: 'yes', handling_days: '14' }
  const sent = { ...form, fields: { ...form.fields, ...chosen } }
  const refused = await send(ben, { ...sent, fields: { ...sent.fields, handling_days: '' } })
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('Days until it is ready must be a whole number from 1 to 180')
  expect(formWith('Update listing', refused.body, '').fields).toMatchObject({ ...chosen, handling_days: '' })
  expect(await saved()).toMatchObject({ postage_profile_id: null })
  expect((await send(ben, sent)).status).toBe(303)
  expect(await saved()).toMatchObject({ postage_profile_id: parcel, made_to_order: true, handling_days: 14 })
  expect((await openForm(ben, `/products/${id}/edit`, 'Update listing')).fields).toMatchObject(chosen)
  // Based on what was shown before: the seller is told what another tab has changed.
  const late = await send(ben, { ...sent, fields: { ...sent.fields, handling_days: '5' } })
  expect(late.status).toBe(409)
  expect(late.body).toContain('Days until it is ready was changed')
})
