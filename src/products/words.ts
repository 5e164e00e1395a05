import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'
import { together } from '#server/database/together.ts'
import type { Part } from '#server/kept/kept.ts'

/** What somebody looks for, as the database searches for it. */
export interface Meaning {
  /** Pieces that say every word, in whatever form; null where the words say too little to be searched for. */
  exact: Asked | null
  /** … or a word that begins like it, or is like it where it occurs nowhere. null: nothing can match. */
  wide: Asked | null
  /** The words that were read instead of mistyped ones; undefined where none was. */
  readAs: string | undefined
}

/** Words to be found, as tsqueries on the stems of the catalogue. */
export interface Asked {
  /** Anywhere in what is said of a piece. */
  said: string
  /** In its name. */
  named: string
}

/** Words beyond these are not looked for: each costs a search of its own. */
const MOST_WORDS = 12
/** How many words that begin or look like one that was typed are considered. */
const MOST_STARTS = 20
const MOST_ALIKE = 40

interface TypedWord {
  word: string
  stem: string | null
  known: boolean
  /** Stems of words that begin so. */
  starts: string[]
}

/** Reads what somebody typed: stems, beginnings of words, and the likeliest words for those that nobody wrote. */
export const understand = (db: Database, typed: string, part: Part): Promise<Meaning> =>
  part(`words ${typed}`, () => read(db, typed), roomOf)

/** About how many bytes it takes. */
const roomOf = ({ exact, wide }: Meaning) => ({
  bytes: [exact, wide].reduce(
    (sum, asked) => sum + 2 * (asked ? asked.said.length + asked.named.length : 0),
    400,
  ),
})

async function read(db: Database, typed: string): Promise<Meaning> {
  const all = (await look(db, typed)) ?? []
  // A word like 'the' says nothing beside others; alone it may be the beginning of one that does.
  const words = all.filter(({ stem }) => stem !== null || all.length === 1)
  const ways = await Promise.all(words.map(word => waysToSay(db, word)))
  const stems = words.flatMap(({ stem }) => (stem === null ? [] : [[lexeme(stem)]]))
  const asked = words.map(({ word }) => word).join(' ')
  const meant = ways.map(({ mended }, index) => mended ?? words[index]?.word).join(' ')
  return {
    exact: stems.length > 0 ? asking(stems) : null,
    wide:
      ways.length > 0 && ways.every(({ any }) => any.length > 0) ? asking(ways.map(({ any }) => any)) : null,
    readAs: meant === asked ? undefined : meant,
  }
}

interface Ways {
  /** Parts of a tsquery. */
  any: string[]
  /** The likeliest word, where nobody wrote the one that was typed. */
  mended?: string | undefined
}

async function waysToSay(db: Database, { word, stem, known, starts }: TypedWord): Promise<Ways> {
  const alike = known || starts.length > 0 ? [] : await wordsLike(db, word)
  const stems = [...(stem === null ? [] : [stem]), ...starts, ...alike.map(each => each.stem)]
  // More words begin so than were looked up: the index of the listings knows them all.
  const beginning = starts.length < MOST_STARTS ? [] : [`${lexeme(word)}:*`]
  return { any: [...new Set(stems)].map(stem => lexeme(stem)).concat(beginning), mended: alike[0]?.word }
}

/** One of each of these lexemes. Those of a name stand in the catalogue once more, marked. */
function asking(words: string[][]): Asked {
  const all = (mark: string) =>
    words.map(any => `(${any.map(each => `'${mark}${each.slice(1)}`).join('|')})`).join('&')
  return { said: all(''), named: all('n:') }
}

/** The words of what was typed: what all have typed who search at the moment is looked up in one statement. */
const look = together(async (db: Database, typed: string[]) => {
  const { rows } = await sql<TypedWord & { typed: string }>`
    select typed, word, stem, exists(select from words where words.stem = asked.stem) as known,
      array(
        select w.stem from words as w
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

/** Words that occur and are spelled nearly like one that does not, the likeliest first. */
async function wordsLike(db: Database, word: string): Promise<{ word: string; stem: string }[]> {
  const most = word.length < 3 ? 0 : word.length < 6 ? 1 : 2
  if (most === 0) return []
  const { rows } = await sql<{ word: string; stem: string }>`
    select word, stem from words order by word <-> ${word} limit ${MOST_ALIKE}
  `.execute(db)
  // Nearly 'candle' is also nearly 'candles', which is what listings may say.
  const far = rows.map(row => ({
    ...row,
    edits: Math.min(editsBetween(word, row.word), editsBetween(word, row.stem)),
  }))
  const nearest = Math.min(...far.map(({ edits }) => edits))
  return far.filter(({ edits }) => edits === nearest && edits <= most)
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

/** A word as a part of a tsquery. */
export const lexeme = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Forgets words that no listing says any more. Were one needed again meanwhile, it is found by its stem all the same. */
export async function sweepWords(db: Database): Promise<void> {
  await sql`
    delete from words where not exists (
      select from catalogue where stems @@ (quote_literal(words.stem)::tsquery)
    )
  `.execute(db)
}
