import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const optionsOf = (there: Visit, label: string) => there.field(label).locator('option').allTextContents()
/** Options that can be chosen. */
const offered = (there: Visit, label: string) =>
  there.field(label).locator('option:not([disabled])').allTextContents()
const upTo = (last: number) => Array.from({ length: last }, (_, index) => String(index + 1))

inEachMode(mode => {
  test('from the landing page to an order', async () => {
    const seller = await shop.signUp('seller')
    const shopper = await shop.signUp('shopper')
    const mug = await shop.list(seller, { name: `Mug ${mode}`, price: 24.5, stock: 40 })
    const vase = await shop.list(seller, { name: `Vase ${mode}`, price: 0.1, stock: 40 })
    const there = await visit(shop, mode, { signedInAs: shopper })

    await there.go('/')
    await there.heading('Welcome to Thrum')
    await there.pressThis(there.page.getByRole('link', { name: mug.name }))
    await there.arrives(`/products/${mug.id}`)
    await there.heading(mug.name)
    expect(await optionsOf(there, 'Quantity')).toEqual(['1', '2', '3'])
    await there.choose('Quantity', '3')
    await there.press('button', 'Add to cart')
    await there.sees('Item added to cart!')

    await there.go(`/products/${vase.id}`)
    await there.press('button', 'Add to cart')
    await there.sees('Item added to cart!')
    await there.openCart()
    await there.arrives('/cart')
    await there.heading('Shopping Cart')
    await there.sees('Price: $24.50')
    await there.sees('Total Price: $73.60')

    const quantity = `Quantity of ${vase.name}`
    expect(await optionsOf(there, quantity)).toEqual(upTo(30))
    await there.choose(quantity, '3')
    if (!there.scripted)
      await there.page.getByRole('listitem').filter({ hasText: vase.name }).getByText('Update').click()
    await there.sees('Total Price: $73.80')
    expect(await there.valueOf(quantity)).toBe('3')
    // The page updates optimistically; wait for the server.
    const own = `/api/cart_items/${shopper.user.id}`
    await eventually(async () => (await shopper.get(own)).body.cart_items.at(-1).quantity).toBe(3)

    await there.press('button', `Remove ${vase.name}`)
    await there.sees('Item was removed from your cart')
    await there.sees('Total Price: $73.50')
    await there.missing(vase.name)
    await there.press('button', 'Undo')
    await there.sees('Total Price: $73.80')
    expect(await there.valueOf(quantity)).toBe('3')
    expect(await there.one('button', 'Undo').count()).toBe(0)
    await there.press('button', `Remove ${vase.name}`)
    await there.sees('Item was removed from your cart')
    await there.sees('Total Price: $73.50')

    await there.press('button', 'Proceed to checkout')
    await there.dialog('Review Your Order')
    await there.sees('are you sure you want to order these items?')
    await there.press('button', 'No')
    await there.arrives('/cart')
    await there.heading('Shopping Cart')
    await there.press('button', 'Proceed to checkout')
    await there.dialog('Review Your Order')
    await there.page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await there.press('button', 'Yes (place order)')

    await there.arrives('/orders/view')
    await there.heading('Your Orders')
    await there.sees('Total $73.50')
    await there.sees('$24.50')
    await there.sees('Quantity: 3')
    await there.sees('Product Not Shipped Yet')
    // A loaded document has no dialog of the page before.
    expect(await there.page.evaluate(() => 'sameDocument' in window)).toBe(false)
    expect(await there.page.getByRole('dialog').count()).toBe(0)
    expect(await shop.stockOf(mug.id)).toBe(37)
    await there.go('/cart')
    await there.sees('Your cart is empty')
  })

  test('an order is placed, then cancelled', async () => {
    const seller = await shop.signUp('seller')
    const shopper = await shop.signUp('shopper')
    const mug = await shop.list(seller, { stock: 4 })
    await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 3 })
    const order = (await shopper.post('/api/orders/checkout')).body
    const there = await visit(shop, mode, { signedInAs: shopper })

    await there.go('/orders/view')
    await there.sees(`Order #${order.id}`)
    await there.press('button', `Cancel Order #${order.id}`)
    await there.dialog('Are you sure you want to cancel?')
    await there.press('button', 'No (Keep Order)')
    await there.arrives('/orders/view')
    await there.missing('Are you sure you want to cancel?')
    expect(await shop.stockOf(mug.id)).toBe(1)

    await there.press('button', `Cancel Order #${order.id}`)
    await there.dialog('Are you sure you want to cancel?')
    await there.press('button', 'Yes')
    await there.arrives('/orders/view')
    await there.sees('The order is cancelled. Its maker has been told')
    await there.missing('Thank you. What happens next')
    await there.sees('No orders')
    expect(await shop.stockOf(mug.id)).toBe(4)
  })

  test('a deleted listing shows in the cart until it is removed', async () => {
    const seller = await shop.signUp('seller')
    const shopper = await shop.signUp('shopper')
    const mug = await shop.list(seller)
    await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
    await seller.delete(`/api/products/${mug.id}`)
    const there = await visit(shop, mode, { signedInAs: shopper })

    await there.go('/cart')
    await there.sees('Product details not available')
    await there.sees('Total Price: $0.00')
    await there.press('button', 'Remove this item')
    await there.sees('Your cart is empty')
    await there.sees('Item was removed from your cart')
  })

  test('a quantity above the stock is refused with a message', async () => {
    const seller = await shop.signUp('seller')
    const shopper = await shop.signUp('shopper')
    const other = await shop.signUp('other')
    const last = await shop.list(seller, { name: `Last ${mode}`, stock: 2 })
    /** Another buyer is faster, while the page shows the old stock. */
    const sellOne = async () => {
      await other.post(`/api/cart_items/add/${last.id}`, { quantity: 1 })
      return (await other.post('/api/orders/checkout')).body.id
    }
    const there = await visit(shop, mode, { signedInAs: shopper, expects: [/status of 409/] })

    await there.go(`/products/${last.id}`)
    expect(await offered(there, 'Quantity')).toEqual(['1', '2'])
    await there.choose('Quantity', '2')
    const order = await sellOne()
    await there.press('button', 'Add to cart')
    await there.sees('Failed to add item to cart.')
    await eventually(() => offered(there, 'Quantity')).toEqual(['1'])
    expect(await there.valueOf('Quantity')).toBe('1')
    await there.press('button', 'Add to cart')
    await there.sees('Item added to cart!')
    await other.delete(`/api/orders/${order}/delete-order`)
    await there.go('/cart')
    expect(await offered(there, `Quantity of ${last.name}`)).toEqual(['1', '2'])
    await sellOne()
    await there.choose(`Quantity of ${last.name}`, '2')
    if (!there.scripted) await there.press('button', 'Update')
    await there.page.getByRole('alert').waitFor()
    await eventually(() => there.valueOf(`Quantity of ${last.name}`)).toBe('1')
  })
})

