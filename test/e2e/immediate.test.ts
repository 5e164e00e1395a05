import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, gate, type Visit, visit } from '../support/browser/steps.ts'
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

/** Progress indication: [busy, the bar's animation, its delay in ms]. */
const arriving = ({ page }: Visit) =>
  page.locator('main').evaluate(main => {
    const { animationName, animationDelay } = getComputedStyle(main, '::before')
    return [main.getAttribute('aria-busy'), animationName, Number.parseFloat(animationDelay) * 1000]
  })

test('a progress bar shows within a tenth of a second of a navigation', async () => {
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Slow mug' })
  const there = await visit(shop, 'with scripts')
  await there.page.emulateMedia({ reducedMotion: 'no-preference' })
  const { open, opened } = gate()
  await there.page.route('**/api/products/**', async route => {
    await opened
    await route.continue()
  })
  await there.go('/')
  const link = there.page.locator(`a[href^="/products/${mug.id}"]`).first()
  await link.click()
  const isMarked = () => link.evaluate(a => Number(getComputedStyle(a).opacity) < 1)
  await eventually(isMarked).toBe(true)
  await eventually(async () => (await arriving(there))[0]).toBe('true')
  const [, animation, delay] = await arriving(there)
  expect(animation).toBe('arriving')
  expect(delay).toBeLessThan(100)
  open()
  await there.heading('Slow mug')
  await eventually(async () => (await arriving(there))[0]).toBe('false')
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

test('a listing is prefetched on hover or touch, and not loaded again when opened', async () => {
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Near mug' })
  for (const pointer of ['hover', 'touch'] as const) {
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    const methods: string[] = []
    there.page.on('request', request => {
      if (new URL(request.url()).pathname === `/api/products/${mug.id}`) methods.push(request.method())
    })
    const card = there.page.locator(`a[href^="/products/${mug.id}"]`).first()
    if (pointer === 'hover') await card.hover()
    else await card.dispatchEvent('touchstart')
    await eventually(() => methods).toEqual(['GET'])
    await card.click()
    await there.heading('Near mug')
    expect(methods).toEqual(['GET'])
  }
})

test('Back restores the scroll position', async () => {
  const seller = await shop.signUp('seller')
  for (let number = 1; number <= 20; number++) await shop.list(seller, { name: `Bowl ${number}` })
  const there = await visit(shop, 'with scripts', { width: 375 })
  await there.go('/')
  const card = there.page
    .locator('.card', { hasText: /Bowl 3(?!\d)/ })
    .getByRole('link')
    .first()
  await card.scrollIntoViewIfNeeded()
  const at = () => there.page.evaluate(() => Math.round(scrollY))
  const left = await at()
  expect(left).toBeGreaterThan(500)
  await card.click()
  await there.heading('Bowl 3')
  expect(await at()).toBe(0)
  await there.page.goBack()
  await there.heading('Welcome to Thrum')
  await eventually(at).toBe(left)
})

test('a view transition grows a card’s photo into its page', async () => {
  const mug = await shop.list(await shop.signUp('seller'), { name: 'Grown mug' })
  const there = await visit(shop, 'with scripts')
  await there.page.addInitScript(() => {
    const names: string[] = []
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = change => {
      const named = [...document.querySelectorAll('.card .photo')].filter(
        photo => getComputedStyle(photo).viewTransitionName === 'photo',
      )
      names.push(
        ...named.map(photo => photo.closest('.card')?.querySelector('.card-name')?.textContent ?? ''),
      )
      return start(change)
    }
    Object.assign(window, { names })
  })
  await there.go('/')
  await there.page.locator(`a[href^="/products/${mug.id}"]`).first().click()
  await there.heading('Grown mug')
  expect(await there.page.evaluate(() => (window as unknown as { names: string[] }).names)).toEqual([
    'Grown mug',
  ])
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

test('a pressed link is marked with the next frame, until the page is there', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/cart')
  const home = there.one('link', 'Thrum, home')
  const isMarked = await home.evaluate(
    link =>
      new Promise<boolean>(resolve => {
        link.addEventListener('click', () =>
          requestAnimationFrame(() => resolve(link.hasAttribute('data-pressed'))),
        )
        ;(link as HTMLElement).click()
      }),
  )
  expect(isMarked).toBe(true)
  await there.heading('Welcome to Thrum')
  await eventually(() => home.getAttribute('data-pressed')).toBeNull()
})

test('a navigation uses the prefetched responses', async () => {
  const { id } = await shop.list(await shop.signUp('seller'), { name: 'Awaited mug' })
  const there = await visit(shop, 'with scripts')
  const methods: string[] = []
  there.page.on('request', request => {
    if (new URL(request.url()).pathname === `/api/products/${id}`) methods.push(request.url())
  })
  await there.go('/')
  // The second time its scripts are loaded.
  for (const times of [1, 2]) {
    await there.page.locator(`a[href^="/products/${id}"]`).first().click()
    await there.heading('Awaited mug')
    expect(methods).toHaveLength(times)
    await there.press('link', 'Thrum, home')
    await there.heading('Welcome to Thrum')
  }
})
