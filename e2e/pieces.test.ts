import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../test/shop.ts'
import { eventually, picture, visit } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true })
})
afterAll(() => shop.close())

test('of several photos the first stands for the piece, wherever it is shown', async () => {
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

test('the page of a piece shows price, name and description, and the name in place of a photo', async () => {
  const plate = await shop.list(await shop.signUp('maker'), {
    name: 'Flat plate',
    price: 7,
    description: 'Holds a slice.',
  })
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${plate.id}`)
  await there.heading('Flat plate')
  for (const text of ['$7.00', 'Holds a slice.']) await there.sees(text)
  expect(await there.page.locator('.placeholder').allTextContents()).toEqual(['Flat plate'])
})

test('buttons that name their piece to the ear show short words to the eye', async () => {
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
  for (const [address, role, name, words] of buttons) {
    await there.go(address)
    expect(await there.one(role, name).textContent()).toBe(words)
  }
})

test('on a phone, quantity and Remove stand beside each other, each on one line', async () => {
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

test('on a phone, a photo is looked at closely: by a press where one likes, by a button and by the arrow keys', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Round pot' })
  for (const { buffer } of [await picture(), await picture()])
    await maker.upload(`/api/products/${id}/images`, buffer)
  const there = await visit(shop, 'with scripts', { width: 375 })
  await there.go(`/products/${id}`)
  await there.press('link', 'Enlarge the photo of Round pot')
  const dialog = there.one('dialog', 'Round pot')
  const view = dialog.locator('.view')
  const width = () => dialog.getByRole('img').evaluate(image => image.getBoundingClientRect().width)
  const at = () => view.evaluate(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }))
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const fitted = await width()
  expect(fitted).toBeGreaterThan(340)

  await press('Magnify')
  await eventually(width).toBeGreaterThanOrEqual(2 * fitted)
  const centre = await at()
  expect(centre.scrollLeft).toBeGreaterThan(100)
  await there.page.keyboard.press('ArrowRight')
  await eventually(at).toEqual({ ...centre, scrollLeft: centre.scrollLeft + 80 })
  await there.tabTo(view)
  await there.page.keyboard.press('ArrowLeft')
  await eventually(at).toEqual(centre)
  await dialog.getByText('Photo 1 of 2').waitFor()
  await press('Magnify')
  await eventually(width).toBe(fitted)

  await dialog.getByRole('img').click({ position: { x: 5, y: 200 } })
  await eventually(width).toBeGreaterThanOrEqual(2 * fitted)
  expect((await at()).scrollLeft).toBe(0)
  await dialog.getByRole('img').click()
  await eventually(width).toBe(fitted)

  await press('Next photo')
  await dialog.getByText('Photo 2 of 2').waitFor()
  await there.page.keyboard.press('ArrowRight')
  await dialog.getByText('Photo 1 of 2').waitFor()
  await press('Previous photo')
  await dialog.getByText('Photo 2 of 2').waitFor()
  await there.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(
    await there
      .one('link', 'Enlarge the photo of Round pot')
      .evaluate(link => link === document.activeElement),
  ).toBe(true)
})

test('without scripts the photo of a piece leads to its own address', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Round pot' })
  const { url } = (await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)).body
  // The browser's own way to show a picture has styles that our pages do not allow; it does without them.
  const there = await visit(shop, 'without scripts', { expects: [/Applying inline style/] })
  await there.go(`/products/${id}`)
  await there.press('link', 'Enlarge the photo of Round pot')
  await eventually(() => there.path).toBe(url)
})
