import type { LoadFragment } from '#platform/cache/response-cache.ts'
import type { Database } from '#platform/database/database.ts'
import { findCandidates } from './candidates.ts'
import { cacheSize, meaningOf, type ParsedQuery, type Term } from './parse-query.ts'

/** Maximum number of words for which subsets are tried. */
const MOST_TRIED = 6

/**
 * For words that no listing has together: the largest subset that one has. Tries words from last to first, because
 * in English the noun comes last. Undefined if a listing has all, or none has any.
 */
export const fewer = (
  db: Database,
  typed: string,
  meaning: ParsedQuery,
  part: LoadFragment,
): Promise<ParsedQuery | undefined> =>
  part(
    `fewer words ${typed}`,
    () => look(db, meaning),
    meaning => (meaning ? cacheSize(meaning) : { bytes: 200 }),
  )

async function look(db: Database, { terms }: ParsedQuery): Promise<ParsedQuery | undefined> {
  const said = terms.filter(({ isSaid }) => isSaid)
  if (terms.length < 2 || (said.length === terms.length && (await areSaid(db, terms)))) return undefined
  let kept: Term[] = []
  for (const term of said.slice(-MOST_TRIED).toReversed()) {
    const more = [term, ...kept]
    if (await areSaid(db, more)) kept = more
  }
  return kept.length === 0 ? undefined : meaningOf(kept, '')
}

/** Whether some listing has all of these. */
async function areSaid(db: Database, terms: Term[]): Promise<boolean> {
  const { wide } = meaningOf(terms, '')
  if (!wide) return false
  const found = await findCandidates(db, { asked: wide.said, filters: {}, after: undefined, most: 1 })
  return found.length > 0
}
