import { sql } from 'kysely'
import type { Id } from '#contract'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { correct, type FuzzyTerm } from './spelling.ts'
import { synonymsIn } from './synonyms.ts'

/** A query as the database searches for it. */
export interface ParsedQuery {
  /** Listings with every word, in any inflection; null if there are only stop words. */
  exact: Tsqueries | null
  /** Also synonyms, prefixes, and corrections of unknown words. null: nothing can match. */
  wide: Tsqueries | null
  /** The corrected query; undefined if nothing was corrected. */
  readAs: string | undefined
  /** Word by word. */
  terms: Term[]
}

/** A word of the query with its alternatives. */
export interface Term {
  /** As typed or corrected. */
  word: string
  stem: string | null
  /** Alternative lexemes. */
  any: string[]
  /** Whether some listing may have one of them. */
  mayMatch: boolean
}

/** tsqueries on the stems of the catalogue. */
export interface Tsqueries {
  /** Anywhere in the listing. */
  anywhere: string
  /** In its name. */
  inName: string
}

/** Further words are ignored: each costs a search. */
export const MAX_WORDS = 12
/** Most words with a typed prefix that are looked up. */
const MAX_COMPLETIONS = 20

interface TypedWord {
  word: string
  stem: string | null
  known: boolean
  /** Stems of words with this prefix. */
  completions: string[]
}

/** Parses a query: stems, prefixes, and corrections of words that no listing has. */
export const parseQuery = (db: Database, typed: string, loadFragment: LoadFragment): Promise<ParsedQuery> =>
  loadFragment(`words ${typed}`, () => read(db, typed), cacheSize)

/** Estimated bytes in the cache. */
export const cacheSize = ({ exact, wide, terms }: ParsedQuery) => ({
  bytes:
    [exact, wide].reduce(
      (sum, tsqueries) => sum + 2 * (tsqueries ? tsqueries.anywhere.length + tsqueries.inName.length : 0),
      400,
    ) + terms.reduce((sum, { any }) => sum + 200 + 60 * any.length, 0),
})

async function read(db: Database, typed: string): Promise<ParsedQuery> {
  const [found, synonyms] = await Promise.all([lookUpWords(db, typed), synonymsIn(db)])
  const all = found ?? []
  // Stop words are ignored beside others; alone, one may be a prefix.
  const words = all.filter(({ stem }) => stem !== null || all.length === 1)
  const unknown = words.filter(
    ({ stem, known, completions }) => !known && completions.length === 0 && !synonyms.byStem.has(stem ?? ''),
  )
  const corrected = await correct(
    db,
    unknown.map(({ word }) => word),
    synonyms.words,
  )
  const terms = words.map(word => termOf(word, corrected.get(word.word) ?? [], synonyms.byStem))
  return parsedOf(terms, words.map(({ word }) => word).join(' '))
}

function termOf(
  { word, stem, known, completions }: TypedWord,
  corrections: FuzzyTerm[],
  byStem: Map<string, string[]>,
): Term {
  const own = [...(stem === null ? [] : [stem]), ...corrections.map(each => each.stem)]
  const stems = new Set([...own, ...completions, ...own.flatMap(stem => byStem.get(stem) ?? [])])
  // There may be more words than were looked up: the tsquery matches the prefix itself.
  const prefix = completions.length < MAX_COMPLETIONS ? [] : [`${lexeme(word)}:*`]
  return {
    word: corrections[0]?.word ?? word,
    stem,
    any: [...stems].map(lexeme).concat(prefix),
    mayMatch: known || stems.size > (stem === null ? 0 : 1),
  }
}

/** A query for all of these words. @param typed the query as typed, to detect a correction */
export function parsedOf(terms: Term[], typed: string): ParsedQuery {
  const stems = terms.flatMap(({ stem }) => (stem === null ? [] : [[lexeme(stem)]]))
  const read = terms.map(({ word }) => word).join(' ')
  return {
    exact: stems.length > 0 ? tsqueriesOf(stems) : null,
    wide:
      terms.length > 0 && terms.every(({ any }) => any.length > 0)
        ? tsqueriesOf(terms.map(({ any }) => any))
        : null,
    readAs: read === typed ? undefined : read,
    terms,
  }
}

/**
 * tsqueries that match one lexeme of each group. The catalogue has the lexemes of a name a second time, with the
 * prefix `n:`.
 */
function tsqueriesOf(words: string[][]): Tsqueries {
  const all = (mark: string) =>
    words.map(any => `(${any.map(each => `'${mark}${each.slice(1)}`).join('|')})`).join('&')
  return { anywhere: all(''), inName: all('n:') }
}

/** Looks up the words of a query; concurrent queries share one statement. */
const lookUpWords = batchLookups(async (db: Database, typed: string[]) => {
  const { rows } = await sql<TypedWord & { typed: string }>`
    select typed, word, stem, exists(select from vocabulary where vocabulary.stem = typed_words.stem) as known,
      array(
        select w.stem from vocabulary as w
        where w.word >= typed_words.word collate "C" and w.word < (typed_words.word || ${END}) collate "C"
          and char_length(typed_words.word) > 1
        limit ${MAX_COMPLETIONS}
      ) as completions
    from (
      select typed, number, word, (ts_lexize('english_stem', word))[1] as stem
      from unnest(${typed}::text[]) as typed cross join lateral (
        select word, number from regexp_split_to_table(plain_words(typed), ' ') with ordinality as split (word, number)
        where word <> ''
        order by number
        limit ${MAX_WORDS}
      ) as split_words
    ) as typed_words
    order by typed, number
  `.execute(db)
  return Map.groupBy(rows, row => row.typed)
})

/** Upper bound of a prefix: the last character of Unicode. */
const END = '\u{10ffff}'

/** A word as a part of a tsquery. */
export const lexeme = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Deletes unused words from the vocabulary. A word that is used again meanwhile is still found by its stem. */
export async function sweepVocabulary(db: Database): Promise<void> {
  await sql`
    delete from vocabulary where not exists (
      select from catalogue where stems @@ (quote_literal(vocabulary.stem)::tsquery)
    )
  `.execute(db)
}

/**
 * Before a user is deleted: deletes the words that only their listings had. Call it after the listings have left the
 * catalogue.
 */
export async function deleteVocabulary(db: Database, seller: Id): Promise<void> {
  await sql`
    delete from vocabulary where said_by = ${seller} and not exists (
      select from catalogue where stems @@ (quote_literal(vocabulary.stem)::tsquery)
    )
  `.execute(db)
}
