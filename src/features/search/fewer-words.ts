import type { LoadFragment } from '#platform/cache/response-cache.ts'
import type { Database } from '#platform/database/database.ts'
import { findCandidates } from './candidates.ts'
import { cacheSize, type ParsedQuery, parsedOf, type Term } from './parse-query.ts'

/** Maximum number of words for which subsets are tried. */
const MAX_TRIED = 6

/**
 * If no listing has all words of a query: some of them that a listing has together. Words are tried from last to first,
 * because in English the noun comes last. A word is taken if some listing has it together with those taken before, so a
 * larger subset without the last word may be missed. Undefined if a listing has all words, or none has any.
 */
export const fewerWords = (
  db: Database,
  typed: string,
  parsed: ParsedQuery,
  loadFragment: LoadFragment,
): Promise<ParsedQuery | undefined> =>
  loadFragment(
    `fewer words ${typed}`,
    () => subsetOf(db, parsed),
    parsed => (parsed ? cacheSize(parsed) : { bytes: 200 }),
  )

async function subsetOf(db: Database, { terms }: ParsedQuery): Promise<ParsedQuery | undefined> {
  const known = terms.filter(({ mayMatch }) => mayMatch)
  if (terms.length < 2 || (known.length === terms.length && (await hasMatch(db, terms)))) return undefined
  let subset: Term[] = []
  for (const term of known.slice(-MAX_TRIED).toReversed()) {
    const larger = [term, ...subset]
    if (await hasMatch(db, larger)) subset = larger
  }
  return subset.length === 0 ? undefined : parsedOf(subset, '')
}

/** Whether some listing has all of these. */
async function hasMatch(db: Database, terms: Term[]): Promise<boolean> {
  const { wide } = parsedOf(terms, '')
  if (!wide) return false
  const found = await findCandidates(db, { tsquery: wide.anywhere, filters: {}, after: undefined, limit: 1 })
  return found.length > 0
}
