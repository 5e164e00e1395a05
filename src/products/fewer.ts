import type { Database } from '#server/database/database.ts'
import type { Part } from '#server/kept/kept.ts'
import { findNewest } from './newest.ts'
import { type Meaning, meaningOf, roomOf, type Term } from './words.ts'

/** Of so many words at most is tried which ones are said together. */
const MOST_TRIED = 6

/**
 * For words that no listing says together: as many of them as one does, taken from the last to the first, because in English
 * what it is stands behind what it is like. Undefined where a listing says all, or none says any.
 */
export const fewer = (
  db: Database,
  typed: string,
  meaning: Meaning,
  part: Part,
): Promise<Meaning | undefined> =>
  part(
    `fewer words ${typed}`,
    () => look(db, meaning),
    meaning => (meaning ? roomOf(meaning) : { bytes: 200 }),
  )

async function look(db: Database, { terms }: Meaning): Promise<Meaning | undefined> {
  const said = terms.filter(({ isSaid }) => isSaid)
  if (terms.length < 2 || (said.length === terms.length && (await areSaid(db, terms)))) return undefined
  let kept: Term[] = []
  for (const term of said.slice(-MOST_TRIED).toReversed()) {
    const more = [term, ...kept]
    if (await areSaid(db, more)) kept = more
  }
  return kept.length === 0 ? undefined : meaningOf(kept, '')
}

/** Whether some listing says all of these. */
async function areSaid(db: Database, terms: Term[]): Promise<boolean> {
  const { wide } = meaningOf(terms, '')
  if (!wide) return false
  const found = await findNewest(db, { asked: wide.said, filters: {}, after: undefined, most: 1 })
  return found.length > 0
}
