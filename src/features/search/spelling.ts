import { sql } from 'kysely'
import { type Database, isTooSlow, transaction } from '#platform/database/database.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { Problem } from '#problem'

/** A word that listings say, or that stands for one that they do. */
export interface FuzzyTerm {
  word: string
  stem: string
}

/** Of the words of a query that occur nowhere only the first so many are mended. */
const MOST_MENDED = 3
/** Milliseconds for all of them, with the time in which others are mended before. */
const WITHIN_MS = 300
/** How many words that look like one that was typed are considered. */
const MOST_ALIKE = 40

/** However many search, one connection to the database and one of its processors mend what they typed. */
const inTurn = limitConcurrency({
  name: 'mending',
  atOnce: 1,
  waiting: 100,
  busy: 'Many mistyped words are being looked up',
})

/**
 * For each of these words, which occur nowhere, those that are spelled nearly like it, the likeliest first. A word for
 * which there is none, or no time, is left out.
 * @param further words that may be meant beside those that listings say
 * @param within milliseconds for all of them
 */
export async function correct(
  db: Database,
  words: string[],
  further: FuzzyTerm[],
  within = WITHIN_MS,
): Promise<Map<string, FuzzyTerm[]>> {
  const mended = new Map<string, FuzzyTerm[]>()
  const typed = words.filter(word => mostEdits(word) > 0).slice(0, MOST_MENDED)
  if (typed.length === 0) return mended
  const until = performance.now() + within
  const lookUp = () =>
    transaction(db, async db => {
      for (const word of typed) {
        const left = Math.floor(until - performance.now())
        if (left <= 0) return
        const alike = nearest(word, [...(await candidates(db, word, left)), ...further])
        if (alike.length > 0) mended.set(word, alike)
      }
    })
  await inTurn(async () => {
    if (performance.now() < until) await lookUp()
  }).catch(error => {
    // Whoever comes when too many wait goes without, as does whoever would have to wait for long.
    if (!isTooSlow(error) && !(error instanceof Problem)) throw error
  })
  return mended
}

/** Edits after which a word is another one: one up to five letters, two beyond. */
const mostEdits = (word: string) => (word.length < 3 ? 0 : word.length < 6 ? 1 : 2)

/** Words of listings that share enough trigrams with this one. The fewer it has, the fewer are left by one edit. */
async function candidates(db: Database, word: string, within: number): Promise<FuzzyTerm[]> {
  const share = word.length < 4 ? '0.1' : word.length < 6 ? '0.25' : '0.2'
  await sql`
    select set_config('statement_timeout', ${String(within)}, true),
      set_config('pg_trgm.similarity_threshold', ${share}, true)
  `.execute(db)
  const { rows } = await sql<FuzzyTerm>`
    select word, stem from vocabulary where mends and word % ${word} order by word <-> ${word} limit ${MOST_ALIKE}
  `.execute(db)
  return rows
}

function nearest(word: string, candidates: FuzzyTerm[]): FuzzyTerm[] {
  // Nearly 'candle' is also nearly 'candles', which is what listings may say.
  const far = candidates.map(each => ({
    ...each,
    edits: Math.min(editsBetween(word, each.word), editsBetween(word, each.stem)),
  }))
  const least = Math.min(...far.map(({ edits }) => edits))
  return far.filter(({ edits }) => edits === least && edits <= mostEdits(word))
}

/**
 * How many letters must be added, left out, replaced or swapped with their neighbour to make one word of the other:
 * the optimal string alignment distance (Damerau 1964, as restricted by Boytsov 2011).
 */
export function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const edits = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1))
      rows[i]?.push(swapped ? Math.min(edits, at(i - 2, j - 2) + 1) : edits)
    }
  }
  return at(a.length, b.length)
}
