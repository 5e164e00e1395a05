import { sql } from 'kysely'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { correct, type FuzzyTerm } from './spelling.ts'
import { synonymsIn } from './synonyms.ts'

/** A query as the database searches for it. */
export interface ParsedQuery {
  /** Listings with every word, in any inflection; null if there are only stop words. */
  exact: SearchRequest | null
  /** Also synonyms, prefixes, and corrections of unknown words. null: nothing can match. */
  wide: SearchRequest | null
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
  isSaid: boolean
}

/** tsqueries on the stems of the catalogue. */
export interface SearchRequest {
  /** Anywhere in the listing. */
  said: string
  /** In its name. */
  named: string
}

/** Further words are ignored: each costs a search. */
const MOST_WORDS = 12
/** Maximum number of words that begin like a typed one. */
const MOST_STARTS = 20

interface TypedWord {
  word: string
  stem: string | null
  known: boolean
  /** Stems of words with this prefix. */
  starts: string[]
}

/** Parses a query: stems, prefixes, and corrections of words that no listing has. */
export const parseQuery = (db: Database, typed: string, part: LoadFragment): Promise<ParsedQuery> =>
  part(`words ${typed}`, () => read(db, typed), cacheSize)

/** Estimated bytes in the cache. */
export const cacheSize = ({ exact, wide, terms }: ParsedQuery) => ({
  bytes:
    [exact, wide].reduce(
      (sum, asked) => sum + 2 * (asked ? asked.said.length + asked.named.length : 0),
      400,
    ) + terms.reduce((sum, { any }) => sum + 200 + 60 * any.length, 0),
})

async function read(db: Database, typed: string): Promise<ParsedQuery> {
  const [found, synonyms] = await Promise.all([look(db, typed), synonymsIn(db)])
  const all = found ?? []
  // Stop words are ignored beside others; alone, one may be a prefix.
  const words = all.filter(({ stem }) => stem !== null || all.length === 1)
  const unknown = words.filter(
    ({ stem, known, starts }) => !known && starts.length === 0 && !synonyms.instead.has(stem ?? ''),
  )
  const mended = await correct(
    db,
    unknown.map(({ word }) => word),
    synonyms.words,
  )
  const terms = words.map(word => termOf(word, mended.get(word.word) ?? [], synonyms.instead))
  const asked = words.map(({ word }) => word).join(' ')
  return meaningOf(terms, asked)
}

function termOf(
  { word, stem, known, starts }: TypedWord,
  alike: FuzzyTerm[],
  instead: Map<string, string[]>,
): Term {
  const own = [...(stem === null ? [] : [stem]), ...alike.map(each => each.stem)]
  const stems = new Set([...own, ...starts, ...own.flatMap(stem => instead.get(stem) ?? [])])
  // More prefixes than were looked up: let the index match the prefix.
  const beginning = starts.length < MOST_STARTS ? [] : [`${lexeme(word)}:*`]
  return {
    word: alike[0]?.word ?? word,
    stem,
    any: [...stems].map(lexeme).concat(beginning),
    isSaid: known || stems.size > (stem === null ? 0 : 1),
  }
}

/** All of these words. @param asked what was typed, to detect a correction */
export function meaningOf(terms: Term[], asked: string): ParsedQuery {
  const stems = terms.flatMap(({ stem }) => (stem === null ? [] : [[lexeme(stem)]]))
  const meant = terms.map(({ word }) => word).join(' ')
  return {
    exact: stems.length > 0 ? asking(stems) : null,
    wide:
      terms.length > 0 && terms.every(({ any }) => any.length > 0)
        ? asking(terms.map(({ any }) => any))
        : null,
    readAs: meant === asked ? undefined : meant,
    terms,
  }
}

/** One of each of these lexemes. Lexemes of a name are in the catalogue a second time, marked. */
function asking(words: string[][]): SearchRequest {
  const all = (mark: string) =>
    words.map(any => `(${any.map(each => `'${mark}${each.slice(1)}`).join('|')})`).join('&')
  return { said: all(''), named: all('n:') }
}

/** Looks up the words of a query; concurrent queries share one statement. */
const look = batchLookups(async (db: Database, typed: string[]) => {
  const { rows } = await sql<TypedWord & { typed: string }>`
    select typed, word, stem, exists(select from vocabulary where vocabulary.stem = asked.stem) as known,
      array(
        select w.stem from vocabulary as w
        where w.word >= asked.word collate "C" and w.word < (asked.word || ${END}) collate "C"
          and char_length(asked.word) > 1
        limit ${MOST_STARTS}
      ) as starts
    from (
      select typed, place, word, (ts_lexize('english_stem', word))[1] as stem
      from unnest(${typed}::text[]) as typed cross join lateral (
        select word, place from regexp_split_to_table(plain_words(typed), ' ') with ordinality as split (word, place)
        where word <> ''
        order by place
        limit ${MOST_WORDS}
      ) as split_words
    ) as asked
    order by typed, place
  `.execute(db)
  return Map.groupBy(rows, row => row.typed)
})

/** Upper bound of a prefix: the last character of Unicode. */
const END = '\u{10ffff}'

/** A word as a part of a tsquery. */
export const lexeme = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Deletes unused words from the vocabulary. A word that is used again meanwhile is still found by its stem. */
export async function sweepWords(db: Database): Promise<void> {
  await sql`
    delete from vocabulary where not exists (
      select from catalogue where stems @@ (quote_literal(vocabulary.stem)::tsquery)
    )
  `.execute(db)
}
