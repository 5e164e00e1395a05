import { afterAll, beforeAll, expect, test } from 'vitest'
import { go, openPage } from '../support/browser/browser.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let demo: Person
beforeAll(async () => {
  shop = await openShop({ settings: { DEMO: 'on' } })
  demo = shop.visitor()
  await demo.post('/api/auth/login', { email: 'demo@example.com', password: 'handmade' })
}, 120_000)
afterAll(() => shop.close())

test('the text of a button has contrast', async () => {
  const page = await openPage(shop, { signedInAs: demo })
  for (const path of ['/', '/your-listings', '/cart']) {
    await go(page, path)
    const pale = await page.evaluate(
      () =>
        [...document.querySelectorAll('.button')].filter(button => {
          const { color, backgroundColor } = getComputedStyle(button)
          return color === backgroundColor
        }).length,
    )
    expect(pale, path).toBe(0)
  }
})

test('with forced colours, elements marked by colour alone have a border', async () => {
  const { body } = await demo.get('/api/products/?limit=40')
  const { id } = body.products.find(
    ({ images, review_count }: { images: unknown[]; review_count: number }) =>
      images.length > 1 && review_count > 0,
  )
  const page = await openPage(shop)
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, `/products/${id}`)
  const edge = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => {
        const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element)
        return {
          width: Number.parseFloat(borderTopWidth),
          color: borderTopColor,
          background: backgroundColor,
        }
      })
  for (const selector of ['.button', '.histogram progress', '.thumbnails [aria-current]']) {
    const { width, color, background } = await edge(selector)
    expect(width, selector).toBeGreaterThan(0)
    expect(color, selector).not.toBe(background)
  }
  const [chosen, other] = [
    await edge('.thumbnails [aria-current]'),
    await edge('.thumbnails a:not([aria-current])'),
  ]
  expect(chosen.color).not.toBe(other.color)
})
