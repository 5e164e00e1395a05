import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { eventually, visit } from '../support/browser/steps.ts'
import { LANDING, scriptFilesOf } from '../support/bundle-sizes.ts'
import { type Person, times } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('the landing page loads only the counted scripts', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.page.waitForLoadState('networkidle')
  const loaded = await there.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
  )
  const expected = await scriptFilesOf(inject('built'), LANDING)
  expect(loaded.filter(file => file.endsWith('.js')).sort()).toEqual(expected.sort())
})

test('the page of a listing loads no schemas, with which zod would come', async () => {
  const built = inject('built')
  const product = ['src/storefront/pages/product.route.ts', 'src/storefront/pages/ProductPage.tsx']
  const files = await scriptFilesOf(built, [...LANDING, ...product])
  const withZod = async (file: string) =>
    (await readFile(join(built, 'client', file), 'utf8')).includes('_zod')
  const withSchemas: string[] = []
  for (const file of files) if (await withZod(file)) withSchemas.push(file)
  expect(withSchemas).toEqual([])
  // A page with a form has them.
  const form = await scriptFilesOf(built, ['src/features/accounts/web/LoginForm.tsx'])
  expect((await Promise.all(form.map(withZod))).filter(Boolean)).toHaveLength(1)
})

test('lazy pictures load after the first paint, those of cards and of their makers', async () => {
  const seller = await shop.signUp('maker')
  await listWithPhotos(seller, 400)
  const face = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  await seller.upload(`/api/shops/${seller.user.username}/picture`, face)
  const { requested, run } = await openLandingStopped()
  // The first row.
  expect(requested.size).toBe(2)
  await run()
  await eventually(() => requested.size).toBe(9)
})

test('below three pictures in the hero, the first row waits as well', async () => {
  await listWithPhotos(await shop.signUp('weaver'), 800)
  const { page, requested } = await openLandingStopped()
  const shown = page.locator('.picks img')
  expect([...requested].sort()).toEqual(
    (await shown.evaluateAll(imgs => imgs.map(img => (img as HTMLImageElement).currentSrc))).sort(),
  )
  expect(requested.size).toBe(3)
})

/** Lists eight pieces with photos of that width, pixels. */
async function listWithPhotos(seller: Person, width: number): Promise<void> {
  const photo = sharp({ create: { width, height: 400, channels: 3, background: 'teal' } })
  for (const { id } of await times(8, () => shop.list(seller, {})))
    await seller.upload(`/api/products/${id}/images`, await photo.clone().png().toBuffer())
}

/**
 * The landing page on a phone, with the clock of animations stopped, so that only the first paint happens. `requested`
 * are addresses of pictures; `run` lets the clock run.
 */
async function openLandingStopped() {
  const { page } = await visit(shop, 'with scripts')
  const requested = new Set<string>()
  page.on('request', request => {
    if (request.url().includes('/images/')) requested.add(request.url())
  })
  await page.setViewportSize({ width: 412, height: 823 })
  // Scripts load after the pictures, long after the first paint.
  await page.route('**/*.js', route => route.fulfill({ contentType: 'text/javascript', body: '' }))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  return { page, requested, run: () => devtools.send('Animation.setPlaybackRate', { playbackRate: 1 }) }
}

test('a card’s `sizes` match its picture, so that no larger one loads', async () => {
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
