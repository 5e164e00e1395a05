import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/**
 * Which rules axe checks: those of the standards with the best practice of pages, those of the standards alone, or those that
 * depend on colours.
 */
type Rules = 'all' | 'standards' | 'colours'

const runOnly: Record<Rules, RunOptions['runOnly']> = {
  all: [...standards, 'best-practice'],
  standards,
  colours: ['color-contrast', 'link-in-text-block'],
}

/** Violations on the page as it is now, with their elements: 'label: <input> …'. */
export async function barriers(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // A pressed button is dimmed until the next page is there.
  await page.locator('[data-pressed]').waitFor({ state: 'detached' })
  // Waits for the end of transitions: colours in between are not checked. Endless animations have no end to wait for.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // Half a megabyte, loaded once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Without details of passed rules, which take longer than the check.
  const options: RunOptions = { runOnly: runOnly[rules], resultTypes: ['violations'] }
  const runAxe = (options: RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(options)
  const { violations } = await page.evaluate(runAxe, options)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  )
}
