import type { ConsoleMessage } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillListing } from '../support/browser/listing-form.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, picture, signIn, visit } from '../support/browser/steps.ts'
import { aMug, openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const offline = { expects: [/Network failure/, /ERR_INTERNET_DISCONNECTED/, /upload failed/] }
const isNetworkFailure = (message: ConsoleMessage) => message.text().includes('Network failure')
const UNREACHED = 'The connection was lost. Check your connection and try again.'
const LOST = 'The connection was lost. Nothing you typed is gone: please try again'

test('a form offline keeps its values and offers a retry; the console has the failure', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller, ...offline })
  await there.go('/products/new')
  await fillListing(there, { ...aMug, name: 'Lucky mug' })
  await there.pick('Photos and video', await picture())
  await there.page.context().setOffline(true)
  const logged = there.page.waitForEvent('console', isNetworkFailure)
  await there.press('button', 'Add a listing')
  await there.sees(LOST)
  await logged
  expect(await there.valueOf('Name')).toBe('Lucky mug')
  await there.page.context().setOffline(false)
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  await there.one('img', 'Lucky mug').waitFor()
})

test('a connection that is lost in the middle of a response keeps the form and what was typed', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller, ...offline })
  await there.page.addInitScript(() => {
    const whole = window.fetch
    window.fetch = async (input, init) => {
      const response = await whole(input, init)
      if (init?.method !== 'PUT') return response
      const broken = new ReadableStream({ start: body => body.error(new TypeError('network error')) })
      return new Response(broken, response)
    }
  })
  await there.go('/settings/shop')
  await there.fill('About you', 'Half a story')
  const logged = there.page.waitForEvent('console', isNetworkFailure)
  await there.press('button', 'Save')
  await there.sees(LOST)
  await logged
  expect(await there.valueOf('About you')).toBe('Half a story')
})

test('a failed script of a dialog or page is reported, and nothing typed is lost', async () => {
  const seller = await shop.signUp('seller')
  const expects = [...offline.expects, /Failed to fetch dynamically/, /status of 401/]
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects })
  await there.go('/settings/shop')
  await there.fill('About you', 'Half a story')
  await there.page.context().clearCookies()
  await there.press('button', 'Save')
  const dialog = there.one('dialog', 'Log In')
  const toLogin = there.page.locator('main').getByRole('link', { name: 'Log In' })
  await toLogin.waitFor()
  await there.page.context().setOffline(true)
  await toLogin.click()
  await dialog.getByText(LOST).waitFor()
  await there.page.context().setOffline(false)
  const [tab] = await Promise.all([
    there.page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: 'Try again in a new tab' }).click(),
  ])
  await tab.getByRole('heading', { name: 'Log In' }).waitFor()
  await signIn(there, seller)
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await there.valueOf('About you')).toBe('Half a story')
  await there.press('button', 'Save')
  // The status appears after the reload, so the page needs no connection any more.
  await there.one('status', '').getByText('Saved', { exact: true }).waitFor()
  expect((await seller.get(`/shops/${seller.user.username}`)).body).toContain('Half a story')
  await there.page.context().setOffline(true)
  await there.openMenu()
  await there.press('link', 'Your Orders')
  await there.heading('Unexpected Application Error!')
  await there.sees(UNREACHED)
})

test('login, the cart and a review can be retried', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller, { name: 'Plain mug' })
  const there = await visit(shop, 'with scripts', offline)
  const during = async (work: () => Promise<unknown>) => {
    await there.page.context().setOffline(true)
    await work()
    await there.page.context().setOffline(false)
  }
  await there.go('/login')
  await there.fill('Email', seller.user.email)
  await there.fill('Password', seller.password)
  await during(async () => {
    await there.press('button', 'Log In')
    await there.sees(LOST)
  })
  await there.press('button', 'Log In')
  await there.arrives('/')
  await there.go(`/products/${mug.id}`)
  await during(async () => {
    await there.press('button', 'Add to cart')
    await there.sees('Failed to add item to cart.')
  })
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  await there.go('/cart')
  await during(async () => {
    await there.choose('Quantity of Plain mug', '3')
    await there.sees(LOST)
    expect(await there.valueOf('Quantity of Plain mug')).toBe('1')
    const logged = there.page.waitForEvent('console', isNetworkFailure)
    await there.press('button', 'Remove Plain mug')
    await logged
    await there.sees(LOST)
  })
  await there.press('button', 'Remove Plain mug')
  await there.sees('Your cart is empty')
})

test('a note that is being written when its page is left is saved', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Noted mug' })
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go('/')
  await there.openCart()
  await there.page.getByText('Add a note').click()
  await there.page.locator('textarea').fill('With a ribbon')
  await there.page.evaluate(() => history.back())
  await there.arrives('/')
  await eventually(async () => (await ana.get('/api/checkout/')).body.parts[0].note).toBe('With a ribbon')
})

test('a note that could not be saved is saved after the next look at it', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Plain mug' })
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: ana, ...offline })
  await there.go('/cart')
  await there.page.getByText('Add a note').click()
  const note = there.page.locator('textarea')
  await there.page.context().setOffline(true)
  await note.fill('Blue, please')
  await note.blur()
  await there.sees(LOST)
  await there.page.context().setOffline(false)
  await note.focus()
  await note.blur()
  await there.sees('Saved')
  // And another one, or none.
  await note.fill('Green, please')
  await note.blur()
  await eventually(async () => {
    const { parts } = (await ana.get('/api/checkout/')).body
    return parts[0].note
  }).toBe('Green, please')
  await note.fill('Blue, please')
  await note.blur()
  await eventually(async () => (await ana.get('/api/checkout/')).body.parts[0].note).toBe('Blue, please')
  await there.press('button', 'Proceed to checkout')
  await there.press('button', 'Yes (place order)')
  await there.page.waitForURL('**/orders/view**')
  const [{ id }] = (await ana.get('/api/orders/')).body
  expect((await ana.get(`/api/orders/${id}/detail`)).body.note).toBe('Blue, please')
})

test('a page that cannot load offers a retry', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', { signedInAs: seller, ...offline })
  await there.go('/cart')
  await there.press('link', 'Thrum, home')
  await there.arrives('/')
  await there.page.context().setOffline(true)
  await there.openCart()
  await there.heading('Unexpected Application Error!')
  await there.sees(UNREACHED)
  // The drawing is inlined: no file can load.
  expect(await there.page.locator('.notice svg path').count()).toBe(2)
  await expectOpen(there.page)
  await expectFits(there.page)
  await there.page.context().setOffline(false)
  await there.press('link', 'Try again')
  await there.heading('Shopping Cart')
})

test('a page works without an optional component whose script fails', async () => {
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Sturdy mug' })
  const there = await visit(shop, 'with scripts', { expects: [/ERR_FAILED/, /status of 401/] })
  const tried: string[] = []
  await there.page.route(/\/assets\/(RecentlyViewed|Filters|Suggestions)/, route => {
    tried.push(route.request().url())
    return route.abort()
  })
  // Each page requests its script before it is left.
  const triedMore = (than: number) => eventually(() => tried.length).toBeGreaterThan(than)
  await there.go(`/products/${mug.id}`)
  await triedMore(0)
  await there.go('/search?q=mug')
  await triedMore(1)
  await there.page.locator(`a[href^="/products/${mug.id}"]`).first().click()
  await there.heading('Sturdy mug')
  await triedMore(2)
  await there.press('button', 'Add to cart')
  await there.sees('Please login to add items to cart.')
})
