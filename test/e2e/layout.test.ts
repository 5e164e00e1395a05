import { afterAll, beforeAll, expect, test } from 'vitest'
import { go, openPage, settled } from '../support/browser/browser.ts'
import { expectFits } from '../support/browser/looks.ts'
import { gate } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let demo: Person
let product: string
beforeAll(async () => {
  shop = await openShop({ settings: { DEMO: 'on' } })
  demo = shop.visitor()
  await demo.post('/api/auth/login', { email: 'demo@example.com', password: 'handmade' })
  const { body } = await demo.get('/api/products/?limit=1')
  product = `/products/${body.products[0].id}`
}, 120_000)
afterAll(() => shop.close())

const paths = () => [
  '/',
  '/categories/toys-entertainment',
  '/search',
  '/search?q=pot&min=1&rating=1&in_stock=true&sort=price_asc',
  product,
  `${product}/create-review`,
  '/cart',
  '/cart?checkout=yes',
  '/orders/view',
  '/your-listings',
  '/settings/security',
  '/products/new',
  '/shops/demo',
  '/settings/shop',
  '/favourites',
  '/nowhere',
]

test('the demo shop fits every window, touch targets are large, and text at double size fits', async () => {
  const page = await openPage(shop, { signedInAs: demo, expects: [/status of 404/] })
  for (const path of paths()) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await go(page, path)
    await expectFits(page)
  }
})

test('the welcome shows three well rated pieces of the list, with links to them, on a phone too', async () => {
  const page = await openPage(shop)
  const { products } = (await demo.get('/api/products/?limit=24')).body as {
    products: { id: number; rating: number | null }[]
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await go(page, '/')
    const links = page.getByRole('link', { name: /\S A piece by \S/ })
    const shown = await links.evaluateAll(all =>
      all.map(link => [link.getAttribute('href'), link.getBoundingClientRect().bottom < innerHeight]),
    )
    expect(shown).toHaveLength(3)
    for (const [href, isOnScreen] of shown) {
      const { rating } = products.find(({ id }) => href === `/products/${id}`) ?? {}
      expect([rating, isOnScreen]).toEqual([expect.closeTo(4.75, 0), true])
    }
  }
})

