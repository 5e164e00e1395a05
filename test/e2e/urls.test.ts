import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Listing } from '#products/contract.ts'
import { listingPath } from '#products/slug.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let maker: Person
let ana: Person
let bowl: Listing
let at: string
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
  ana = await shop.signUp('ana')
  bowl = await shop.list(maker, { name: 'Blue bowl' })
  at = listingPath(bowl)
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('an old slug redirects to the right one', async () => {
    const there = await visit(shop, mode)
    expect(await there.go(`/products/${bowl.id}/red-bowl?from=letter`)).toBe(200)
    await there.arrives(`${at}?from=letter`)
    await there.heading('Blue bowl')
    expect(await there.page.title()).toBe('Blue bowl · Thrum')
  })

  test('a listing’s address with its slug works for buying and reviewing', async () => {
    const reviewer = await shop.signUp('reviewer')
    const there = await visit(shop, mode, { signedInAs: reviewer })
    await there.go(at)
    await there.press('button', 'Add to cart')
    await there.sees('Item added to cart!')
    await there.go(at)
    await there.press('link', 'Create Review')
    await there.fill('What did you think of this product?', 'A fine bowl.')
    await there.choose('Stars', '5')
    await there.press('button', 'Leave Review')
    await there.sees('A fine bowl.')
    await there.go(at)
    await there.press('button', 'Delete Review')
    await there.dialog('Are you sure you want to delete?')
    await there.press('button', 'No')
    await there.arrives(`/products/${bowl.id}`)
    await there.sees('A fine bowl.')
  })
})

test('a card links to the short address, and the page’s canonical one has the slug', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.page.getByRole('link', { name: 'Blue bowl' }).click()
  await there.arrives(`/products/${bowl.id}`)
  await there.go(`/products/${bowl.id}`)
  const canonical = there.page.locator('link[rel=canonical]')
  expect(await canonical.getAttribute('href')).toBe(shop.address + at)
})

test('Back to an old slug leads to the new one, without loading a document', async () => {
  const mug = await shop.list(maker, { name: 'Old mug' })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go(listingPath(mug))
  await there.press('link', 'Thrum, home')
  await there.arrives('/')
  await there.page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await maker.put(`/api/products/${mug.id}`, { ...mug, name: 'New mug' })
  await there.page.goBack()
  await there.arrives(`/products/${mug.id}/new-mug`)
  await there.heading('New mug')
  await eventually(() => there.page.title()).toBe('New mug · Thrum')
  expect(await there.page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('structured data is not run as a script and causes no console message', async () => {
  const there = await visit(shop, 'with scripts')
  for (const [path, things] of [
    ['/', 2],
    ['/categories/home-living', 1],
    [at, 2],
  ] as const) {
    // A console message fails the test.
    await there.go(path)
    expect(await there.page.locator('script[type="application/ld+json"]').count()).toBe(things)
  }
})
