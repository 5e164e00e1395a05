import { sql } from 'kysely'
import { type Database, transaction } from '#platform/database/database.ts'
import { isTooSlow } from '#platform/database/database-errors.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { Problem } from '#problem'

/** A word of the vocabulary, or a synonym of one. */
export interface FuzzyTerm {
  word: string
  stem: string
}

/** Maximum number of unknown words of a query that are corrected. */
const MAX_CORRECTED = 3
/** Time limit for all of them, including the queue, ms. */
const TIME_LIMIT_MS = 300
/** Maximum number of similar words considered. */
const MAX_SIMILAR = 40

/** Corrections use at most one database connection. */
const limited = limitConcurrency({
  name: 'mending',
  maxRunning: 1,
  maxWaiting: 100,
  busy: 'Many mistyped words are being looked up',
})

/**
 * Similar words for each of these unknown words, the likeliest first. Words without any, or without time left, are
 * missing.
 * @param extra words beside the vocabulary
 * @param timeLimit for all, ms
 */
export async function correct(
  db: Database,
  words: string[],
  extra: FuzzyTerm[],
  timeLimit = TIME_LIMIT_MS,
): Promise<Map<string, FuzzyTerm[]>> {
  const corrections = new Map<string, FuzzyTerm[]>()
  const typed = words.filter(word => maxEdits(word) > 0).slice(0, MAX_CORRECTED)
  if (typed.length === 0) return corrections
  const deadline = performance.now() + timeLimit
  const lookUp = () =>
    transaction(db, async db => {
      for (const word of typed) {
        const left = Math.floor(deadline - performance.now())
        if (left <= 0) return
        const similar = nearest(word, [...(await candidates(db, word, left)), ...extra])
        if (similar.length > 0) corrections.set(word, similar)
      }
    })
  await limited(async () => {
    if (performance.now() < deadline) await lookUp()
  }).catch(error => {
    // If the queue is full or too slow, the search goes without corrections.
    if (!isTooSlow(error) && !(error instanceof Problem)) throw error
  })
  return corrections
}

/** Maximum edit distance: one up to five letters, two beyond. */
const maxEdits = (word: string) => (word.length < 3 ? 0 : word.length < 6 ? 1 : 2)

/** Words of the vocabulary with enough common trigrams. Short words have few that survive an edit. */
async function candidates(db: Database, word: string, timeLimit: number): Promise<FuzzyTerm[]> {
  const threshold = word.length < 4 ? '0.1' : word.length < 6 ? '0.25' : '0.2'
  await sql`
    select set_config('statement_timeout', ${String(timeLimit)}, true),
      set_config('pg_trgm.similarity_threshold', ${threshold}, true)
  `.execute(db)
  const { rows } = await sql<FuzzyTerm>`
    select word, stem from vocabulary where mends and word % ${word} order by word <-> ${word} limit ${MAX_SIMILAR}
  `.execute(db)
  return rows
}

function nearest(word: string, candidates: FuzzyTerm[]): FuzzyTerm[] {
  // Similar to 'candle' is also similar to 'candles', which listings may have.
  const measured = candidates.map(each => ({
    ...each,
    edits: Math.min(editsBetween(word, each.word), editsBetween(word, each.stem)),
  }))
  const fewest = Math.min(...measured.map(({ edits }) => edits))
  return measured.filter(({ edits }) => edits === fewest && edits <= maxEdits(word))
}

/**
 * Edit distance with transpositions: the optimal string alignment distance (Damerau 1964, restricted by Boytsov
 * 2011).
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
