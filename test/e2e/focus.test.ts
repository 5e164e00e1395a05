import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilHydrated } from '../support/browser/early.ts'
import { eventually, gate, type Visit, visit } from '../support/browser/steps.ts'
import { times } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const isFocused = (target: Locator) => target.evaluate(element => element === document.activeElement)

/** Opens a dialog by keyboard and closes it in each way; the focus must return each time. */
async function focusReturns(there: Visit, opener: Locator, no?: string): Promise<void> {
  const dialog = there.page.getByRole('dialog')
  const closings = [
    () => there.page.keyboard.press('Escape'),
    () => there.press('button', 'Close'),
    ...(no ? [() => there.press('button', no)] : []),
  ]
  for (const close of closings) {
    await there.tabTo(opener)
    await there.page.keyboard.press('Enter')
    await dialog.waitFor()
    await close()
    await dialog.waitFor({ state: 'hidden' })
    await eventually(() => isFocused(opener)).toBe(true)
  }
}

test('every dialog returns the focus to its opener', async () => {
  const person = await shop.signUp('person')
  const mug = await shop.list(person, { name: 'Blue mug' })
  const other = await shop.signUp('other')
  await other.post(`/api/reviews/${mug.id}/create-review`, { review: 'A fine mug.', stars: 4 })
  await other.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  await other.post('/api/orders/checkout')
  await other.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })

  const shopper = await visit(shop, 'by keyboard', { signedInAs: other })
  await shopper.go(`/products/${mug.id}`)
  await focusReturns(shopper, shopper.one('button', 'Edit Review'))
  await focusReturns(shopper, shopper.one('button', 'Delete Review'), 'No')
  await shopper.go('/cart')
  await focusReturns(shopper, shopper.one('button', 'Proceed to checkout'))
  await shopper.go('/orders/view')
  await focusReturns(shopper, shopper.page.getByRole('button', { name: 'Cancel Order' }), 'No (Keep Order)')

  const maker = await visit(shop, 'by keyboard', { signedInAs: person })
  await maker.go(`/products/${mug.id}`)
  await focusReturns(maker, maker.page.getByRole('button', { name: 'Reply' }))
  await maker.go('/your-listings')
  await focusReturns(maker, maker.page.getByRole('button', { name: 'Delete' }), 'No (Keep Product)')
})

test('after a dialog that removed its opener, the focus is at the top of the page', async () => {
  const maker = await shop.signUp('maker')
  const mug = await shop.list(maker)
  const author = await shop.signUp('author')
  await author.post(`/api/reviews/${mug.id}/create-review`, { review: 'A fine mug.', stars: 4 })
  const there = await visit(shop, 'by keyboard', { signedInAs: author })
  await there.go(`/products/${mug.id}`)
  await there.press('button', 'Delete Review')
  await there.press('button', 'Yes')
  await there.sees('You have not left a review yet')
  await eventually(() => isFocused(there.page.locator('main'))).toBe(true)
})

test('a login to complete an action returns to its button', async () => {
  const mug = await shop.list(await shop.signUp('seller'))
  const buyer = await shop.signUp('buyer')
  const there = await visit(shop, 'by keyboard', { expects: [/status of 401/] })
  await there.go(`/products/${mug.id}`)
  await there.press('button', 'Add to cart')
  await there.press('link', 'Log In')
  await there.fill('Email', buyer.user.email)
  await there.fill('Password', buyer.password)
  await there.pressThis(there.one('dialog', 'Log In').getByRole('button', { name: 'Log In', exact: true }))
  await there.sees('Item added to cart!')
  await eventually(() => isFocused(there.one('button', 'Add to cart'))).toBe(true)
})

test('the message of a new document gets the focus, unless somebody is on a control already', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: await shop.signUp('maker') })
  const { page } = there
  for (const early of ['nothing', 'a link'] as const) {
    const { open, opened } = gate()
    await page.route('**/assets/*.js', async route => {
      await opened
      await route.continue()
    })
    await page.goto('/settings/sections?done=added', { waitUntil: 'commit' })
    const link = there.one('link', 'Security')
    await link.waitFor()
    if (early === 'a link') await link.focus()
    open()
    await untilHydrated(page)
    const focused = early === 'a link' ? link : page.getByRole('status').filter({ hasText: 'Section added' })
    expect(await isFocused(focused), early).toBe(true)
    await page.unrouteAll()
  }
})

test('the filters open and close in one place, and a filtered list gets the focus', async () => {
  const maker = await shop.signUp('many')
  await times(26, () => shop.list(maker, { name: 'Small pot' }))
  const there = await visit(shop, 'by keyboard')
  const { page } = there
  const results = page.locator('.results')
  const isAtResults = () => eventually(() => isFocused(results)).toBe(true)
  await there.go('/')
  const search = page.locator('#search-header')
  await there.tabTo(search)
  await search.fill('pot')
  await page.keyboard.press('Enter')
  await there.arrives('/search?q=pot')
  const main = page.locator('main')
  await eventually(() => isFocused(main)).toBe(true)
  expect(await main.evaluate(element => getComputedStyle(element).outlineStyle)).toBe('none')

  // In a wide window the filters are in sight beside the list.
  const opener = page.locator('summary', { hasText: 'Filter' })
  await there.one('button', 'Show').waitFor()
  expect(await opener.isVisible()).toBe(false)
  await page.setViewportSize({ width: 900, height: 800 })
  const before = await opener.boundingBox()
  await there.pressThis(opener)
  await there.one('button', 'Show').waitFor()
  expect(await opener.boundingBox()).toEqual(before)
  await there.pressThis(opener)
  await there.one('button', 'Show').waitFor({ state: 'hidden' })
  await there.pressThis(opener)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await cutSelects(page), `${width}`).toEqual([])
  }
  await there.choose('Sort by', 'Price, lowest first')
  await there.fill('Price to', '900')
  await there.press('button', 'Show')
  await there.arrives('/search?sort=price_asc&q=pot&max=900')
  await isAtResults()
  await there.press('link', 'Next 24')
  await eventually(() => page.locator('.card').count()).toBe(2)
  await isAtResults()
  // The words are in the search field above.
  expect(await page.getByRole('link', { name: 'Remove the filter “pot”' }).count()).toBe(0)
  await there.press('link', 'Remove the filter to $900')
  await there.arrives('/search?q=pot&sort=price_asc')
  await isAtResults()
})

/** Selects that are narrower than one of their options. */
const cutSelects = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLSelectElement>('.filters select')].flatMap(select => {
      const roomy = select.cloneNode(true) as HTMLSelectElement
      Object.assign(roomy.style, { inlineSize: 'max-content', position: 'absolute' })
      select.after(roomy)
      const needed = roomy.getBoundingClientRect().width
      roomy.remove()
      return needed > select.getBoundingClientRect().width ? [select.name] : []
    }),
  )

test('a dialog opened from the menu returns the focus to the menu', async () => {
  const there = await visit(shop, 'by keyboard')
  await there.go('/')
  for (const name of ['Log In', 'Sign Up']) {
    await there.openMenu()
    await there.press('link', name)
    await there.one('dialog', name).waitFor()
    await there.page.keyboard.press('Escape')
    await there.one('dialog', name).waitFor({ state: 'hidden' })
    expect(await isFocused(there.profile)).toBe(true)
  }
})
