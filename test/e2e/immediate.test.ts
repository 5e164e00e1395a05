import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, gate, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Two cart lines, with one kind of request delayed. */
async function cartOf(method: 'PUT' | 'DELETE', status: number) {
  const seller = await shop.signUp('seller')
  const shopper = await shop.signUp('shopper')
  for (const name of ['Speckled mug', 'Sage vase']) {
    const { id } = await shop.list(seller, { name, price: 10 })
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  }
  const expects = status >= 400 ? [new RegExp(`status of ${status}`)] : []
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects })
  const { open, opened } = gate()
  const blocked: string[] = []
  await there.page.route('**/api/cart_items/*', async route => {
    if (route.request().method() !== method) return route.continue()
    blocked.push(route.request().url())
    await opened
    if (status < 400) return route.continue()
    const message = 'The shop is very busy. Please try again'
    return route.fulfill({ status, headers: { 'retry-after': '1' }, json: { message, errors: [message] } })
  })
  await there.go('/cart')
  return { there, open, blocked }
}

test('of two quantities that are chosen in one moment the last one counts, though its request is the faster one', async () => {
  const { there, open, blocked } = await cartOf('PUT', 200)
  // Both before React has rendered the first one.
  await there.field('Quantity of Sage vase').evaluate(control => {
    const select = control as HTMLSelectElement
    for (const quantity of ['2', '3']) {
      select.value = quantity
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  await eventually(() => blocked.length).toBe(1)
  await there.sees('Total Price: $30.00')
  open()
  await there.sees('Total Price: $40.00')
  await eventually(() => blocked.length).toBe(2)
  expect(await there.valueOf('Quantity of Sage vase')).toBe('3')
  await there.page.waitForLoadState('networkidle')
  await there.go('/cart')
  await there.sees('Total Price: $40.00')
})

test('a removed line disappears at once', async () => {
  const { there, open } = await cartOf('DELETE', 200)
  await there.press('button', 'Remove Speckled mug')
  await there.missing('Speckled mug')
  await there.sees('Total Price: $10.00')
  open()
  await there.sees('Item was removed from your cart')
  expect(await there.text('Speckled mug').count()).toBe(0)
})

test('two quick removals both succeed, in any order', async () => {
  const { there, open } = await cartOf('DELETE', 200)
  await there.press('button', 'Remove Speckled mug')
  await there.press('button', 'Remove Sage vase')
  await there.sees('Your cart is empty')
  open()
  await there.sees('Item was removed from your cart')
  await there.page.waitForLoadState('networkidle')
  await there.go('/cart')
  await there.sees('Your cart is empty')
})

test('of two quick removals only the refused one comes back', async () => {
  const { there, open, blocked } = await cartOf('DELETE', 503)
  await there.press('button', 'Remove Speckled mug')
  await eventually(() => blocked.length).toBe(1)
  const { open: release, opened } = gate()
  await there.page.route('**/api/cart_items/*', async route => {
    await opened
    await route.continue()
  })
  await there.press('button', 'Remove Sage vase')
  await there.sees('Your cart is empty')
  open()
  await there.sees('The shop is very busy. Please try again')
  await there.sees('Speckled mug')
  await there.missing('Sage vase')
  release()
  await there.sees('Item was removed from your cart')
  await there.sees('Total Price: $10.00')
  expect(await there.text('Sage vase').count()).toBe(0)
  await there.sees('The shop is very busy. Please try again')
})

test('a line whose removal fails comes back with the reason', async () => {
  const { there, open } = await cartOf('DELETE', 503)
  await there.press('button', 'Remove Speckled mug')
  await there.missing('Speckled mug')
  open()
  await there.sees('The shop is very busy. Please try again')
  await there.sees('Speckled mug')
  await there.sees('Total Price: $20.00')
  await there.page.unroute('**/api/cart_items/*')
  await there.press('button', 'Remove Speckled mug')
  await there.sees('Item was removed from your cart')
})

test('a quantity changes at once, and changes back if refused', async () => {
  const { there, open } = await cartOf('PUT', 503)
  await there.choose('Quantity of Sage vase', '3')
  await there.sees('Total Price: $40.00')
  open()
  await there.sees('The shop is very busy. Please try again')
  await there.sees('Total Price: $20.00')
  expect(await there.valueOf('Quantity of Sage vase')).toBe('1')
})

test('a quantity chosen before hydration is sent after it', async () => {
  const shopper = await shop.signUp('early')
  const { id } = await shop.list(shopper, { name: 'Early mug', price: 10, stock: 9 })
  const { body: line } = await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  const { open, opened } = gate()
  await there.page.route('**/assets/entry*', async route => {
    await opened
    await route.continue()
  })
  await there.page.goto('/cart', { waitUntil: 'commit' })
  await there.choose('Quantity of Early mug', '3')
  open()
  const quantity = async () => {
    const { cart_items } = (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body
    return cart_items.find((each: { id: number }) => each.id === line.id).quantity
  }
  await eventually(quantity).toBe(3)
  await there.sees('Total Price: $30.00')
  expect(await there.valueOf('Quantity of Early mug')).toBe('3')
})

test('a quantity chosen during hydration is the one that is sent', async () => {
  const shopper = await shop.signUp('early')
  const { id } = await shop.list(shopper, { name: 'Momentary mug', price: 10, stock: 9 })
  await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  // Delays React's work: it hydrates at the first event.
  await there.page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    let isOpen = false
    const waiting: (() => void)[] = []
    MessagePort.prototype.postMessage = function (...args: [unknown]) {
      const send = () => postMessage.apply(this, args)
      isOpen ? send() : waiting.push(send)
    }
    const proceed = () => {
      isOpen = true
      for (const send of waiting) send()
    }
    Object.assign(window, { waiting, proceed })
  })
  await there.page.goto('/cart')
  await there.page.waitForFunction(() => (window as unknown as { waiting: [] }).waiting.length > 0)
  await there.choose('Quantity of Momentary mug', '3')
  await there.page.evaluate(() => (window as unknown as { proceed: () => void }).proceed())
  await there.sees('Total Price: $30.00')
  expect(await there.valueOf('Quantity of Momentary mug')).toBe('3')
})