test('a logged-out user logs in beside the message, and the item is in the cart', async () => {
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Late mug' })
  const expects = [/status of 401/]
  const there = await visit(shop, 'by keyboard', { signedInAs: shopper, expects })
  await there.go(`/products/${mug.id}`)
  await there.page.context().clearCookies()
  await there.press('button', 'Add to cart')
  await there.sees('Please login to add items to cart.')
  await there.press('link', 'Log In')
  await there.sees('Log in to add Late mug to your cart')
  await there.fill('Email', shopper.user.email)
  await there.fill('Password', shopper.password)
  await there.press('button', 'Log In')
  await there.sees('Item added to cart!')
  expect(await there.one('link', 'Log In').count()).toBe(0)
})

test('a line of an order has its number, listing, price and quantity', async () => {
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Kept mug', price: 24.5 })
  await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 })
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/orders/view')
  const line = there.page.getByRole('listitem').getByRole('listitem')
  expect(await line.locator('> :not(.photo)').allTextContents()).toEqual([
    `Order #${id}`,
    'Kept mug',
    '$24.50',
    'Quantity: 2',
    'Together $49.00',
  ])
  await there.sees('Total $49.00')
})

test('a price that is no number shows as N/A, and counts as 0', async () => {
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(await shop.signUp('seller'))
  await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 2 })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/')
  for (const price of [null, 'free']) {
    await there.page.route('**/api/cart_items/*', async route => {
      const { cart_items } = await (await route.fetch()).json()
      const lines = cart_items.map((line: { product: object }) => ({
        ...line,
        product: { ...line.product, price },
      }))
      await route.fulfill({ json: { cart_items: lines } })
    })
    await there.openCart()
    await there.sees('Price: $N/A')
    await there.sees('Total Price: $0.00')
    await there.press('link', 'Thrum, home')
    await there.page.unrouteAll()
  }
})
