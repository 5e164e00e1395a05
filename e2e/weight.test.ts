import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { LANDING, scriptFilesOf } from '../scripts/sizes.ts'
import { openShop, type TestShop } from '../test/shop.ts'
import { visit } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true, settings: { DEMO: 'on' } })
})
afterAll(() => shop.close())

test('the landing page loads the scripts that are counted, and no others', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.page.waitForLoadState('networkidle')
  const loaded = await there.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
  )
  const counted = await scriptFilesOf(inject('built'), LANDING)
  expect(loaded.filter(file => file.endsWith('.js')).sort()).toEqual(counted.sort())
})

test('a card says how wide its picture is, so that no larger one is fetched', async () => {
  const seller = await shop.signUp('seller')
  const { id } = await shop.list(seller, {})
  const photo = sharp({ create: { width: 900, height: 900, channels: 3, background: 'teal' } })
  await seller.upload(`/api/products/${id}/images`, await photo.png().toBuffer())
  const there = await visit(shop, 'with scripts')
  for (const width of [320, 412, 471, 480, 640, 900, 1100, 1150, 1280]) {
    await there.page.setViewportSize({ width, height: 900 })
    await there.go('/')
    // Of a picture with several widths the natural one is what `sizes` comes to.
    const { said, is } = await there.page
      .locator('.card img')
      .first()
      .evaluate((img: HTMLImageElement) => ({ said: img.naturalWidth, is: img.clientWidth }))
    expect(said, `${width}`).toBeGreaterThanOrEqual(is - 1)
    expect(said, `${width}`).toBeLessThan(1.2 * is)
  }
})
