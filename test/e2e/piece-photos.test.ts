import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { eventually, picture, visit } from '../support/browser/steps.ts'
import { lockedPdf, pdfOf } from '../support/sample-pictures.ts'
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

test('documents among the photos are linked, also on a phone, and the large view skips one that was not drawn', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Knitting pattern' })
  const files = [(await picture()).buffer, lockedPdf(), (await picture()).buffer, pdfOf('0 0 200 100 re f')]
  for (const file of files)
    expect((await maker.upload(`/api/products/${id}/images`, file)).status, 'stored').toBe(201)
  const phone = await visit(shop, 'with scripts', { width: 375 })
  await phone.go(`/products/${id}`)
  for (const number of [1, 2]) await phone.one('link', `Document ${number} of this piece (pdf)`).waitFor()
  expect(await barriers(phone.page)).toEqual([])
  const there = await visit(shop, 'without scripts')
  await there.go(`/products/${id}?photo=1&large=yes`)
  await there.press('link', 'Photo 1 of 4: show the next')
  await there.press('link', 'Photo 3 of 4: show the next')
  await there.one('link', 'Photo 4 of 4: show the next').waitFor()
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
