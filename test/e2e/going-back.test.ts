import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Visit, visit } from '../support/browser/steps.ts'
import { anAddress } from '../support/fixtures.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'

// What a form shows after Back, and when its page is restored from the back-forward cache.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const offline = [/ERR_INTERNET_DISCONNECTED/, /Network failure/]
const restore = (there: Visit) =>
  there.page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
/** Two steps at once, as with two quick presses of Back. */
const goBackTwice = (there: Visit) => there.page.evaluate(() => history.go(-2))

test('rows of a postage profile stay when the page is restored, and need no connection', async () => {
  const signedInAs = await shop.signUp('maker')
  const there = await visit(shop, 'with scripts', { signedInAs, expects: offline })
  await there.go('/settings/postage?profile=new')
  await there.press('button', 'Remove price 1')
  await there.press('button', '+ Add a pick-up place')
  await there.fill('Place', 'Market hall')
  const loaded = there.page.waitForResponse('**/api/postage/')
  await restore(there)
  await loaded
  await there.page.waitForLoadState('networkidle')
  const place = (at: number) =>
    there.page.getByRole('group', { name: `Pick-up place ${at}` }).getByLabel('Place', { exact: true })
  expect(await place(1).inputValue()).toBe('Market hall')
  expect(await there.page.getByRole('group', { name: 'Price 1' }).count()).toBe(0)
  await there.page.context().setOffline(true)
  await there.press('button', '+ Add a pick-up place')
  await place(2).waitFor()
  expect(await place(1).inputValue()).toBe('Market hall')
})

test('a page that is restored without a connection stays, with what is typed', async () => {
  const signedInAs = await shop.signUp('maker')
  const there = await visit(shop, 'with scripts', { signedInAs, expects: offline })
  await there.go('/settings/shop')
  await there.fill('About you', 'Half a story')
  await there.page.context().setOffline(true)
  const failed = there.page.waitForEvent('requestfailed')
  await restore(there)
  await failed
  await there.page.context().setOffline(false)
  // Answered after all that the failure did.
  await there.page.evaluate(() => fetch('/healthz'))
  expect(await there.valueOf('About you')).toBe('Half a story')
})

test('the form of an address does not have what was typed for another one', async () => {
  const ana = await shop.signUp('ana')
  const [first] = [
    (await ana.post('/api/addresses/', { ...anAddress, name: 'At home' })).body,
    (await ana.post('/api/addresses/', { ...anAddress, name: 'At work' })).body,
  ]
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go('/settings/addresses')
  await there.page.getByRole('link', { name: /^Change the address At home/ }).click()
  await there.arrives(`/settings/addresses/${first.id}`)
  await there.press('link', 'Back to your addresses')
  await there.page.getByRole('link', { name: /^Change the address At work/ }).click()
  await there.heading('Change an address')
  await there.fill('Full name', 'At the mill')
  await goBackTwice(there)
  await there.arrives(`/settings/addresses/${first.id}`)
  await eventually(() => there.valueOf('Full name')).toBe('At home')
})

test('the form of a reply does not have what was typed for another review', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker)
  const names: string[] = []
  for (const review of ['Round', 'Heavy']) {
    const author = await shop.signUp(review.toLowerCase())
    names.push(author.name)
    await author.post(`/api/reviews/${id}/create-review`, { review, stars: 4 })
  }
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.go(`/products/${id}`)
  await there.press('button', `Reply to ${names[0]}`)
  await there.dialog(`Reply to ${names[0]}`)
  const one = there.page.url()
  await there.press('link', 'Back to the product')
  await there.press('button', `Reply to ${names[1]}`)
  await there.dialog(`Reply to ${names[1]}`)
  await there.fill('Your reply, for everybody to read', 'Stoneware is.')
  await goBackTwice(there)
  await eventually(() => there.page.url()).toBe(one)
  await there.dialog(`Reply to ${names[0]}`)
  expect(await there.valueOf('Your reply, for everybody to read')).toBe('')
})

test('a report does not have what was typed about another piece', async () => {
  const maker = await shop.signUp('maker')
  const [one, other] = [await shop.list(maker, { name: 'Jug' }), await shop.list(maker, { name: 'Vase' })]
  const there = await visit(shop, 'with scripts', { signedInAs: await shop.signUp('reader') })
  await there.go(`/report?listing=${one.id}`)
  await there.sees('You report the piece Jug to those who run the shop.')
  await there.press('link', 'Thrum, home')
  await there.pressThis(there.page.locator('.card-piece', { hasText: 'Vase' }))
  await there.heading('Vase')
  await there.pressThis(there.page.getByRole('link', { name: /^Report/ }).first())
  await there.arrives(`/report?listing=${other.id}`)
  await there.fill('Please say more', 'Not handmade')
  await there.page.evaluate(() => history.go(-3))
  await there.sees('You report the piece Jug to those who run the shop.')
  expect(await there.valueOf('Please say more')).toBe('')
})

test('the editor of a page does not have the reason that was typed for another one', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: await openOperator(shop) })
  const pressPage = (name: string) =>
    there.pressThis(there.page.locator('main').getByRole('link', { name, exact: true }))
  await there.go('/operate/pages')
  await pressPage('About us')
  await there.fill('Reason', 'The meeting')
  await there.press('link', 'Pages')
  await pressPage('Terms')
  await there.fill('Reason', 'The law')
  await there.field('New members agree to this page').check()
  await goBackTwice(there)
  await there.arrives('/operate/pages/about')
  await eventually(() => there.valueOf('Reason')).not.toBe('The law')
  expect(await there.field('New members agree to this page').isChecked()).toBe(false)
})
