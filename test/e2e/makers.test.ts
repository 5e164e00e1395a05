import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  brokenPicture,
  eventually,
  inEachMode,
  picture,
  type Visit,
  visit,
} from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const pageOf = ({ user }: Person) => `/shops/${encodeURIComponent(user.username)}`
const portraitOn = (there: Visit) => there.page.locator('.portrait img')

inEachMode(mode => {
  test('sellers edit their profile and picture, and remove the picture', async () => {
    const maker = await shop.signUp('maker')
    await shop.list(maker, { name: 'Speckled mug' })
    const there = await visit(shop, mode, { signedInAs: maker })
    await there.go('/')
    await there.openMenu()
    await there.press('link', 'Settings')
    await there.arrives('/settings/shop')
    await there.heading('Your shop page')
    await there.fill('About you', 'I throw mugs.\nMost stay round.')
    await there.fill('Where you are', 'By the river')
    await there.pick('Picture', await picture('me.png'))
    await there.press('button', 'Save')
    await there.one('status', '').getByText('Saved', { exact: true }).waitFor()
    await portraitOn(there).waitFor()
    expect(await there.page.getByLabel('Picture').inputValue()).toBe('')
    await there.press('link', 'your page')
    await there.arrives(pageOf(maker))
    await there.heading(maker.user.username)
    await there.page.getByText('I throw mugs. Most stay round.').waitFor()
    for (const text of ['By the river', 'Member since'])
      await there.page.locator('.maker-about').getByText(text).waitFor()
    await there.page.locator('.card-name').getByText('Speckled mug').waitFor()
    await portraitOn(there).waitFor()

    await there.press('link', 'Edit what people see here')
    expect(await there.valueOf('About you')).toBe('I throw mugs.\nMost stay round.')
    await there.fill('Where you are', 'On the hill')
    await there.press('button', 'Remove picture')
    await there.one('status', '').getByText('Picture removed', { exact: true }).waitFor()
    await eventually(() => portraitOn(there).count()).toBe(0)
    if (there.scripted)
      await eventually(() => there.page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe(
        'file',
      )
    expect(await there.valueOf('Where you are')).toBe('On the hill')
    await there.press('button', 'Save')
    await there.one('status', '').getByText('Saved', { exact: true }).waitFor()
    const { body } = await maker.get(`/api${pageOf(maker)}`)
    expect(body).toMatchObject({ place: 'On the hill', picture: null })
  })

  test('invalid values are reported under their fields, and nothing typed is lost', async () => {
    const maker = await shop.signUp('maker')
    const { body: before } = await maker.get(`/api${pageOf(maker)}`)
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 400/] })
    await there.go('/settings/shop')
    await there.fill('About you', 'x'.repeat(501))
    await there.fill('Where you are', 'y'.repeat(81))
    await there.press('button', 'Save')
    await there.describes('About you', 'About you cannot be more than 500 characters')
    await there.describes('Where you are', 'Where you are cannot be more than 80 characters')
    expect(await there.valueOf('About you')).toBe('x'.repeat(501))
    await there.fill('About you', 'Fits')
    await there.fill('Where you are', 'Here')
    await there.pick('Picture', brokenPicture)
    await there.press('button', 'Save')
    await there.describes(
      'Picture',
      'File does not have an approved extension: jpg, jpeg, png, gif, webp, avif',
    )
    expect(await there.valueOf('About you')).toBe('Fits')
    expect((await maker.get(`/api${pageOf(maker)}`)).body).toEqual(before)
  })

  test('a maker names their shop and shows their name', async () => {
    const [maker, other] = [await shop.signUp('maker'), await shop.signUp('other')]
    const taken = `Teal Tannery ${mode}`
    await other.put(`/api${pageOf(other)}`, { words: '', place: '', name: taken })
    await shop.list(maker)
    const there = await visit(shop, mode, { signedInAs: maker, expects: [/status of 409/] })
    await there.go('/settings/shop')
    await there.fill('Shop name', taken.toUpperCase())
    await there.page.getByLabel('Show my name').check()
    await there.press('button', 'Save')
    await there.describes(
      'Shop name',
      'This shop name is taken, or looks like one that is. Please choose another one',
    )
    expect(await there.page.getByLabel('Show my name').isChecked()).toBe(true)
    const name = taken.replace('Teal', 'Olive')
    await there.fill('Shop name', name)
    await there.press('button', 'Save')
    await there.sees('Saved')
    await there.go(`/shops/${name.toLowerCase().replaceAll(' ', '-')}`)
    await there.arrives(pageOf(maker))
    await there.heading(name)
    const { first_name, last_name, username } = maker.user
    expect(await there.page.locator('.maker-about').textContent()).toContain(
      `${first_name} ${last_name}${username}`,
    )
    await there.press('link', `by ${first_name} ${last_name}, ${maker.town}`)
    await there.arrives(pageOf(maker))
  })

  test('cards and pages of listings link to their seller', async () => {
    const maker = await shop.signUp('maker')
    const { id } = await shop.list(maker, { name: 'Speckled mug' })
    const there = await visit(shop, mode)
    await there.go('/')
    await there.press('link', `by ${maker.user.username}, ${maker.town}`)
    await there.arrives(pageOf(maker))
    await there.pressThis(there.page.locator(`main a[href="/products/${id}"]`))
    await there.heading('Speckled mug')
    await there.press('link', `${maker.user.username}, ${maker.town}`)
    await there.arrives(pageOf(maker))
  })
})

