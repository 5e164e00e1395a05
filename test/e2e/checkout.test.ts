import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../support/browser/browser.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const refused = { expects: [/status of 409/] }
const ORDER = 'Yes (place order)'

async function shopping() {
  const [seller, shopper] = [await shop.signUp('seller'), await shop.signUp('shopper')]
  const mug = await shop.list(seller, { name: 'Speckled mug', price: 10, stock: 5 })
  const vase = await shop.list(seller, { name: 'Sage vase', price: 10, stock: 5 })
  const put = async (id: number, quantity = 1) =>
    (await shopper.post(`/api/cart_items/add/${id}`, { quantity })).body.id as number
  const orders = async () => (await shopper.get('/api/orders/')).body
  return { seller, shopper, mug, vase, put, orders }
}

async function review(there: Visit): Promise<void> {
  await there.go('/cart')
  await there.press('button', 'Proceed to checkout')
  await there.dialog('Review Your Order')
}
/** The checkout: the dialog, or the page without scripts. */
const question = (there: Visit) =>
  there.scripted ? there.page.getByRole('dialog') : there.page.locator('main')
const problems = (there: Visit) => question(there).getByRole('alert').getByRole('listitem').allTextContents()
const keyOf = (there: Visit) => there.page.locator('input[name=key]').inputValue()

inEachMode(mode => {
  test('a price raised during checkout is shown before it is paid', async () => {
    const { seller, shopper, mug, put, orders } = await shopping()
    await put(mug.id, 2)
    const there = await visit(shop, mode, { signedInAs: shopper, ...refused })
    await review(there)
    const key = await keyOf(there)
    await question(there).getByText('Total Price: $20.00').waitFor()
    await seller.put(`/api/products/${mug.id}`, { ...mug, price: 12.5 })
    await there.press('button', ORDER)
    await question(there).getByText('Total Price: $25.00').waitFor()
    expect(await problems(there)).toEqual([
      'The total is now $25.00 instead of $20.00. Nothing was ordered yet: please look at it again',
    ])
    expect(await orders()).toEqual([])
    expect(await keyOf(there)).toBe(key)
    await there.press('button', ORDER)
    await there.arrives('/orders/view')
    await there.sees('Total $25.00')
  })

  test('a cart changed in another tab is shown before it is ordered', async () => {
    const { shopper, mug, vase, put, orders } = await shopping()
    const line = await put(mug.id)
    const there = await visit(shop, mode, { signedInAs: shopper, ...refused })
    await review(there)
    await shopper.delete(`/api/cart_items/${line}`)
    await put(vase.id)
    await there.press('button', ORDER)
    await question(there).getByText('1 × Sage vase').waitFor()
    expect(await problems(there)).toEqual([
      'Your cart has changed; the total is $10.00. Nothing was ordered yet: please look at it again',
    ])
    expect(await orders()).toEqual([])
    await there.press('button', ORDER)
    await there.arrives('/orders/view')
    await there.sees('Sage vase')
  })

  test('short lines are named, with a button that fixes each', async () => {
    const { seller, shopper, mug, vase, put, orders } = await shopping()
    const bowl = await shop.list(seller, { name: 'Ash bowl', price: 7 })
    for (const { id } of [mug, vase, bowl]) await put(id, 3)
    const there = await visit(shop, mode, { signedInAs: shopper, ...refused })
    await review(there)
    await seller.put(`/api/products/${mug.id}`, { ...mug, stock: 2 })
    const other = await shop.signUp('other')
    await other.post(`/api/cart_items/add/${vase.id}`, { quantity: 5 })
    await other.post('/api/orders/checkout')
    await seller.delete(`/api/products/${bowl.id}`)
    await there.press('button', ORDER)
    await question(there).getByRole('alert').waitFor()
    expect((await problems(there)).sort()).toEqual([
      'Ash bowl is no longer available',
      'Only 2 of Speckled mug left in stock',
      'Sage vase is sold out',
    ])
    for (const name of ['Take 2 of Speckled mug', 'Remove Sage vase', 'Remove this item']) {
      const button = question(there).getByRole('button', { name, exact: true })
      await there.pressThis(button)
      await button.waitFor({ state: 'detached' })
    }
    await question(there).getByText('Total Price: $20.00').waitFor()
    expect(await orders()).toEqual([])
    await eventually(() => there.one('button', ORDER).getAttribute('aria-disabled')).toBe(null)
    await there.press('button', ORDER)
    await there.arrives('/orders/view')
    expect(await orders()).toMatchObject([{ total: 20, products_ordered: [{ id: mug.id, quantity: 2 }] }])
  })

  test('Back after ordering does not order again', async () => {
    const { shopper, mug, put, orders } = await shopping()
    await put(mug.id)
    const there = await visit(shop, mode, { signedInAs: shopper, expects: [/status of 400/] })
    await review(there)
    await there.press('button', ORDER)
    await there.arrives('/orders/view')
    await there.page.goBack()
    // Without scripts the browser may show the cached page.
    const again = there.one('button', ORDER)
    if (!there.scripted && (await again.isVisible())) await again.click()
    await there.sees('Your cart is empty')
    expect(await orders()).toHaveLength(1)
  })

  test('an order in one tab is reported in another, whose cart is then empty', async () => {
    const { shopper, mug, put, orders } = await shopping()
    await put(mug.id, 2)
    const there = await visit(shop, mode, { signedInAs: shopper, expects: [/status of 400/] })
    await review(there)
    const { id } = (await shopper.post('/api/orders/checkout')).body
    await there.press('button', ORDER)
    await there.page.getByText(`Already ordered, as order #${id}`).waitFor()
    await there.sees('Your cart is empty')
    await there.page.getByRole('link', { name: 'Cart, empty' }).waitFor()
    expect(await orders()).toHaveLength(1)
    await there.press('link', 'your orders')
    await there.arrives('/orders/view')
    // An empty cart without a checkout has no message.
    await there.go('/cart')
    await there.sees('Your cart is empty')
    expect(await there.page.getByText('Already ordered').count()).toBe(0)
  })

  test('a cart that was emptied in another tab is not reported as ordered', async () => {
    const { shopper, mug, vase, put, orders } = await shopping()
    await put(vase.id)
    await shopper.post('/api/orders/checkout')
    const line = await put(mug.id)
    const there = await visit(shop, mode, { signedInAs: shopper, expects: [/status of 400/] })
    await review(there)
    await shopper.delete(`/api/cart_items/${line}`)
    await there.press('button', ORDER)
    await there.sees('Your cart is empty')
    expect(await there.page.getByText('Already ordered').count()).toBe(0)
    expect(await orders()).toHaveLength(1)
  })

  test('a changed price is shown in the cart and in the checkout', async () => {
    const { seller, shopper, mug, vase, put } = await shopping()
    await put(mug.id, 2)
    await put(vase.id)
    await seller.put(`/api/products/${mug.id}`, { ...mug, price: 12.5 })
    const there = await visit(shop, mode, { signedInAs: shopper })
    await there.go('/cart')
    await there.sees('Price: $12.50')
    const oldPrices = () => there.page.locator('main').getByText('Was $', { exact: false }).allTextContents()
    expect(await oldPrices()).toEqual(['Was $10.00 when you added it'])
    await review(there)
    expect(await question(there).getByText('Was $10.00 when you added it').count()).toBe(1)
  })
})

