/** The part written by hand, which a run keeps. */
const BY_HAND = '## Other observations'
const ROWS = '## Row by row'

/**
 * docs/reliability.md after a run: introduction, results and table are new, the part written by hand is kept.
 * @param before the present page
 * @throws Error if one of its two headings is missing
 */
export function pageAfter(before: string, intro: string, seen: string, table: string): string {
  const [, kept] = new RegExp(`^${BY_HAND}\n(.*)^${ROWS}\n`, 'ms').exec(before) ?? []
  if (kept === undefined)
    throw new Error(`docs/reliability.md needs the headings "${BY_HAND}" and "${ROWS}", in this order`)
  return [intro.trim(), seen, BY_HAND, kept.trim(), ROWS, table].filter(Boolean).join('\n\n').concat('\n')
}
