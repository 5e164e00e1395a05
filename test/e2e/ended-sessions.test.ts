import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, visit } from '../support/browser/steps.ts'
import { anAddress } from '../support/fixtures.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'

// What a form says and keeps when it is refused, or done, with and without scripts.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const modes = ['with scripts', 'without scripts'] as const
const expects = [/status of 4(00|01|09)/]

test.each(modes)(
  'an address that is changed after the session has ended stays that address: %s',
  async mode => {
    const ana = await shop.signUp('ana')
    const { id } = (await ana.post('/api/addresses/', anAddress)).body
    const there = await visit(shop, mode, { signedInAs: ana, expects })
    await there.go(`/settings/addresses/${id}`)
    await there.fill('Full name', 'Ana Lund')
    await there.page.context().clearCookies()
    await there.press('button', 'Save')
    await there.page.getByRole('alert').getByText('Please log in').waitFor()
    await there.heading('Change an address')
    expect(await there.valueOf('Full name')).toBe('Ana Lund')
    await signIn(there, ana)
    await there.press('button', 'Save')
    await there.arrives('/settings/addresses')
    await there.sees('Address saved')
    expect((await ana.get('/api/addresses/')).body.addresses).toMatchObject([{ id, name: 'Ana Lund' }])
  },
)

test.each(modes)('what one maker has typed does not become the shop page of another one: %s', async mode => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 403/] })
  for (const [path, field] of [
    ['/settings/shop', 'About you'],
    ['/settings/policies', 'Returns'],
  ] as const) {
    await there.go(path)
    await there.page.getByLabel(field).first().fill('We throw mugs in Graz')
    await signIn(there, ben)
    await there.press('button', 'Save')
    await there.page
      .getByRole('alert')
      .getByText(/You are logged in with another account now/)
      .waitFor()
    expect(await there.page.getByLabel(field).first().inputValue()).toBe('We throw mugs in Graz')
    await signIn(there, ana)
  }
  const { words } = (await ben.get(`/api/shops/${ben.user.username}`)).body
  const { returns } = (await ben.get(`/api/shops/${ben.user.username}/page`)).body
  expect([words, returns]).toEqual(['', ''])
})

test('after a login over a refused form, the form says what to do next', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects })
  await there.go('/settings/sections')
  await there.fill('New section', 'Mugs')
  await there.page.context().clearCookies()
  await there.press('button', 'Add the section')
  await there.page.getByRole('alert').getByText('Please log in').waitFor()
  await there.press('link', 'Log In')
  await there.fill('Email', ana.user.email)
  await there.fill('Password', ana.password)
  await there.pressThis(there.page.getByRole('dialog').getByRole('button', { name: 'Log In' }))
  await there.sees('You are logged in again: send the form once more.')
  await there.press('button', 'Add the section')
  await there.page.getByLabel('Rename or remove Mugs').waitFor()
})

test('without scripts a form that is wrong, of a session that has ended, asks for the login', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { name: 'Ash bowl' })
  const otto = await openOperator(shop, 'otis')
  const operator = await visit(shop, 'without scripts', {
    signedInAs: otto,
    expects: [/status of 40[03]/],
  })
  await operator.go('/operate/listings?q=ash')
  await operator.pressThis(operator.page.locator('summary', { hasText: 'Hide' }))
  await operator.page.locator('details[open]').getByLabel(/^Rule/).fill('Your own work')
  await shop.rows('update operator_sessions set expires_at = now()')
  await operator.press('button', 'Hide: Ash bowl')
  await operator.one('link', 'Confirm that it is you').waitFor()
  expect(await operator.page.locator('details[open]').getByLabel(/^Rule/).inputValue()).toBe('Your own work')

  await otto.post('/api/operate/session', { current_password: otto.password })
  await otto.post(`/api/operate/listings/${id}/hide`, { reason: 'A copy', rule: '' })
  const there = await visit(shop, 'without scripts', { signedInAs: ana, expects })
  await there.go('/settings/notices')
  await there.pressThis(there.page.locator('summary', { hasText: 'Object' }))
  await there.page.context().clearCookies()
  await there.page.getByRole('button', { name: /^Send the objection/ }).click()
  await there.page.locator('main').getByRole('link', { name: 'Log In', exact: true }).waitFor()
  await there.describes('Why it is wrong', 'Please say why you object')
})

test.each(modes)(
  'prices that are typed after the session has ended are saved after the login: %s',
  async mode => {
    const mila = await shop.signUp('mila')
    const mug = await shop.list(mila, { name: 'Mug', price: 20, stock: 3 })
    await shop.list(mila, { name: 'Bowl', price: 30 })
    const there = await visit(shop, mode, { signedInAs: mila, expects })
    await there.go('/your-listings')
    await there.fill('Price of Mug', '22,50')
    await there.fill('Stock of Mug', '1,5')
    await there.page.context().clearCookies()
    await there.press('button', 'Save prices and stock')
    await there.describes('Stock of Mug', 'Stock must be a whole number')
    expect(await there.valueOf('Price of Mug')).toBe('22,50')
    await there.fill('Stock of Mug', '5')
    await there.press('button', 'Save prices and stock')
    await there.page.getByRole('alert').getByText('Please log in').waitFor()
    await there.heading('Your Listings')
    expect(await there.valueOf('Price of Mug')).toBe('22,50')
    expect(await there.valueOf('Stock of Mug')).toBe('5')
    await signIn(there, mila)
    await there.press('button', 'Save prices and stock')
    await there.sees('Your prices and stock are saved')
    expect((await mila.get(`/api/products/${mug.id}`)).body).toMatchObject({ price: 22.5, stock: 5 })
  },
)

/** Goes to a path as a link does: the document is not loaded again. */
const navigate = ({ page }: Awaited<ReturnType<typeof visit>>, path: string) =>
  page.evaluate(path => {
    globalThis.history.pushState(null, '', path)
    globalThis.dispatchEvent(new PopStateEvent('popstate'))
  }, path)

test('a form says the account whose data it shows, also after a login in another tab', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker)
  for (const person of [ana, ben]) {
    await shop.list(person)
    await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    await person.post('/api/orders/checkout')
    await person.post(`/api/reviews/${id}/create-review`, { review: 'As shown.', stars: 4 })
  }
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go('/cart')
  await signIn(there, ben)
  const account = there.page.locator('input[name="account"]').first()
  const order = (await ben.get('/api/orders/')).body[0].id
  const { conversation } = (await ben.post(`/api/messages/to/${maker.user.username}`, { text: 'Hello' })).body
  for (const path of [
    '/settings/account',
    '/settings/payment',
    '/settings/seller',
    '/settings/holiday',
    '/settings/shop',
    '/settings/policies',
    '/settings/addresses',
    '/settings/postage?profile=new',
    '/settings/sections',
    '/settings/letters',
    '/products/new',
    `/products/${id}/create-review`,
    `/products/${id}/edit-review`,
    `/products/${id}/delete-review`,
    `/messages/${conversation}`,
    `/messages/to/${ana.user.username}`,
    `/orders/${order}`,
  ]) {
    await navigate(there, '/cart')
    await account.waitFor({ state: 'detached' })
    await navigate(there, path)
    expect([path, await account.inputValue()]).toEqual([path, `${ben.user.id}`])
  }
})
