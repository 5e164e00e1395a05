import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, picture, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

/** A photo with these dimensions. */
const shape = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()

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
  expect(await there.page.locator('.placeholder').allTextContents()).toEqual(['Flat plate'])
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

test('on a phone, a photo is zoomed by tap, by button and by arrow keys', async () => {
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

test('on a phone twelve photos are swiped, and name and price are on the first screen', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Round pot' })
  const shapes = [await picture(), { buffer: await shape(300, 400) }, { buffer: await shape(400, 300) }]
  for (let n = 0; n < 12; n++) await maker.upload(`/api/products/${id}/images`, shapes[n % 3]!.buffer)
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const there = await visit(shop, mode, { width: 390 })
    await there.go(`/products/${id}`)
    for (const part of ['h1', '.product .price']) {
      const { y, height } = (await there.page.locator(part).boundingBox())!
      expect(y + height, part).toBeLessThan(700)
    }
    const strip = there.page.locator('.slides ul')
    const scrollStrip = () => strip.evaluate(ul => ul.scrollTo(0.9 * ul.clientWidth, 0))
    const across = () => strip.evaluate(ul => ul.scrollLeft / ul.clientWidth)
    await scrollStrip()
    await eventually(across).toBe(1)
    const position = there.page.locator('.slides .position')
    await eventually(() => position.textContent()).toBe(mode === 'with scripts' ? '2 / 12' : '12 photos')
    if (mode === 'without scripts') continue
    // A swipe to the left shows the next, in the lightbox too.
    await there.press('link', 'Enlarge photo 2 of Round pot')
    const dialog = there.one('dialog', 'Round pot')
    const swipe = (from: number, to: number) =>
      dialog.locator('.held').evaluate(
        (held, [from, to]) => {
          const touch = (x = 0) => new Touch({ identifier: 1, target: held, clientX: x, clientY: 300 })
          const [down, up] = [touch(from), touch(to)]
          const options = { bubbles: true, cancelable: true }
          held.dispatchEvent(
            new TouchEvent('touchstart', { ...options, touches: [down], changedTouches: [down] }),
          )
          held.dispatchEvent(new TouchEvent('touchend', { ...options, touches: [], changedTouches: [up] }))
        },
        [from, to],
      )
    await dialog.getByText('Photo 2 of 12').waitFor()
    await swipe(300, 100)
    await dialog.getByText('Photo 3 of 12').waitFor()
    await swipe(100, 300)
    await dialog.getByText('Photo 2 of 12').waitFor()
    await swipe(100, 120)
    await dialog.getByText('Photo 2 of 12').waitFor()
  }
})

test('photos of every shape are whole on their own page, cropped elsewhere, and sharp in both', async () => {
  const maker = await shop.signUp('maker')
  const ids: number[] = []
  for (const [name, width, height] of [
    ['Wide', 1400, 700],
    ['Tall', 700, 1400],
  ] as const) {
    const { id } = await shop.list(maker, { name })
    await maker.upload(`/api/products/${id}/images`, await shape(width, height))
    await maker.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    ids.push(id)
  }
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  // First: a browser with a larger one cached shows that.
  await there.go('/cart')
  for (const image of await there.page.locator('.cart-line img').all()) {
    const shown = await image.evaluate((img: HTMLImageElement) => ({
      fit: getComputedStyle(img).objectFit,
      file: /\d+\.webp$/.exec(img.currentSrc)?.[0],
    }))
    expect(shown).toEqual({ fit: 'cover', file: '320.webp' })
  }
  /** Object-fit of a picture, and its device pixels per CSS pixel on the smaller side. */
  const styleOf = (image: Locator) =>
    image.evaluate(async (img: HTMLImageElement) => {
      await img.decode()
      const { width, height } = img.getBoundingClientRect()
      const fit = getComputedStyle(img).objectFit
      const file = Number(/(\d+)\.webp$/.exec(img.currentSrc)?.[1])
      const shape = Number(img.getAttribute('width')) / Number(img.getAttribute('height'))
      const scale = fit === 'contain' ? Math.min(width, height * shape) : Math.max(width, height * shape)
      return { fit, density: file / scale }
    })
  for (const id of ids) {
    await there.go(`/products/${id}`)
    const { fit, density } = await styleOf(there.page.locator('.gallery img'))
    expect(fit).toBe('contain')
    expect(density).toBeGreaterThanOrEqual(1)
  }
  await there.go(`/shops/${maker.user.username}`)
  for (const id of ids) {
    const { fit, density } = await styleOf(there.page.locator(`.card a[href^="/products/${id}"] img`))
    expect(fit).toBe('cover')
    expect(density).toBeGreaterThanOrEqual(1)
  }
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

test('without scripts a photo links to a page with a way back', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Round pot' })
  const { url } = (await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)).body
  // The browser's own image page has inline styles, which the policy blocks.
  const there = await visit(shop, 'without scripts', { expects: [/Applying inline style/] })
  await there.go(`/products/${id}`)
  await there.press('link', 'Enlarge the photo of Round pot')
  await eventually(() => there.path).toBe(`/products/${id}?photo=1&large=yes`)
  expect(await there.one('img', 'Round pot').getAttribute('src')).toBe(url)
  await there.press('link', 'Back to the piece')
  await there.one('button', 'Add to cart').waitFor()
})
