import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('a visitor’s pending action completes with its own login, and with no other', async () => {
  const mug = await shop.list(await shop.signUp('seller'))
  for (const declined of [false, true]) {
    const buyer = await shop.signUp('buyer')
    const there = await visit(shop, 'with scripts', { expects: [/status of 401/] })
    await there.go(`/products/${mug.id}`)
    await there.press('button', 'Add to cart')
    await there.sees('Please login to add items to cart.')
    const dialog = there.one('dialog', 'Log In')
    await there.press('link', 'Log In')
    if (declined) {
      await dialog.getByRole('button', { name: 'Close' }).click()
      await there.openMenu()
      await there.one('link', 'Log In').first().click()
    }
    await there.fill('Email', buyer.user.email)
    await there.fill('Password', buyer.password)
    await dialog.getByRole('button', { name: 'Log In' }).click()
    await eventually(() => dialog.count()).toBe(0)
    const cart = there.cart
    const count = declined ? 'empty' : '1 item'
    if (!declined) await there.sees('Item added to cart!')
    await there.openMenu()
    await there.sees(buyer.user.username)
    await there.one('link', `Cart, ${count}`).waitFor()
    await cart.click()
    await there.heading('Shopping Cart')
    const { cart_items } = (await buyer.get(`/api/cart_items/${buyer.user.id}`)).body
    expect(cart_items).toHaveLength(declined ? 0 : 1)
  }
})

test('without scripts, a visitor’s item is in the cart after the login, with a message', async () => {
  const mug = await shop.list(await shop.signUp('seller'), { stock: 2 })
  const buyer = await shop.signUp('buyer')
  const there = await visit(shop, 'without scripts', { expects: [/status of 401/] })
  await there.go(`/products/${mug.id}`)
  await there.choose('Quantity', '2')
  await there.press('button', 'Add to cart')
  await there.sees('Please login to add items to cart.')
  await there.page.locator('main').getByRole('link', { name: 'Log In', exact: true }).click()
  await there.fill('Email', buyer.user.email)
  await there.fill('Password', buyer.password)
  await there.press('button', 'Log In')
  await there.heading('Shopping Cart')
  await there.sees('Item added to cart!')
  const { cart_items } = (await buyer.get(`/api/cart_items/${buyer.user.id}`)).body
  expect(cart_items).toMatchObject([{ quantity: 2, product: { id: mug.id } }])
  // All units are in the cart already, so nothing was added.
  const other = await visit(shop, 'without scripts')
  await other.go(`/login?next=${encodeURIComponent(`/cart?add=${mug.id}&quantity=1`)}`)
  await other.fill('Email', buyer.user.email)
  await other.fill('Password', buyer.password)
  await other.press('button', 'Log In')
  await other.sees('Failed to add item to cart.')
  // Following such an address adds nothing, and that is no failure: the line may be ordered or removed since.
  await there.go('/cart?add=999999999&quantity=1')
  await there.heading('Shopping Cart')
  await there.missing('Failed to add item to cart.')
})

test('a login from the cart icon leads to the cart', async () => {
  const buyer = await shop.signUp('buyer')
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.openCart()
  await there.fill('Email', buyer.user.email)
  await there.fill('Password', buyer.password)
  await there.one('dialog', 'Log In').getByRole('button', { name: 'Log In', exact: true }).click()
  await there.heading('Shopping Cart')
  expect(there.path).toBe('/cart')
})

test('a logout without a response still logs out', async () => {
  const seller = await shop.signUp('seller')
  const there = await visit(shop, 'with scripts', {
    signedInAs: seller,
    expects: [/Network failure/, /net::ERR/],
  })
  await there.go('/cart')
  // Not with "times: 1": Chromium may drop the navigation that follows while interception ends.
  await there.page.route('**/api/auth/logout', route =>
    route.request().isNavigationRequest() ? route.continue() : route.abort('connectionfailed'),
  )
  await there.openMenu()
  await there.press('link', 'Log Out')
  await there.arrives('/')
  expect((await there.page.context().cookies()).filter(({ value }) => value)).toEqual([])
})

test('whoever is logged in by the time a login link opens presses again on the page of the piece', async () => {
  const { id } = await shop.list(await shop.signUp('seller'), { name: 'Late mug' })
  const buyer = await shop.signUp('buyer')
  for (const next of [`/cart?add=${id}&quantity=1`, `/favourites?save=${id}`]) {
    const { headers } = await buyer.get(`/login?next=${encodeURIComponent(next)}`)
    expect(headers.location).toBe(`/products/${id}`)
  }
  expect((await buyer.get('/login?next=%2Fcart')).headers.location).toBe('/cart')
  expect((await buyer.get(`/api/cart_items/${buyer.user.id}`)).body.cart_items).toEqual([])
})