test('a retry after a lost response is the same order', async () => {
  const { shopper, mug, put, orders } = await shopping()
  await put(mug.id)
  const expects = [/ERR_FAILED|Network failure/]
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects })
  await review(there)
  await there.page.route('**/api/orders/checkout', async route => {
    await route.fetch()
    await route.abort()
  })
  await there.press('button', ORDER)
  await there.sees('The connection was lost. Nothing you typed is gone: please try again')
  expect(await orders()).toHaveLength(1)
  await there.page.unrouteAll()
  await there.press('button', ORDER)
  await there.arrives('/orders/view')
  expect(await orders()).toHaveLength(1)
})

test('a session that ends during checkout keeps the cart, and the login leads back', async () => {
  const { shopper, mug, put, orders } = await shopping()
  await put(mug.id)
  const page = await openPage(shop, { signedInAs: shopper, expects: [/status of 401/] })
  await page.goto('/cart?checkout=yes')
  const customer = { ...shopper.user, cookie: shopper.cookie }
  await shopper.get('/api/auth/logout')
  await page.getByRole('button', { name: ORDER }).click()
  await page.waitForURL('**/login?next=%2Fcart%3Fcheckout%3Dyes')
  await page.getByLabel('Email').fill(customer.email)
  await page.getByLabel('Password').fill(shopper.password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page.getByText('1 × Speckled mug').waitFor()
  await page.getByRole('button', { name: ORDER }).click()
  await page.waitForURL('**/orders/view')
  await shopper.post('/api/auth/login', { email: customer.email, password: shopper.password })
  expect(await orders()).toHaveLength(1)
})
