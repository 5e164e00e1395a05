import { sql } from 'kysely'
import type { LoadFragment } from '#platform/cache/response-cache.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { correct, type FuzzyTerm } from './spelling.ts'
import { synonymsIn } from './synonyms.ts'

/** What somebody looks for, as the database searches for it. */
export interface ParsedQuery {
  /** Pieces that say every word, in whatever form; null where the words say too little to be searched for. */
  exact: SearchRequest | null
  /** … or another word for it, one that begins like it, or is like it where it occurs nowhere. null: nothing can match. */
  wide: SearchRequest | null
  /** The words that were read instead of mistyped ones; undefined where none was. */
  readAs: string | undefined
  /** Word by word. */
  terms: Term[]
}

/** One of the words, and what may be said instead. */
export interface Term {
  /** As it was typed, or what it is read as. */
  word: string
  stem: string | null
  /** Lexemes, each of which will do. */
  any: string[]
  /** Whether some listing may say one of them. */
  isSaid: boolean
}

/** Words to be found, as tsqueries on the stems of the catalogue. */
export interface SearchRequest {
  /** Anywhere in what is said of a piece. */
  said: string
  /** In its name. */
  named: string
}

/** Words beyond these are not looked for: each costs a search of its own. */
const MOST_WORDS = 12
/** How many words that begin like one that was typed are considered. */
const MOST_STARTS = 20

interface TypedWord {
  word: string
  stem: string | null
  known: boolean
  /** Stems of words that begin so. */
  starts: string[]
}

/** Reads what somebody typed: stems, beginnings of words, and the likeliest words for those that nobody wrote. */
export const parseQuery = (db: Database, typed: string, part: LoadFragment): Promise<ParsedQuery> =>
  part(`words ${typed}`, () => read(db, typed), roomOf)

/** About how many bytes it takes. */
export const roomOf = ({ exact, wide, terms }: ParsedQuery) => ({
  bytes:
    [exact, wide].reduce(
      (sum, asked) => sum + 2 * (asked ? asked.said.length + asked.named.length : 0),
      400,
    ) + terms.reduce((sum, { any }) => sum + 200 + 60 * any.length, 0),
})

async function read(db: Database, typed: string): Promise<ParsedQuery> {
  const [found, synonyms] = await Promise.all([look(db, typed), synonymsIn(db)])
  const all = found ?? []
  // A word like 'the' says nothing beside others; alone it may be the beginning of one that does.
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
  // More words begin so than were looked up: the index of the listings knows them all.
  const beginning = starts.length < MOST_STARTS ? [] : [`${lexeme(word)}:*`]
  return {
    word: alike[0]?.word ?? word,
    stem,
    any: [...stems].map(lexeme).concat(beginning),
    isSaid: known || stems.size > (stem === null ? 0 : 1),
  }
}

/** All of these words. @param asked what was typed, to tell where it is read as something else */
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

/** One of each of these lexemes. Those of a name stand in the catalogue once more, marked. */
function asking(words: string[][]): SearchRequest {
  const all = (mark: string) =>
    words.map(any => `(${any.map(each => `'${mark}${each.slice(1)}`).join('|')})`).join('&')
  return { said: all(''), named: all('n:') }
}

/** The words of what was typed: what all have typed who search at the moment is looked up in one statement. */
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

/** After every word that begins alike: the last character there is. */
const END = '\u{10ffff}'

/** A word as a part of a tsquery. */
export const lexeme = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Forgets words that no listing says any more. Were one needed again meanwhile, it is found by its stem all the same. */
export async function sweepWords(db: Database): Promise<void> {
  await sql`
    delete from vocabulary where not exists (
      select from catalogue where stems @@ (quote_literal(vocabulary.stem)::tsquery)
    )
  `.execute(db)
}
