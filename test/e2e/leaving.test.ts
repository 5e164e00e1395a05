import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let shopper: Person
let seller: Person
let put: (name: string) => Promise<number>
beforeAll(async () => {
  shop = await openShop()
  shopper = await shop.signUp('shopper')
  seller = await shop.signUp('seller')
  put = async name => {
    const { id } = await shop.list(seller, { name })
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    return id
  }
})
afterAll(() => shop.close())

test('removing a line focuses the next one, else the previous one, else the heading', async () => {
  for (const name of ['Round pot', 'Tall vase', 'Flat dish']) await put(name)
  const there = await visit(shop, 'by keyboard', { signedInAs: shopper })
  await there.go('/cart')
  const names = () => there.page.locator('.cart-line').getByRole('link').allTextContents()
  const [first = '', second = '', third = ''] = await names()
  const hasFocus = (role: 'button' | 'heading', name: string) =>
    eventually(() => there.one(role, name).evaluate(one => one === document.activeElement)).toBe(true)
  await there.press('button', `Remove ${second}`)
  await hasFocus('button', `Remove ${third}`)
  await there.page.keyboard.press('Enter')
  await hasFocus('button', `Remove ${first}`)
  await there.page.keyboard.press('Enter')
  await there.sees('Your cart is empty')
  await hasFocus('heading', 'Shopping Cart')
  // The page updates optimistically; wait for the server.
  await eventually(
    async () => (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items,
  ).toEqual([])
})

inEachMode(mode => {
  test('an order shows its date', async () => {
    await put('Dated mug')
    const { id } = (await shopper.post('/api/orders/checkout')).body
    await shop.db
      .updateTable('orders')
      .set({ created_at: new Date('2026-03-07T23:30:00Z') })
      .where('id', '=', id)
      .execute()
    const there = await visit(shop, mode, { signedInAs: shopper })
    await there.go('/orders/view')
    const order = there.page.locator('.order', { hasText: `Order #${id}` })
    expect(await order.locator('.order-day').textContent()).toBe(
      `Ordered on March 7, 2026 from ${seller.user.username}`,
    )
    expect(await order.locator('time').getAttribute('datetime')).toBe('2026-03-07T23:30:00.000Z')
  })
})

test('a page from the back-forward cache reloads its data', async () => {
  await put('Left mug')
  const { id } = (await shopper.post('/api/orders/checkout')).body
  const there = await visit(shop, 'with scripts', { signedInAs: shopper, expects: [/status of 409/] })
  await there.go('/orders/view')
  await there.press('button', `Cancel Order #${id}`)
  await there.one('button', 'Yes').waitFor()
  await shopper.delete(`/api/orders/${id}/delete-order`)
  await there.page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  )
  await there.one('link', 'Back to your orders').waitFor()
  expect(await there.one('button', 'Yes').count()).toBe(0)
})