/** What the browser reports of a layout shift. */
interface LayoutShift {
  value: number
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Sum of the layout shifts, and the elements that moved. */
interface Shifts {
  shift: number
  moved: string[]
}

/** Expects a page to load with a cumulative layout shift below 0.02. A failure says what moved. */
async function expectStays(path: string, width: number, signedInAs?: Person, face?: 'late'): Promise<void> {
  const page = await openPage(shop, { width, ...(signedInAs ? { signedInAs } : {}) })
  const { open, opened } = gate()
  if (face === 'late')
    await page.route('**/*.woff2', async route => {
      await opened
      await route.continue()
    })
  await page.addInitScript(() => {
    const measured = window as unknown as Shifts
    measured.shift = 0
    measured.moved = []
    // Controls for browsers without scripts appear after a second, by an animation. On a busy machine scripts come later.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { animation-play-state: paused !important }')
    document.adoptedStyleSheets = [sheet]
    new PerformanceObserver(list => {
      for (const { value, sources } of list.getEntries() as unknown as LayoutShift[]) {
        measured.shift += value
        for (const { node, previousRect, currentRect } of sources) {
          const text = node?.textContent?.slice(0, 40)
          measured.moved.push(`${node?.nodeName} "${text}" from ${previousRect.y} to ${currentRect.y}`)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  if (face === 'late') {
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    expect(await page.evaluate(() => document.fonts.check('600 16px Fraunces'))).toBe(false)
  }
  open()
  await settled(page)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() =>
    Promise.all([...document.images].filter(i => i.loading !== 'lazy').map(i => i.decode())),
  )
  const { shift, moved } = await page.evaluate(() => {
    const { shift, moved } = window as unknown as Shifts
    return { shift, moved }
  })
  expect(shift, `${path} at ${width} px: ${moved.join(', ')}`).toBeLessThan(0.02)
}

test.each([390, 1280])(
  'landing, search and product stay where they are while they load, at %i px',
  async width => {
    await expectStays('/', width)
    await expectStays('/search?sort=price_asc', width)
    await expectStays(product, width)
    await expectStays('/cart', width, demo)
  },
)

test('a font that loads late causes almost no layout shift', async () => {
  for (const width of [390, 1280])
    for (const path of ['/', '/search?sort=price_asc', product])
      await expectStays(path, width, undefined, 'late')
})

test('the header has one row on a phone, and is not sticky with text at double size', async () => {
  const page = await openPage(shop, { width: 390 })
  await page.setViewportSize({ width: 390, height: 844 })
  await go(page, '/')
  const header = page.locator('.site-header')
  const before = await header.boundingBox()
  await page.locator('.logo .short').evaluate(name => {
    name.textContent = 'Stroud Makers'
  })
  expect(await header.boundingBox()).toEqual(before)
  await page.setViewportSize({ width: 800, height: 844 })
  await page.locator('.logo .full').evaluate(name => {
    name.textContent = 'The Stroud Valley Makers Co-operative'
  })
  expect((await header.boundingBox())?.height).toBe(before?.height)

  await page.setViewportSize({ width: 390, height: 844 })
  const place = () => header.evaluate(element => getComputedStyle(element).position)
  const bag = page.locator('a[href="/cart"] .icon')
  expect([await place(), (await bag.boundingBox())?.width]).toEqual(['sticky', 24])
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  expect([await place(), (await bag.boundingBox())?.width]).toEqual(['relative', 48])
})

test('on a phone "Add to cart" is visible at first, and hides no focused element', async () => {
  const page = await openPage(shop, { width: 375, signedInAs: demo })
  await page.setViewportSize({ width: 375, height: 667 })
  await go(page, product)
  const add = page.getByRole('button', { name: 'Add to cart', exact: true })
  const bottom = () => add.evaluate(button => innerHeight - button.getBoundingClientRect().bottom)
  expect(await bottom()).toBeGreaterThan(0)
  expect(await bottom()).toBeLessThan(40)
  const hidden: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const behind = await page.evaluate(() => {
      const focused = document.activeElement
      const bar = document.querySelector('.add-to-cart')
      if (!focused || !bar || bar.contains(focused) || focused === document.body) return ''
      const [box, over] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
      return box.top >= over.top && box.bottom <= over.bottom ? focused.outerHTML.slice(0, 100) : ''
    })
    if (behind) hidden.push(behind)
  }
  expect(hidden).toEqual([])
  await add.click()
  await page.getByText('Item added to cart!', { exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await page.locator('.add-to-cart').evaluate(row => getComputedStyle(row).position)).not.toBe('fixed')
})

test('elements of one line are aligned', async () => {
  const rated = await demo.get('/api/products/?sort=rating&limit=40')
  const { id } = rated.body.products.find(({ review_count }: { review_count: number }) => review_count < 3)
  const page = await openPage(shop, { width: 390, signedInAs: demo })
  /** Left edges or vertical centres of matching elements. */
  const edges = (selector: string) =>
    page.locator(selector).evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().left)))
  const middles = (selector: string) =>
    page.locator(selector).evaluateAll(all =>
      all.map(one => {
        const { top, bottom } = one.getBoundingClientRect()
        return (top + bottom) / 2
      }),
    )
  const spread = (numbers: number[]) => Math.max(...numbers) - Math.min(...numbers)

  await go(page, '/')
  expect(spread(await middles('.categories .category-count'))).toBeLessThan(1)
  await go(page, `/products/${id}`)
  const labels = await edges('.histogram-row > span:first-child')
  expect(labels).toHaveLength(5)
  expect(spread(labels)).toBe(0)

  const { body } = await demo.get('/api/products/?limit=40')
  const listed = body.products.map((listing: { id: number }) => listing.id)
  const reviews = await Promise.all(listed.map((id: number) => demo.get(`/api/reviews/${id}/reviews`)))
  const all: { product_id: number; verified: boolean }[] = reviews.flatMap(({ body }) => body)
  await go(page, `/products/${all.find(({ verified }) => verified)?.product_id}`)
  await page.setViewportSize({ width: 1280, height: 800 })
  const by = '.review:nth-child(1 of :has(.verified)) > .review-by'
  expect(spread(await middles(`${by} time, ${by} .verified span`))).toBeLessThan(1)

  await go(page, '/cart')
  await page.locator('.count').evaluate(count => {
    count.textContent = '24'
  })
  const [bag, count] = await Promise.all(
    ['a[href="/cart"] .icon', 'a[href="/cart"] .count'].map(one => page.locator(one).boundingBox()),
  )
  expect(count!.x).toBeGreaterThan(bag!.x + bag!.width / 2)
  await page.getByRole('button', { name: 'Proceed to checkout' }).click()
  expect(spread(await middles('.dialog-head h2, .dialog-close'))).toBeLessThan(1)
})

test('without scripts a cart line stays one row on a wide screen', async () => {
  const page = await openPage(shop, { scripts: false, signedInAs: demo })
  await go(page, '/cart')
  const tops = await page
    .locator('.cart-line')
    .first()
    .locator('.cart-line-about, .quantity, button')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]))
  expect(Math.max(...tops.map(([top]) => top!))).toBeLessThan(Math.min(...tops.map(([, bottom]) => bottom!)))
})
