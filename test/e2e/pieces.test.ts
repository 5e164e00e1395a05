import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, picture, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('the first photo represents the listing everywhere', async () => {
  const maker = await shop.signUp('maker')
  const pot = await shop.list(maker, { name: 'Round pot', price: 19.5, description: 'For two cups.' })
  const upload = async () =>
    (await maker.upload(`/api/products/${pot.id}/images`, (await picture()).buffer)).body.url
  const [first] = [await upload(), await upload()]
  await maker.post(`/api/cart_items/add/${pot.id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  const main = there.page.locator('main')
  await there.go('/')
  const card = main.locator(`a[href="/products/${pot.id}"]`)
  expect(await card.getByRole('img').getAttribute('src')).toBe(first)
  expect(await card.textContent()).toContain('$19.50')
  await there.go('/your-listings')
  expect(await there.one('img', 'Round pot').getAttribute('src')).toBe(first)
  await there.go('/cart')
  expect(await main.getByRole('listitem').locator('img').getAttribute('src')).toBe(first)
  await there.go(`/products/${pot.id}`)
  expect(await there.one('img', 'Round pot').getAttribute('src')).toBe(first)
})

test('the page of a listing has price, name and description, and the name instead of a broken photo', async () => {
  const plate = await shop.list(await shop.signUp('maker'), {
    name: 'Flat plate',
    price: 7,
    description: 'Holds a slice.',
  })
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${plate.id}`)
  await there.heading('Flat plate')
  for (const text of ['$7.00', 'Holds a slice.']) await there.sees(text)
  expect(await there.page.locator('.gallery .placeholder').allTextContents()).toEqual(['Flat plate'])
})

test('buttons have short text, and labels that name their listing', async () => {
  const person = await shop.signUp('person')
  const { id } = await shop.list(person, { name: 'Pin' })
  await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const placed = (await person.post('/api/orders/checkout')).body.id
  await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  const buttons = [
    ['/your-listings', 'link', 'Edit Pin', 'Edit'],
    ['/your-listings', 'button', 'Delete Pin', 'Delete'],
    ['/cart', 'button', 'Remove Pin', 'Remove'],
    ['/orders/view', 'button', `Cancel Order #${placed}`, 'Cancel Order'],
  ] as const
  for (const [address, role, name, text] of buttons) {
    await there.go(address)
    expect(await there.one(role, name).textContent()).toBe(text)
  }
})

test('on a phone, quantity and Remove are side by side, each on one line', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await shop.list(await shop.signUp('seller'), { name: 'Pin' })
  await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.page.setViewportSize({ width: 375, height: 700 })
  await there.go('/cart')
  const [quantity, remove] = await Promise.all(
    [there.field('Quantity of Pin'), there.one('button', 'Remove Pin')].map(each => each.boundingBox()),
  )
  expect(remove!.x).toBeGreaterThan(quantity!.x + quantity!.width)
  expect(remove!.height).toBeLessThan(48)
})

test('Back closes a dialog, and the page below is unchanged; other ways leave no history entry', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Round pot' })
  await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)
  const there = await visit(shop, 'with scripts', { width: 390 })
  await there.go('/')
  await there.page.locator(`main a[href^="/products/${id}"]`).first().click()
  await there.heading('Round pot')
  const { page } = there
  const entries = () => page.evaluate(() => history.length)
  const before = await entries()
  const calls: string[] = []
  page.on('request', request => calls.push(request.url()))
  const closed = async (focused: string) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await there.heading('Round pot')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(
      focused,
    )
  }
  const enlarge = async () => {
    await there.press('link', 'Enlarge the photo of Round pot')
    await there.one('dialog', 'Round pot').waitFor()
  }
  await enlarge()
  await page.goBack()
  await closed('Enlarge')
  await page.goForward()
  await page.goBack()
  await closed('Enlarge')
  for (const closing of ['Escape', 'Close'] as const) {
    await enlarge()
    if (closing === 'Escape') await page.keyboard.press(closing)
    else await there.press('button', closing)
    await closed('Enlarge')
    await eventually(() => page.evaluate(() => history.state.modal)).toBe(undefined)
  }
  expect(await entries()).toBe(before + 1)
  expect(calls.filter(url => url.includes('/api/'))).toEqual([])
  await there.openMenu()
  await there.press('link', 'Log In')
  await there.one('dialog', 'Log In').waitFor()
  await page.goBack()
  await closed('Profile')
  await page.goBack()
  await eventually(() => there.path).toBe('/')
  await page.goForward()
  await there.heading('Round pot')
})
