import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { go, openPage } from '../support/browser/browser.ts'
import { eventually, visit } from '../support/browser/steps.ts'
import { titleOf } from '../support/expect.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let owner: Person
let stranger: Person
let product = 0
let order = 0
beforeAll(async () => {
  shop = await openShop()
  owner = await shop.signUp('owner')
  stranger = await shop.signUp('stranger')
  product = (await shop.list(owner, { name: 'Speckled mug' })).id
  await owner.post(`/api/reviews/${product}/create-review`, { review: 'A fine mug.', stars: 5 })
  await owner.post(`/api/cart_items/add/${product}`, { quantity: 1 })
  order = (await owner.post('/api/orders/checkout')).body.id
})
afterAll(() => shop.close())

const path = (pattern: string) =>
  pattern
    .replace('{p}', String(product))
    .replace('{o}', String(order))
    .replace('{u}', owner?.user.username ?? '')
const toLogin = (pattern: string) => `/login?next=${encodeURIComponent(path(pattern))}`

/** Title and heading for those who may see the page; redirect for visitors who may not. */
const routes: [pattern: string, title: string, heading: string, visitors: 'welcome' | 'home' | 'login'][] = [
  ['/', 'Thrum · Where crafting skills are stronger than the Wi-Fi signal', 'Welcome to Thrum', 'welcome'],
  ['/categories/home-living', 'Home & Living · Thrum', 'Home & Living', 'welcome'],
  ['/shops/{u}', '{u} · Thrum', '{u}', 'welcome'],
  ['/makers', 'Makers · Thrum', 'Makers', 'welcome'],
  ['/search', 'All pieces · Thrum', 'All pieces', 'welcome'],
  ['/products/{p}', 'Speckled mug · Thrum', 'Speckled mug', 'welcome'],
  ['/products/{p}/reviews', 'Reviews · Thrum', 'Reviews', 'welcome'],
  ['/cart', 'Shopping Cart · Thrum', 'Shopping Cart', 'welcome'],
  ['/confirm-email?token=x', 'Confirm your address · Thrum', 'Confirm your address', 'welcome'],
  ['/products/{p}/edit', 'Update your listing · Thrum', 'Update your product details', 'home'],
  ['/products/new', 'Add a listing · Thrum', 'Tell us about your item and why we will love it', 'login'],
  ['/favourites', 'Favorites · Thrum', 'Favorites', 'login'],
  ['/settings/shop', 'Your shop page · Thrum', 'Your shop page', 'login'],
  ['/settings/policies', 'Photo and policies · Thrum', 'Photo and policies', 'login'],
  ['/your-listings', 'Your Listings · Thrum', 'Your Listings', 'login'],
  ['/your-listings/change', 'Change many at once · Thrum', 'Change the price by percent', 'login'],
  ['/settings/security', 'Security · Thrum', 'Security', 'login'],
  ['/settings/sections', 'Sections · Thrum', 'Sections', 'login'],
  ['/settings/postage', 'Postage · Thrum', 'Postage', 'login'],
  ['/settings/payment', 'Payment · Thrum', 'Payment', 'login'],
  ['/settings/holiday', 'Holiday · Thrum', 'Holiday', 'login'],
  ['/settings/letters', 'Letters · Thrum', 'Letters', 'login'],
  ['/import', 'Move in from Etsy · Thrum', 'Move in from Etsy', 'login'],
  ['/import/photos', 'Photos of your drafts · Thrum', 'Photos of your drafts', 'login'],
  ['/settings/addresses', 'Addresses · Thrum', 'Addresses', 'login'],
  ['/settings/notices', 'Notices · Thrum', 'Notices', 'login'],
  ['/settings/seller', 'Seller details · Thrum', 'Seller details', 'login'],
  ['/sell', 'Sell with us · Thrum', 'Sell with us', 'welcome'],
  ['/report?listing={p}', 'Report · Thrum', 'Report', 'welcome'],
  ['/notifications', 'Notifications · Thrum', 'Notifications', 'login'],
  ['/products/{p}/create-review', 'Leave a review of Speckled mug · Thrum', 'Leave a review', 'login'],
  ['/products/{p}/edit-review', 'Edit your review · Thrum', 'Edit your review', 'login'],
  ['/products/{p}/delete-review', 'Delete your review · Thrum', 'Are you sure you want to delete?', 'login'],
  ['/orders/view', 'Your Orders · Thrum', 'Your Orders', 'login'],
  ['/orders', 'All your orders · Thrum', 'All your orders', 'login'],
  ['/orders/{o}', 'Order #{o} · Thrum', 'Order #{o}', 'login'],
  ['/messages', 'Messages · Thrum', 'Messages', 'login'],
  ['/sold', 'Sold · Thrum', 'Sold', 'login'],
  ['/sold/{o}', 'Order #{o} · Thrum', 'Order #{o}', 'login'],
  ['/sold/{o}/slip', 'Packing slip of order #{o} · Thrum', 'Packing slip of order #{o}', 'login'],
  ['/orders/{o}/delete-order', 'Cancel order · Thrum', 'Are you sure you want to cancel?', 'login'],
]

