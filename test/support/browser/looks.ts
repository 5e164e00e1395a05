import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { barriers } from './axe.ts'

/** Elements wider than the window. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      element => element.getBoundingClientRect().right > clientWidth,
    )
    return [`${scrollWidth} > ${clientWidth}`, ...wide.map(element => element.outerHTML.slice(0, 120))]
  })

/** Controls smaller than 24 px in a direction, or main actions lower than 44 px. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // A link within a line of text may be as high as the line.
    const isWithinText = (element: HTMLElement) =>
      element.matches('p a, li > span a') &&
      element.parentElement?.textContent?.trim() !== element.textContent?.trim()
    return [...document.querySelectorAll<HTMLElement>('a, button, select, summary, input:not([type=hidden])')]
      .filter(element => element.checkVisibility() && !element.matches('.skip') && !isWithinText(element))
      .map(element => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ element, box }) => {
        const minHeight = element.matches('.button') ? 44 : 24
        return box.height < minHeight - 0.5 || box.width < 24
      })
      .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}×${box.height}`)
  })

/** Text that is clipped by a box, or overflows its pill. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Whether a box clips: to the side, and below. */
    const ends = (box: Element): [boolean, boolean] => {
      if (box.matches('.button, .note, .count, .initials')) return [true, true]
      const { overflowX, overflowY } = getComputedStyle(box)
      const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      return [cuts(overflowX), cuts(overflowY)]
    }
    /**
     * Scrolling boxes do not clip, text for screen readers is clipped on purpose, what ends with an ellipsis says so, and a
     * button after a box may open it.
     */
    const shows = (box: Element) => {
      const { overflow, clipPath, webkitLineClamp } = getComputedStyle(box)
      return (
        /auto|scroll/.test(overflow) ||
        clipPath !== 'none' ||
        webkitLineClamp !== 'none' ||
        box.matches(':has(+ details > summary)')
      )
    }
    const found: string[] = []
    const clipped = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = clipped.nextNode(); node; node = clipped.nextNode()) {
      const holder = node.parentElement
      if (!node.textContent?.trim() || !holder?.checkVisibility() || holder.closest('select, textarea'))
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const size = Number.parseFloat(getComputedStyle(holder).fontSize)
      for (const line of range.getClientRects()) {
        // Letters are lower than the line box.
        const [top, bottom] = [
          line.bottom - line.height / 2 - size / 2,
          line.top + line.height / 2 + size / 2,
        ]
        for (let box: Element | null = holder; box; box = box.parentElement) {
          if (shows(box)) break
          const [aside, below] = ends(box)
          const { left, right, top: from, bottom: to } = box.getBoundingClientRect()
          const lost =
            (aside && (line.left < left - 1 || line.right > right + 1)) ||
            (below && (top < from - 1 || bottom > to + 1))
          if (lost) found.push(`“${node.textContent.trim().slice(0, 40)}” in ${box.outerHTML.slice(0, 80)}`)
        }
      }
    }
    return found
  })

const sizes = [320, 375, 768, 1280, 2560]

/** Expects no overflow in any window, no small touch targets, and no clipped text. */
export async function expectFits(page: Page): Promise<void> {
  const { pathname: path } = new URL(page.url())
  for (const width of sizes) {
    await page.setViewportSize({ width, height: 800 })
    const [wide, clipped, small] = [
      await tooWide(page),
      await cut(page),
      width === 375 ? await tooSmall(page) : [],
    ]
    expect({ path, width, wide, clipped, small }).toEqual({ path, width, wide: [], clipped: [], small: [] })
  }
  await page.setViewportSize({ width: 640, height: 800 })
  const enlarge = (size: string) =>
    page.evaluate(size => {
      document.documentElement.style.fontSize = size
    }, size)
  await enlarge('200%')
  const [wide, clipped] = [await tooWide(page), await cut(page)]
  expect({ path, zoom: 2, wide, clipped }).toEqual({ path, zoom: 2, wide: [], clipped: [] })
  await enlarge('')
}

/** Expects no axe violations in both schemes, large and small. */
export async function expectOpen(page: Page): Promise<void> {
  // Only colours depend on the theme, and they are the same at every width.
  for (const [width, colorScheme, rules] of [
    [1280, 'light', 'all'],
    [1280, 'dark', 'colours'],
    [320, 'dark', 'all'],
    [320, 'light', 'colours'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    // After an error the page is scrolled: the sticky header covers a part of what can be scrolled back.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const broken = await barriers(page, rules)
    expect({ width, colorScheme, broken }).toEqual({ width, colorScheme, broken: [] })
  }
}
