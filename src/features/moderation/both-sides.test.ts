import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aReport } from '../../../test/support/fixtures.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
/** An operator who sells and buys. */
let olga: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  olga = await openOperator(shop, 'olga')
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const OWN = 'This is about you or what is yours: another operator decides it'
const statement = { reason: 'An insult', rule: 'Be kind' }
const back = { reason: 'It was a mistake' }

/** A review of a new listing, with the seller's reply. @returns its id */
async function review(seller: Person, author: Person): Promise<number> {
  const { id } = await shop.list(seller)
  const words = { review: 'Cracked.', stars: 1 }
  const { body } = await author.post(`/api/reviews/${id}/create-review`, words)
  expect((await seller.put(`/api/reviews/${body.id}/reply`, { reply: 'You dropped it.' })).status).toBe(200)
  return body.id
}

test('operators do not hide or show what others say of their pieces, or answer to their reviews', async () => {
  for (const [seller, author, path] of [
    [olga, ben, ''],
    [ana, olga, '/reply'],
  ] as const) {
    const address = `/api/operate/reviews/${await review(seller, author)}${path}`
    expectRefusal(await olga.post(`${address}/hide`, statement), 409, OWN)
    expect((await otto.post(`${address}/hide`, statement)).status).toBe(200)
    expectRefusal(await olga.post(`${address}/show`, back), 409, OWN)
    expect((await otto.post(`${address}/show`, back)).status).toBe(200)
  }
})

test('operators do not answer reports and objections about their own listings and reviews', async () => {
  const id = await review(olga, ben)
  const report = (await ana.post(`/api/reviews/${id}/reports`, aReport)).body.id
  expectRefusal(await olga.post(`/api/operate/reports/${report}/dismiss`, { reason: 'No' }), 409, OWN)
  await otto.post(`/api/operate/reviews/${id}/hide`, statement)
  const [{ decision }] = await shop.rows(
    `select max(id) as decision from operator_log where review_id = ${id}`,
  )
  expect((await ben.post(`/api/notices/${decision}/objection`, { words: 'It is true.' })).status).toBe(201)
  const refused = { upheld: false, reason: 'It stands' }
  expectRefusal(await olga.post(`/api/operate/objections/${decision}/answer`, refused), 409, OWN)
  // It was otto who decided, but there is nobody else.
  expect((await otto.post(`/api/operate/objections/${decision}/answer`, refused)).status).toBe(200)
})

test('a report about a review that is deleted says so, and offers nothing about the piece', async () => {
  const id = await review(ana, ben)
  const { body } = await olga.post(`/api/reviews/${id}/reports`, aReport)
  const queue = async () => (await otto.get('/operate/reports', { accept: 'text/html' })).body
  expect(await queue()).not.toContain('The review is deleted.')
  expect((await ben.delete(`/api/reviews/${id}/delete-review`)).status).toBe(200)
  const page = await queue()
  expect(page).toContain('The review is deleted.')
  expect(page).toContain('value="dismiss"')
  expect(page).not.toContain('value="hide-listing"')
  expect((await otto.post(`/api/operate/reports/${body.id}/dismiss`, { reason: 'It is gone' })).status).toBe(
    200,
  )
})

test('a report about a listing that its maker has deleted for good says so, and the maker can be suspended', async () => {
  const mila = await shop.signUp('mila')
  const { id } = await shop.list(mila)
  await ben.post(`/api/products/${id}/reports`, aReport)
  const queue = async () => (await otto.get('/operate/reports', { accept: 'text/html' })).body
  expect(await queue()).toContain('value="hide-listing"')
  // A retired listing is shown as before.
  await mila.post(`/api/products/${id}/retire`)
  expect(await queue()).not.toContain('The listing is deleted.')
  expect((await mila.delete(`/api/products/${id}`)).status).toBe(200)
  const page = await queue()
  expect(page).toContain('The listing is deleted.')
  expect(page).toContain(`href="/shops/${mila.user.username}"`)
  expect(page).not.toContain('value="hide-listing"')
  const { action, fields } = await openForm(otto, '/operate/reports', 'value="suspend"')
  const filled = { action, fields: { ...fields, intent: 'suspend', reason: 'A copy' } }
  expect((await send(otto, filled)).headers.location).toBe('/operate/reports?done=suspend')
  expect((await ben.get(`/api/shops/${mila.user.username}`)).status).toBe(404)
  expect(await queue()).not.toContain('The listing is deleted.')
})
