/** What was written by hand: every run leaves it as it is. */
const BY_HAND = '## Seen besides'
const ROWS = '## Row by row'

/**
 * docs/reliability.md after a run: the introduction, what was seen and the table are new, what was written by hand is kept.
 * @param before the page as it is
 * @throws Error where its two headings are not there
 */
export function pageAfter(before: string, intro: string, seen: string, table: string): string {
  const [, kept] = new RegExp(`^${BY_HAND}\n(.*)^${ROWS}\n`, 'ms').exec(before) ?? []
  if (kept === undefined)
    throw new Error(`docs/reliability.md needs the headings "${BY_HAND}" and "${ROWS}", in this order`)
  return [intro.trim(), seen, BY_HAND, kept.trim(), ROWS, table].filter(Boolean).join('\n\n').concat('\n')
}
