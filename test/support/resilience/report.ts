/** Heading of the part written by hand, which a run does not replace. */
const BY_HAND = '## Other observations'
const ROWS = '## Row by row'

/**
 * docs/reliability.md after a run: introduction, results and table are new, the part written by hand stays.
 * @param before the present page
 * @throws Error if one of its two headings is missing
 */
export function pageAfter(before: string, intro: string, summary: string, table: string): string {
  const [, manual] = new RegExp(`^${BY_HAND}\n(.*)^${ROWS}\n`, 'ms').exec(before) ?? []
  if (manual === undefined)
    throw new Error(`docs/reliability.md needs the headings "${BY_HAND}" and "${ROWS}", in this order`)
  return [intro.trim(), summary, BY_HAND, manual.trim(), ROWS, table]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}
