import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSeen } from '../support/browser/in-window.ts'
import { eventually, picture, visit } from '../support/browser/steps.ts'
import { anAddress } from '../support/fixtures.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { sell } from '../support/sold.ts'
import { upload } from '../support/uploads.ts'

// What a form says and keeps when it is refused, or done, with and without scripts.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const modes = ['with scripts', 'without scripts'] as const
const expects = [/status of 4(00|01|09)/]

test.each(modes)('an address that was deleted in another tab loses nothing typed: %s', async mode => {
  const ana = await shop.signUp('ana')
  const { id } = (await ana.post('/api/addresses/', anAddress)).body
  const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 404/] })
  await there.go(`/settings/addresses/${id}`)
  await there.fill('Full name', 'Ana Lund')
  await ana.delete(`/api/addresses/${id}`)
  await there.press('button', 'Save')
  await there.page.getByRole('alert').getByText('There is no such address').waitFor()
  expect(await there.valueOf('Full name')).toBe('Ana Lund')
})

test.each(modes)('a listing or draft that is gone loses nothing typed: %s', async mode => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const draft = (await ana.post('/api/drafts/', { fields: { name: 'Jug' } })).body.id
  const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 404/] })
  await there.go(`/products/${id}/edit`)
  await there.fill('Description', 'Thrown on a kick wheel.')
  await ana.post(`/api/products/${id}/retire`)
  await there.press('button', 'Update listing')
  await there.page.getByRole('alert').first().waitFor()
  expect(await there.valueOf('Description')).toBe('Thrown on a kick wheel.')
  await there.go(`/drafts/${draft}`)
  await ana.delete(`/api/drafts/${draft}`)
  await there.fill('Description', 'Glazed twice.')
  await there.press('button', 'Save the draft')
  await there.page.getByRole('alert').first().waitFor()
  expect(await there.valueOf('Description')).toBe('Glazed twice.')
})

test.each(modes)('an order that was cancelled meanwhile says so, where its form is gone: %s', async mode => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const there = await visit(shop, mode, { signedInAs: maker, expects })
  await there.go(`/sold/${id}`)
  expect((await shopper.delete(`/api/orders/${id}/delete-order`)).status).toBe(200)
  await there.press('button', 'Mark as sent')
  await eventually(() => there.one('button', 'Mark as sent').count()).toBe(0)
  await isSeen(there, '.problems')
})

test.each(modes)('a decision that was objected to in another tab says so: %s', async mode => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { name: 'Indigo bowl' })
  const otto = await openOperator(shop)
  await otto.post(`/api/operate/listings/${id}/hide`, { reason: 'A copy', rule: '' })
  const [notice] = (await ana.get('/api/notices/')).body.notices
  const there = await visit(shop, mode, { signedInAs: ana, expects })
  await there.go('/settings/notices')
  await there.pressThis(there.page.locator('summary', { hasText: 'Object' }))
  await there.fill('Why it is wrong', 'It is mine.')
  await ana.post(`/api/notices/${notice.id}/objection`, { words: 'Already.' })
  await there.page.getByRole('button', { name: /^Send the objection/ }).click()
  await there.sees('You have objected to this already')
})

test('without scripts a quantity that is not added stays chosen', async () => {
  const questions = [{ title: 'Name', instructions: '', required: true, max_length: 20 }]
  const { id } = await shop.list(await shop.signUp('ana'), { questions, stock: 9 })
  const there = await visit(shop, 'without scripts', { signedInAs: await shop.signUp('ben'), expects })
  await there.go(`/products/${id}`)
  await there.choose('Quantity', '3')
  await there.press('button', 'Add to cart')
  await there.describes('Name', 'Please answer “Name”')
  expect(await there.valueOf('Quantity')).toBe('3')
})

test('without scripts a draft that cannot be published says why at its fields', async () => {
  const ana = await shop.signUp('ana')
  const draft = { fields: { name: 'Half a bowl' } }
  const { id } = (await ana.post('/api/drafts/', draft, { 'idempotency-key': 'half-a-bowl-1' })).body
  const there = await visit(shop, 'without scripts', { signedInAs: ana, expects })
  await there.go(`/drafts/${id}`)
  await there.press('button', 'Publish')
  await eventually(() => there.field('Category').getAttribute('aria-invalid')).toBe('true')
  await eventually(() => there.field('Price').getAttribute('aria-invalid')).toBe('true')
  await there.go('/drafts')
  await there.page.getByRole('checkbox', { name: 'Half a bowl' }).check()
  await there.press('button', 'Publish the ticked ones')
  await there.sees('0 drafts are published')
  expect(await there.page.getByRole('checkbox', { name: 'Half a bowl' }).isChecked()).toBe(true)
})

test('without scripts a picture that is stored is not asked for again, and a tick to remove one stays', async () => {
  const ana = await shop.signUp('ana')
  const maker = await visit(shop, 'without scripts', { signedInAs: ana, expects })
  await maker.go('/settings/shop')
  await maker.pick('Picture', await picture())
  await maker.fill('Shop name', 'Thrum')
  await maker.press('button', 'Save')
  await eventually(() => maker.field('Shop name').getAttribute('aria-invalid')).toBe('true')
  expect((await ana.get(`/api/shops/${ana.user.username}`)).body.picture).toBeTruthy()
  await maker.missing('Please choose your picture again')

  const otto = await openOperator(shop, 'oskar')
  expect((await upload(otto, '/api/operate/brand/logo?reason=New', {})).status).toBeLessThan(300)
  const there = await visit(shop, 'without scripts', { signedInAs: otto, expects })
  await there.go('/operate/brand')
  await there.tick('Remove the logo')
  await there.fill('Name', '')
  await there.press('button', 'Save')
  await there.describes('Name', 'Name is required')
  expect(await there.field('Remove the logo').isChecked()).toBe(true)
})

test.each(modes)('a stock that could be two numbers is asked for again: %s', async mode => {
  const mila = await shop.signUp('mila')
  const beads = await shop.list(mila, { name: 'Beads', stock: 3 })
  const there = await visit(shop, mode, { signedInAs: mila, expects })
  await there.go('/your-listings')
  await there.fill('Stock of Beads', '1,000')
  await there.press('button', 'Save prices and stock')
  await there.describes('Stock of Beads', 'Stock must be a whole number, without separators')
  expect(await shop.stockOf(beads.id)).toBe(3)
  await there.fill('Stock of Beads', '1000')
  await there.press('button', 'Save prices and stock')
  await there.sees('Your prices and stock are saved')
  expect(await shop.stockOf(beads.id)).toBe(1000)
})

test.each(modes)('a wrong code stands in its form: %s', async mode => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await sell(shop, { maker, shopper })
  const there = await visit(shop, mode, { signedInAs: maker, expects })
  await there.go(`/sold/${id}`)
  const [{ pickup_code }] = await shop.rows(`select pickup_code from orders where id = ${id}`)
  const wrong = pickup_code === '0000' ? '1111' : '0000'
  await there.fill('Code of the shopper', wrong)
  await there.press('button', 'Hand over')
  const form = there.page.locator('form', { has: there.field('Code of the shopper') })
  await form.getByRole('alert').waitFor()
  expect(await there.valueOf('Code of the shopper')).toBe(wrong)
})
