import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlencoded } from '../../../test/support/form-posts.ts'
import type { Person } from '../../../test/support/person.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

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
  ['/settings/holiday', { from: '2099-04-01', until: '2099-04-09', note: 'By the sea' }, '/api/holiday/'],
  ['/settings/shop', { name: '', place: 'Lisbon', words: 'I weave' }, '/api/shops/:own'],
  ['/settings/policies', { returns: 'Within a month', care: 'By hand' }, '/api/shops/:own/page'],
  ['/settings/addresses', ADDRESS, '/api/addresses/'],
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
