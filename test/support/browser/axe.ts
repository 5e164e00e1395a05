import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe looks for: every rule of the standards, or those alone that depend on colours. */
type Rules = 'all' | 'colours'

const runOnly: Record<Rules, RunOptions['runOnly']> = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast', 'link-in-text-block'],
}

/** Every rule that a page breaks as it stands there now, with the elements that break it: 'label: <input> …'. */
export async function barriers(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // Half a megabyte, which the page keeps until it is left.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // What keeps the rules is not described, which takes longer than to look.
  const options: RunOptions = { runOnly: runOnly[rules], resultTypes: ['violations'] }
  const look = (options: RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(options)
  const { violations } = await page.evaluate(look, options)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  )
}
