import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlencoded } from '../../../test/support/form-posts.ts'
import type { Person } from '../../../test/support/person.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { MAX_SECTIONS } from '../sections/contract.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ADDRESS = {
  name: 'Ana Loom',
  line1: 'Mill Lane 4',
  city: 'Porto',
  postal_code: '4000-001',
  country: 'PT',
}
const DETAILS = { is_trader: 'no', name: 'Ana Loom', address: 'Mill Lane 4' }

test.each([
  ['/settings/payment', { words: 'Transfer to my account' }, '/api/sales/payment-words'],
  ['/settings/seller', DETAILS, '/api/selling/details'],
  [
    '/settings/account',
    { first_name: 'Anabel', last_name: 'Loomer', username: 'anabel-loomer' },
    '/api/auth/',
  ],
  ['/settings/holiday', { from: '2099-04-01', until: '2099-04-09', note: 'By the sea' }, '/api/holiday/'],
  ['/settings/shop', { name: '', place: 'Lisbon', words: 'I weave' }, '/api/shops/:own'],
  ['/settings/policies', { returns: 'Within a month', care: 'By hand' }, '/api/shops/:own/page'],
  ['/settings/addresses', ADDRESS, '/api/addresses/'],
  [
    '/settings/postage?profile=new',
    { intent: 'save', name: 'By hand', place: '0', 'place.0': 'Market hall' },
    '/api/postage/',
  ],
  ['/products/new', { intent: 'save', name: 'A mug of another maker' }, '/api/drafts/'],
])('what one account has typed into %s is not saved for another one', async (page, typed, saved) => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const read = async (by: Person) => (await by.get(saved.replace(':own', by.user.username))).body
  const before = await read(ben)
  const html = String((await ana.get(page, { accept: 'text/html' })).body)
  const [, account = ''] = /name="account" value="([^"]+)"/.exec(html) ?? []
  const refused = await urlencoded(ben, page, { account, ...typed })
  expect(refused.status).toBe(403)
  expect(refused.body).toContain('another account')
  // The form keeps what was typed, and whose it is.
  expect(refused.body).toContain(`name="account" value="${account}"`)
  expect(refused.body).toContain(Object.values(typed).at(-1))
  expect(await read(ben)).toEqual(before)
  // A form that was refused after the session had ended says no account.
  for (const own of [account, ''])
    expect((await urlencoded(ana, page, { account: own, ...typed })).status).toBe(303)
  expect(await read(ana)).not.toEqual(before)
})

/** The account that the form of a page says, as somebody has opened it. */
const opened = async (by: Person, page: string) =>
  /name="account" value="([^"]+)"/.exec(String((await by.get(page, { accept: 'text/html' })).body))?.[1] ?? ''

test('what one account does with its own review is not done with that of another one', async () => {
  const [maker, ana, ben] = [await shop.signUp('maker'), await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(maker)
  const page = `/products/${id}`
  const reviews = async () => (await ana.get(`/api/reviews/${id}/reviews`)).body
  const typed = { review: 'Written by Ana alone', stars: '5' }
  const refuses = async (path: string, fields: Record<string, string>) => {
    const account = await opened(ana, page + path)
    const before = await reviews()
    const refused = await urlencoded(ben, page + path, { account, ...fields })
    expect([refused.status, refused.body.includes('another account')]).toEqual([403, true])
    expect(refused.body).toContain(`name="account" value="${account}"`)
    expect(await reviews()).toEqual(before)
    expect((await urlencoded(ana, page + path, { account, ...fields })).status).toBeLessThan(400)
    expect(await reviews()).not.toEqual(before)
  }
  await refuses('/create-review', typed)
  const own = { review: 'Written by Ben alone', stars: 1 }
  expect((await ben.post(`/api/reviews/${id}/create-review`, own)).status).toBe(201)
  await refuses('/edit-review', { ...typed, stars: '4' })
  await refuses('/delete-review', {})
})

test('messages, sections and the choice of letters of one account are not those of another one', async () => {
  const [maker, ana, ben] = [await shop.signUp('maker'), await shop.signUp('ana'), await shop.signUp('ben')]
  await shop.list(maker)
  const path = `/messages/to/${maker.user.username}`
  const account = await opened(ana, path)
  const message = { account, intent: 'message', text: 'Written by Ana alone' }
  const refused = await urlencoded(ben, path, message)
  expect([refused.status, refused.body.includes(`name="account" value="${account}"`)]).toEqual([403, true])
  expect((await maker.get('/api/messages/')).body.conversations).toEqual([])
  expect((await urlencoded(ana, path, message)).status).toBeLessThan(400)
  const [letters, sections] = ['/settings/letters', '/settings/sections']
  const section = { account: await opened(ana, sections), intent: 'add', name: 'Bowls by Ana' }
  expect((await urlencoded(ben, sections, section)).status).toBe(403)
  expect((await ben.get('/api/sections/')).body.sections).toEqual([])
  expect((await urlencoded(ana, sections, section)).status).toBe(303)
  const before = (await ben.get('/api/letters/')).body
  const choice = { account: await opened(ana, letters), kind: 'review' }
  expect((await urlencoded(ben, letters, choice)).status).toBe(403)
  expect((await ben.get('/api/letters/')).body).toEqual(before)
  expect((await urlencoded(ana, letters, choice)).status).toBe(303)
})

test('what is typed stays where the page is another one for the second account', async () => {
  const [maker, ana, ben] = [await shop.signUp('maker'), await shop.signUp('ana'), await shop.signUp('ben')]
  const { id } = await shop.list(maker)
  await ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await ana.post('/api/orders/checkout')
  const order = (await ana.get('/api/orders/')).body[0].id
  const { conversation } = (await ana.post(`/api/messages/to/${maker.user.username}`, { text: 'Hello' })).body
  for (const name of Array.from({ length: MAX_SECTIONS }, (_, n) => `Section ${n}`))
    expect((await ben.post('/api/sections/', { name })).status).toBe(201)
  const text = 'Written by Ana alone'
  for (const [opener, by, page, fields] of [
    [ana, ben, `/orders/${order}`, { intent: 'message', text }],
    [ana, ben, `/messages/${conversation}`, { intent: 'message', text }],
    [ben, maker, `/messages/to/${maker.user.username}`, { intent: 'message', text }],
    [ana, ben, '/settings/sections', { intent: 'add', name: text }],
  ] as const) {
    const refused = await urlencoded(by, page, { account: await opened(opener, page), ...fields })
    expect([page, refused.status, refused.body.includes(text)]).toEqual([page, 403, true])
    expect(refused.body).toContain('another account')
  }
})