test.each(routes)('%s for a logged-in user', async (pattern, title, heading) => {
  const response = await owner.get(path(pattern))
  expect([response.status, titleOf(response.body)]).toEqual([200, path(title)])
  const there = await visit(shop, 'with scripts', { signedInAs: owner })
  expect(await there.go(path(pattern))).toBe(200)
  await there.page.getByRole('heading', { name: path(heading), exact: true, level: 1 }).waitFor()
  expect(await there.page.title()).toBe(path(title))
})

test.each(routes)('%s for a visitor', async (pattern, title, _heading, visitors) => {
  const visitor = shop.visitor()
  const response = await visitor.get(path(pattern))
  const there = await visit(shop, 'with scripts')
  expect(await there.go(path(pattern))).toBe(200)
  if (visitors === 'welcome') {
    expect([response.status, titleOf(response.body)]).toEqual([200, path(title)])
    expect(await there.page.title()).toBe(path(title))
  } else {
    expect([response.status, response.headers.location]).toEqual([
      302,
      visitors === 'home' ? '/' : toLogin(pattern),
    ])
    await there.arrives(visitors === 'home' ? '/' : toLogin(pattern))
  }
})

test.each(['/login', '/signup'])('%s redirects a logged-in user', async address => {
  const title = address === '/login' ? 'Log in · Thrum' : 'Sign up · Thrum'
  const response = await shop.visitor().get(address)
  expect([response.status, titleOf(response.body)]).toEqual([200, title])
  const sentHome = await owner.get(address)
  expect([sentHome.status, sentHome.headers.location]).toEqual([302, '/'])
})

test('every page has header and footer, whose logo leads home', async () => {
  const there = await visit(shop, 'without scripts', { signedInAs: owner, expects: [/status of 404/] })
  const guest = await visit(shop, 'without scripts')
  const own = [...routes.map(([pattern]) => path(pattern)), '/nothing']
  for (const address of [...own, '/login', '/signup']) {
    const { page, one, go } = own.includes(address) ? there : guest
    await go(address)
    expect(await page.getByRole('banner').count(), address).toBe(1)
    expect(await page.getByRole('contentinfo').count(), address).toBe(1)
    expect(await one('link', 'Thrum, home').getAttribute('href'), address).toBe('/')
  }
  await guest.press('link', 'Thrum, home')
  await guest.arrives('/')
})

test('the page of reviews shows only its heading', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${product}/reviews`)
  expect(await there.page.locator('main').textContent()).toBe('Reviews')
})

test('the landing page links a logged-in user to a new listing', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: owner })
  await there.go('/')
  await there.press('link', '+ Add a product listing')
  await there.arrives('/products/new')
})

test('the cart needs a login; a visitor sees a login link', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/cart')
  expect(await there.page.locator('main').textContent()).toBe('Log In')
})

test('the edit form redirects other users home', async () => {
  const response = await stranger.get(`/products/${product}/edit`)
  expect([response.status, response.headers.location]).toEqual([302, '/'])
  const there = await visit(shop, 'with scripts', { signedInAs: stranger })
  await there.go(`/products/${product}/edit`)
  await there.arrives('/')
  await there.go(`/products/${product}`)
  expect(await there.page.getByRole('link', { name: 'Edit this listing' }).count()).toBe(0)
})

test('links navigate without loading a document, set the title and focus the top of the page', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: owner })
  await there.go('/')
  await there.page.evaluate(() => Object.assign(window, { sameDocument: true }))
  await there.page.getByRole('link', { name: 'Speckled mug' }).click()
  await eventually(() => there.page.title()).toBe('Speckled mug · Thrum')
  expect(await there.page.evaluate(() => document.activeElement?.id)).toBe('main')
  await there.press('link', 'Thrum, home')
  await there.arrives('/')
  expect(await there.page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('the footer names the four members of the team, with links', async () => {
  const page = await openPage(shop)
  await go(page, '/')
  const team = page.getByRole('region', { name: 'The team' }).getByRole('link')
  expect(await team.count()).toBe(4)
  for (const link of await team.all()) expect(await link.getAttribute('href')).toMatch(/^https:\/\//)
})

test('name, tagline and team come from brand.ts', async () => {
  const page = await openPage(shop)
  await go(page, '/')
  const footer = page.getByRole('contentinfo')
  for (const text of [defaultBrand.name, defaultBrand.tagline])
    await footer.getByText(text, { exact: true }).waitFor()
  const team = footer.getByRole('region', { name: 'The team' }).getByRole('link')
  expect(await team.allTextContents()).toEqual(defaultBrand.team.map(({ name }) => name))
  for (const [at, { profile }] of defaultBrand.team.entries())
    expect(await team.nth(at).getAttribute('href')).toBe(profile)
})

test('further listings are reached by a link', async () => {
  const maker = await shop.signUp('maker')
  for (let n = 1; n <= 25; n++) await shop.list(maker, { name: `Piece ${n}` })
  const there = await visit(shop, 'without scripts', { signedInAs: maker })
  for (const address of ['/', '/your-listings']) {
    await there.go(address)
    await there.sees('Piece 25')
    expect(await there.text('Piece 1').count()).toBe(0)
    await there.press('link', 'Next 24')
    await there.sees('Piece 1')
    expect(await there.text('Piece 25').count()).toBe(0)
  }
})
