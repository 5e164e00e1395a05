import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, gate, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

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

test('a pressed link is marked with the next frame, until the page is there', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/cart')
  // The page could be there before the next frame.
  const { open, opened } = gate()
  await there.page.route('**/api/**', async route => {
    await opened
    await route.continue()
  })
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
  open()
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

test('a page that is opened while a form is being sent shows what the form has changed, at the end', async () => {
  const maker = await shop.signUp('maker')
  const mug = await shop.list(maker, { name: 'Old mug' })
  const there = await visit(shop, 'with scripts', { signedInAs: maker })
  const { open, opened } = gate()
  await there.page.route(`**/api/products/${mug.id}/retire`, async route => {
    await opened
    await route.continue()
  })
  await there.go('/your-listings')
  await there.press('button', 'Retire Old mug')
  await there.press('link', 'Retired')
  await there.sees('Nothing is retired. A retired piece waits here until you bring it back')
  open()
  await there.one('button', 'Bring back Old mug').waitFor()
})
