import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { defaultBrand } from '#brand'
import { unsubscribeLink } from '#platform/mail/delivery.ts'
import { builtPages } from '#platform/ssr/renderer.ts'
import { letterKinds } from '../../src/letters.ts'
import { barriers } from '../support/browser/axe.ts'
import { openPage } from '../support/browser/browser.ts'
import { openShop, type TestShop } from '../support/shop.ts'

const BASE = 'https://shop.example'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** The HTML of each kind of letter. */
async function drawn(): Promise<[kind: string, html: string][]> {
  const { renderLetter } = await (await builtPages(inject('built'))).renderer()
  return Object.entries(letterKinds).map(([kind, { sample, optional }]) => {
    const stop = optional ? unsubscribeLink(optional, '/letters/off/1.review.x') : undefined
    return [kind, renderLetter({ ...sample, stop }, BASE, defaultBrand)]
  })
}

test.each(['light', 'dark'] as const)('every letter fits a phone and has no barriers, %s', async theme => {
  const page = await openPage(shop, { width: 320, theme })
  for (const [kind, html] of await drawn()) {
    await page.setContent(html)
    // A letter is shown inside a page, whose landmarks it has none of.
    expect(await barriers(page, 'standards'), kind).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), kind).toBeLessThanOrEqual(320)
  }
})

test('every letter leads to the shop alone, and loads nothing', async () => {
  const page = await openPage(shop)
  for (const [kind, html] of await drawn()) {
    expect(html, kind).not.toMatch(/\bsrc(set)?=|url\(|@import|<(img|link|script|iframe)\b/i)
    await page.setContent(html)
    const links = await page.locator('[href]').evaluateAll(all => all.map(one => one.getAttribute('href')))
    expect(links.length, kind).toBeGreaterThan(0)
    for (const link of links) expect(new URL(link ?? '').origin, kind).toBe(BASE)
  }
})
