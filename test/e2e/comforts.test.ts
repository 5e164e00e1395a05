import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { gate, picture, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let person: Person
let product: string
beforeAll(async () => {
  shop = await openShop()
  person = await shop.signUp('person')
  const { id } = await shop.list(person, { name: 'Speckled mug', price: 19.5, stock: 5 })
  await person.upload(`/api/products/${id}/images`, (await picture()).buffer)
  await person.post(`/api/reviews/${id}/create-review`, { review: 'A fine mug.', stars: 4 })
  await person.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  await person.post('/api/orders/checkout')
  await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  product = `/products/${id}`
})
afterAll(() => shop.close())

/**
 * The focused element if its focus is not visible: an outline of its own or of an ancestor, at least 2 px, with
 * contrast 3 to 1, in both schemes. Undefined if visible, '' without a focus.
 */
const hidden = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return ''
    const partsOf = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = partsOf(colour).map(part => {
        const fraction = part / 255
        return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const backgroundOf = (element: Element | null): string => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if (partsOf(backgroundColor)[3] !== 0) return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    const stands = (element: Element | null): boolean => {
      if (!element) return false
      const { outlineStyle, outlineWidth, outlineColor, opacity } = getComputedStyle(element)
      if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2 || opacity === '0') return false
      const [one, other] = [luminance(outlineColor), luminance(backgroundOf(element.parentElement))]
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= 3
    }
    const root = document.documentElement
    const invisible = ['light', 'dark'].filter(scheme => {
      root.style.colorScheme = scheme
      return !stands(focused) && !stands(focused.closest('.drop-zone'))
    })
    root.style.colorScheme = ''
    return invisible.length > 0 ? `${invisible}: ${focused.outerHTML.slice(0, 120)}` : undefined
  })

test('every focusable element has a visible focus, in both schemes', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  const found: string[] = []
  let reached = 0
  const walk = async (place: string) => {
    for (let presses = 0; presses < 40; presses++) {
      await there.page.keyboard.press('Tab')
      const invisible = await hidden(there.page)
      if (invisible === '') break
      reached++
      if (invisible) found.push(`${place} ${invisible}`)
    }
  }
  const pages = ['/', '/search?min=1', product, `${product}/edit-review`, '/cart', '/orders/view']
  for (const path of [...pages, '/your-listings', '/products/new', '/settings/shop', '/settings/security']) {
    await there.go(path)
    await walk(path)
  }
  await there.go(product)
  await there.press('link', 'Enlarge the photo of Speckled mug')
  await there.press('button', 'Magnify')
  await walk('magnified photo')
  expect(found).toEqual([])
  expect(reached).toBeGreaterThan(100)
})

test('an order prints black on white, without navigation', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: person, theme: 'dark' })
  await there.go('/orders/view')
  await there.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const parts = await there.page.evaluate(() =>
    ['.site-header', '.site-footer', '.order .actions, .order .button'].map(selector =>
      [...document.querySelectorAll(selector)].map(element => element.checkVisibility()),
    ),
  )
  for (const results of parts) {
    expect(results.length).toBeGreaterThan(0)
    expect(results).not.toContain(true)
  }
  const order = there.page.locator('.order')
  expect(await order.textContent()).toMatch(/Speckled mug.*\$39\.00/)
  const { background, ink, breakInside } = await order.evaluate(element => {
    const { color, breakInside } = getComputedStyle(element)
    const background = getComputedStyle(document.documentElement).backgroundColor
    return { background, ink: color, breakInside }
  })
  expect({ background, ink, breakInside }).toEqual({
    background: 'rgb(255, 255, 255)',
    ink: 'rgb(0, 0, 0)',
    breakInside: 'avoid',
  })
})

test('prefers-contrast is respected, in both schemes', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  await there.go(product)
  const colours = () =>
    there.page.evaluate(() => {
      const of = (selector: string) => getComputedStyle(document.querySelector(selector) as Element)
      return { soft: of('.maker').color, ink: of('h1').color, line: of('.site-header').borderBottomColor }
    })
  for (const colorScheme of ['light', 'dark'] as const) {
    await there.page.emulateMedia({ colorScheme, contrast: 'no-preference' })
    const usual = await colours()
    await there.page.emulateMedia({ colorScheme, contrast: 'more' })
    const more = await colours()
    expect(usual.soft).not.toBe(usual.ink)
    expect(more.soft).toBe(more.ink)
    expect(more.line).not.toBe(usual.line)
    expect(await barriers(there.page, 'colours')).toEqual([])
  }
})

test('with forced colours, the progress bar is visible', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  await there.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await there.go('/your-listings')
  /** Colours along the upper edge of the window. */
  const edge = async () => {
    const clip = { x: 0, y: 0, width: 600, height: 3 }
    const { channels } = await sharp(await there.page.screenshot({ clip })).stats()
    return channels.slice(0, 3).map(({ mean }) => Math.round(mean))
  }
  const before = await edge()
  const { open, opened } = gate()
  await there.page.route('**/api/orders/**', async route => {
    await opened
    await route.continue()
  })
  await there.openMenu()
  await there.press('link', 'Your Orders')
  await there.page.locator('main[aria-busy=true]').waitFor()
  expect(await edge()).not.toEqual(before)
  open()
  await there.heading('Your Orders')
})
