import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled } from '../support/browser/browser.ts'
import { eventually, gate, picture, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let seller: Person
let mug = 0
beforeAll(async () => {
  shop = await openShop()
  seller = await shop.signUp('seller')
  mug = (await shop.list(seller, { name: 'Speckled mug' })).id
  for (const { buffer } of [await picture(), await picture()])
    await seller.upload(`/api/products/${mug}/images`, buffer)
  await seller.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
})
afterAll(() => shop.close())

const pictures = '**/images/**'
const notFound = (route: Route) => route.fulfill({ status: 404, body: '' })
const damaged = (route: Route) => route.fulfill({ contentType: 'image/webp', body: 'not a picture' })
const placeholders = (page: Page) => page.locator('.photo.placeholder', { hasText: 'Speckled mug' })

/** Page → number of pictures of the mug. */
const pages = () =>
  [
    ['/', 1],
    [`/products/${mug}`, 3],
    [`/products/${mug}/edit`, 3],
    ['/your-listings', 1],
    ['/cart', 1],
  ] as const

test.each([
  ['is not there', notFound],
  ['is damaged', damaged],
])('a picture that %s leaves the name of the piece in its place', async (_what, respond) => {
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects: [/status of 404/] })
  await there.page.route(pictures, respond)
  for (const [path, count] of pages()) {
    await there.go(path)
    await eventually(() => placeholders(there.page).count()).toBe(count)
    expect(await placeholders(there.page).first().isVisible(), path).toBe(true)
    // On wide screens the other photos are hidden and not loaded.
    expect(await there.page.locator('img:visible').count(), path).toBe(0)
  }
})

test('a picture that failed before hydration shows the name as well', async () => {
  const there = await visit(shop, 'with scripts', { expects: [/status of 404/] })
  const { open, opened } = gate()
  await there.page.route(pictures, notFound)
  await there.page.route('**/*.js', async route => {
    await opened
    await route.continue()
  })
  await there.page.goto('/', { waitUntil: 'commit' })
  const failed = () => {
    const image = document.querySelector('img')
    return image?.complete && image.naturalWidth === 0
  }
  await there.page.waitForFunction(failed)
  open()
  await settled(there.page)
  await eventually(() => placeholders(there.page).count()).toBe(1)
})

test('another photo is shown instead of one that failed', async () => {
  const there = await visit(shop, 'with scripts', { expects: [/status of 404/] })
  const [first] = (await seller.get(`/api/products/${mug}`)).body.images as { url: string }[]
  const folder = first?.url.split('/').slice(0, -1).join('/')
  await there.page.route(`**${folder}/**`, notFound)
  await there.go(`/products/${mug}`)
  await eventually(() => placeholders(there.page).count()).toBe(2)
  await there.press('link', 'Photo 2 of 2')
  await there.one('img', 'Speckled mug').waitFor()
  await there.press('link', 'Photo 1 of 2')
  await eventually(() => placeholders(there.page).count()).toBe(2)
})

test('lazy pictures that have not loaded are not failures', async () => {
  const maker = await shop.signUp('maker')
  for (let number = 1; number <= 23; number++) {
    const { id } = await shop.list(maker, { name: `Bowl ${number}` })
    await maker.upload(`/api/products/${id}/images`, (await picture()).buffer)
  }
  const there = await visit(shop, 'with scripts')
  // Browsers load within about 2,500 pixels; this window is so low that the last rows are farther away.
  await there.page.setViewportSize({ width: 375, height: 100 })
  await there.go('/')
  await there.page.waitForLoadState('networkidle')
  const last = there.page.locator('.card img').last()
  expect(await last.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(0)
  expect(await there.page.locator('.placeholder').count()).toBe(0)
})
