import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const listed = async (name: string) => shop.list(await shop.signUp('maker'), { name })
const heart = (there: Visit, name: string) => there.one('button', `Save ${name}`)
const filled = (there: Visit, name: string) => heart(there, name).getAttribute('aria-pressed')

inEachMode(mode => {
  test('a favourite is saved on a card and removed on the listing’s page', async () => {
    const shopper = await shop.signUp('shopper')
    const name = `Mug ${mode}`
    const { id } = await listed(name)
    const there = await visit(shop, mode, { signedInAs: shopper })
    await there.go('/favourites')
    await there.sees('Nothing saved yet')
    await there.press('link', 'See what makers have made')
    await there.arrives('/')
    expect(await filled(there, name)).toBe('false')
    await there.pressThis(heart(there, name))
    await eventually(() => filled(there, name)).toBe('true')
    await eventually(async () => (await shopper.get('/api/favourites/ids')).body.ids).toEqual([id])
    expect(there.path).toBe('/')
    await there.openMenu()
    await there.press('link', 'Favorites')
    await there.heading('Favorites')
    await there.pressThis(there.page.locator(`main a[href="/products/${id}"]`))
    await there.heading(name)
    expect(await filled(there, name)).toBe('true')
    await there.pressThis(heart(there, name))
    await eventually(() => filled(there, name)).toBe('false')
    await eventually(async () => (await shopper.get('/api/favourites/ids')).body.ids).toEqual([])
  })

  test('a visitor who presses a heart logs in, and it is saved', async () => {
    const shopper = await shop.signUp('shopper')
    const name = `Bowl ${mode}`
    const { id } = await listed(name)
    const there = await visit(shop, mode)
    await there.go(`/products/${id}`)
    await there.pressThis(heart(there, name))
    if (there.scripted) await there.one('dialog', 'Log In').getByText(`Log in to save ${name}`).waitFor()
    else await there.heading('Log In')
    await there.fill('Email', shopper.user.email)
    await there.fill('Password', shopper.password)
    await there.press('button', 'Log In')
    if (there.scripted) await there.sees('Saved to your favorites')
    else await there.sees(`${name} is saved to your favorites`)
    await eventually(() => filled(there, name)).toBe('true')
    expect((await shopper.get('/api/favourites/ids')).body.ids).toEqual([id])
  })
})

test('signing up instead of logging in saves it too, without scripts as well', async () => {
  const { id } = await listed('Vase')
  const there = await visit(shop, 'without scripts')
  await there.go(`/products/${id}`)
  await there.pressThis(heart(there, 'Vase'))
  await there.page.locator('main').getByRole('link', { name: 'Sign Up' }).click()
  const fields = { Email: 'vera@example.com', 'First Name': 'Vera', 'Last Name': 'Potter', Username: 'vera' }
  for (const [label, value] of Object.entries(fields)) await there.fill(label, value)
  for (const label of ['Password', 'Confirm Password']) await there.fill(label, 'secret-1')
  await there.press('button', 'Sign Up')
  await there.sees('Vase is saved to your favorites')
})

test('a visitor who does not log in has saved nothing', async () => {
  const { id } = await listed('Jug')
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${id}`)
  await heart(there, 'Jug').click()
  await there.one('dialog', 'Log In').waitFor()
  await there.page.keyboard.press('Escape')
  expect(await filled(there, 'Jug')).toBe('false')
})

test('a heart changes at once, and changes back with a message if it fails', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await listed('Plate')
  const there = await visit(shop, 'with scripts', {
    signedInAs: shopper,
    expects: [/ERR_FAILED|Network failure/],
  })
  await there.go(`/products/${id}`)
  const { promise, resolve } = Promise.withResolvers<void>()
  await there.page.route('**/api/favourites/*', async route => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await promise
    await route.abort('failed')
  })
  await heart(there, 'Plate').click()
  await eventually(() => filled(there, 'Plate')).toBe('true')
  resolve()
  await there.sees('The connection was lost. Please try again')
  expect(await filled(there, 'Plate')).toBe('false')
  expect((await shopper.get('/api/favourites/ids')).body.ids).toEqual([])
})

test('removing a favourite removes its card, and the focus stays on the page', async () => {
  const shopper = await shop.signUp('shopper')
  for (const name of ['First', 'Second']) await shopper.put(`/api/favourites/${(await listed(name)).id}`)
  const there = await visit(shop, 'by keyboard', { signedInAs: shopper })
  await there.go('/favourites')
  expect(await there.page.locator('.card-name').allTextContents()).toEqual(['Second', 'First'])
  await there.pressThis(heart(there, 'Second'))
  await eventually(() => there.page.locator('.card-name').allTextContents()).toEqual(['First'])
  await eventually(() => there.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

/** Saves Pot 1 to Pot 25. */
async function saveMany(shopper: Person, maker: Person): Promise<void> {
  for (let n = 1; n <= 25; n++)
    await shopper.put(`/api/favourites/${(await shop.list(maker, { name: `Pot ${n}` })).id}`)
}

test('the focus stays on the page also where the next favourite fills it', async () => {
  const shopper = await shop.signUp('shopper')
  const maker = await shop.signUp('maker')
  await saveMany(shopper, maker)
  const there = await visit(shop, 'by keyboard', { signedInAs: shopper })
  await there.go('/favourites')
  await there.pressThis(heart(there, 'Pot 25'))
  await eventually(async () => (await there.page.locator('.card-name').allTextContents()).at(-1)).toBe(
    'Pot 1',
  )
  await eventually(() => there.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('favourites are shown 24 at a time', async () => {
  const shopper = await shop.signUp('shopper')
  const maker = await shop.signUp('maker')
  await saveMany(shopper, maker)
  const there = await visit(shop, 'without scripts', { signedInAs: shopper })
  await there.go('/favourites')
  expect(await there.page.locator('.card').count()).toBe(24)
  await there.press('link', 'Next 24')
  expect(await there.page.locator('.card-name').allTextContents()).toEqual(['Pot 1'])
})
