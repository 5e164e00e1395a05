import { sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import type { FuzzyTerm } from './spelling.ts'

/**
 * Synonyms. On the left what may be typed, on the right words of a listing's name, description or category ('toys'
 * is all of "Toys & Entertainment"). Single words between blanks, in any inflection. Exact matches come before
 * synonyms. Adapt it to your shop; it is read at start.
 */
const SYNONYMS: Record<string, string> = {
  // Presents: for whom.
  'gift present birthday christmas xmas souvenir': 'home clothing jewelry toys art',
  'mum mom mother mothers grandma granny wife girlfriend sister':
    'mother jewelry vase candle scarf shawl teapot',
  'dad father fathers grandpa grandad husband boyfriend brother':
    'father belt wallet mug board beanie solitaire',
  'kid kids child children toddler boy girl grandchild grandson granddaughter son daughter':
    'child children toys',
  'baby newborn babies': 'baby toys',
  'wedding anniversary valentine': 'wedding jewelry home',
  housewarming: 'home',

  // Materials and crafts.
  'pottery ceramic ceramics crockery earthenware': 'pottery ceramic stoneware porcelain terracotta clay',
  'wood wooden timber': 'wood wooden walnut oak birch maple beech cherry lime',
  'metal metalwork': 'metal silver brass copper',
  'woolen woollen woolly knit knitted knitting': 'wool knitted knit',
  'knitwear knits': 'knitted scarf cowl beanie mitten shawl',
  'textile textiles fabric': 'linen cotton wool felt woven',

  // Objects.
  'cup beaker tankard': 'cup mug',
  'hat cap bonnet': 'hat beanie',
  'glove gloves': 'glove mitten',
  'shoe shoes footwear': 'shoe slipper',
  'purse billfold': 'purse wallet',
  'jewellery jewelry jewel jewels': 'jewelry',
  'clothes clothing apparel garment': 'clothing',
  'candleholder chandelier lamp light': 'lantern candlestick lamp',
  'pitcher carafe ewer': 'pitcher jug',
  dish: 'dish plate',
  'picture painting poster drawing': 'picture painting print watercolour',
  'watercolor watercolour aquarelle': 'watercolour',
  'statue figure figurine': 'sculpture totem figure',
  'game games': 'game solitaire skittles puzzle top',
  'toy plaything': 'toys',
  'tapestry rug': 'weaving woven',
}

interface Synonyms {
  /** Stem of a typed word → stems of its synonyms. */
  byStem: Map<string, string[]>
  /** All typed words, for corrections. */
  words: FuzzyTerm[]
}

const cached = new WeakMap<Database, Promise<Synonyms>>()

/** The synonyms, stemmed by the database once. */
export function synonymsIn(db: Database): Promise<Synonyms> {
  const known = cached.get(db)
  if (known) return known
  const loading = stemmed(db)
  cached.set(db, loading)
  // Retries after a failure.
  loading.catch(() => cached.delete(db))
  return loading
}

async function stemmed(db: Database): Promise<Synonyms> {
  const lines = Object.entries(SYNONYMS).map(line => line.map(words => words.split(' ')))
  const { rows } = await sql<{ word: string; stem: string | null }>`
    select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${[...new Set(lines.flat(2))]}::text[]) as word
  `.execute(db)
  const stems = new Map(rows.map(({ word, stem }) => [word, stem ?? word]))
  const byStem = new Map<string, string[]>()
  const words: FuzzyTerm[] = []
  const stemOf = (word: string) => stems.get(word) ?? word
  for (const [typed = [], listingWords = []] of lines)
    for (const word of typed) {
      const stem = stemOf(word)
      byStem.set(stem, [...new Set([...(byStem.get(stem) ?? []), ...listingWords.map(stemOf)])])
      words.push({ word, stem })
    }
  return { byStem, words }
}