test('a seller without listings has a message', async () => {
  const maker = await shop.signUp('maker')
  const there = await visit(shop, 'with scripts')
  await there.go(pageOf(maker))
  await there.sees('No listings yet')
  expect(await there.page.locator('.star').count()).toBe(0)
})

test('a seller has 24 listings per page, newest first, and a link to more', async () => {
  const maker = await shop.signUp('maker')
  for (let n = 1; n <= 25; n++) await shop.list(maker, { name: `Mug ${n}` })
  const there = await visit(shop, 'without scripts')
  await there.go(pageOf(maker))
  const names = () => there.page.locator('.card-name').allTextContents()
  expect(await names()).toEqual(Array.from({ length: 24 }, (_, n) => `Mug ${25 - n}`))
  await there.press('link', 'Next 24')
  await there.heading(maker.user.username)
  expect(await names()).toEqual(['Mug 1'])
})

test('any username has a page, with the rating of all listings', async () => {
  const maker = await shop.signUp('a/b%2F?#')
  const { id } = await shop.list(maker)
  await maker.post(`/api/reviews/${id}/create-review`, { review: 'Fine', stars: 4 })
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${id}`)
  await there.press('link', `${maker.user.username}, ${maker.town}`)
  await there.arrives(pageOf(maker))
  await there.heading(maker.user.username)
  await there.page.getByText('4.0 of 5 stars from 1 review').first().waitFor()
  await there.go(pageOf(maker))
  await there.heading(maker.user.username)
})

test('the whole card links to the listing, the seller’s name to the seller', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker)
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  const card = there.page.locator('.card').first()
  const by = card.locator('.card-maker')
  await by.scrollIntoViewIfNeeded()
  // Beside the seller's name, at the end of its line.
  const [line, whole] = [await by.boundingBox(), await card.boundingBox()]
  if (!line || !whole) throw new Error('the card is not there')
  await there.page.mouse.click(whole.x + whole.width - 5, line.y + line.height / 2)
  await there.arrives(`/products/${id}`)
  expect(await there.page.locator('a a, a button').count()).toBe(0)
})

test('settings link to the shop page, and need a login', async () => {
  const maker = await shop.signUp('maker')
  const response = await maker.get('/settings')
  expect([response.status, response.headers.location]).toEqual([302, '/settings/shop'])
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  await there.go('/settings')
  await eventually(() => there.path).toBe('/settings/shop')
})

test('a session that ends keeps all typed values', async () => {
  const maker = await shop.signUp('maker')
  const there = await visit(shop, 'with scripts', { signedInAs: maker, expects: [/status of 401/] })
  await there.go('/settings/shop')
  await there.fill('About you', 'Still here')
  await there.page.context().clearCookies()
  await there.press('button', 'Save')
  await there.page.getByRole('alert').getByText('Please log in').waitFor()
  expect(await there.valueOf('About you')).toBe('Still here')
})
