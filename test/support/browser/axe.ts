import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Which rules axe checks: all of the standards, or those alone that depend on colours. */
type Rules = 'all' | 'colours'

const runOnly: Record<Rules, RunOptions['runOnly']> = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast', 'link-in-text-block'],
}

/** Violations on the page as it is now, with their elements: 'label: <input> …'. */
export async function barriers(page: Page, rules: Rules = 'all'): Promise<string[]> {
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
