/** Generated listings, the same in every run: for measuring and searching. */
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CATEGORIES } from '../src/features/products/categories.ts'

const ADJECTIVES =
  'blue green amber indigo rust ochre ivory slate crimson tall small round slim wide rustic delicate'.split(
    ' ',
  )
const MATERIALS =
  'stoneware porcelain walnut birch oak brass silver copper wool linen felt leather wicker beeswax'.split(' ')
const NOUNS =
  'mug bowl plate teapot vase jug candlestick lantern basket stool tray scarf beanie mitten slipper shawl belt wallet ring bracelet necklace brooch earring pendant puzzle kite puppet rattle whistle top print weaving sculpture mobile mirror clock'.split(
    ' ',
  )
const SAYINGS = [
  'Made to order in a small workshop.',
  'Each one turns out a little different.',
  'Signed and dated underneath.',
  'Finished by hand with natural oils.',
  'A gift that lasts, wrapped in paper.',
  'From the first firing of the season.',
]
const FIRST = 'Ada Bram Cleo Dov Edda Fynn Greta Hugo Ines Joost Katla Levi Mira Nils Olga Piet'.split(' ')
const LAST = 'Ambervale Brookstone Cinderwood Dapplemere Elmsworth Fernhollow Glasswater Hazelgrove'.split(
  ' ',
)

/** Mulberry32: pseudo-random numbers from 0 to 1 by seed. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface GeneratedListing {
  name: string
  category: string
  description: string
  price_cents: number
  stock: number
  /** Index of the seller. */
  maker: number
  /** Number of reviews, and the sum of their stars. */
  reviews: number
  stars: number
}

/** Listing number 0, 1, 2 … */
export function* generateListings(count: number, makers: number): Generator<GeneratedListing> {
  const random = chance(7)
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  for (let n = 0; n < count; n++) {
    const [adjective, material, noun] = [one(ADJECTIVES), one(MATERIALS), one(NOUNS)]
    const reviews = random() < 0.5 ? 0 : 1 + Math.floor(random() * 12)
    yield {
      name: `${adjective[0]?.toUpperCase()}${adjective.slice(1)} ${material} ${noun}`,
      category: CATEGORIES[Math.floor((NOUNS.indexOf(noun) / NOUNS.length) * CATEGORIES.length)] ?? '',
      description: `${one(SAYINGS)} With a touch of ${one(ADJECTIVES)} and ${one(MATERIALS)}.`,
      price_cents: 100 * (5 + Math.floor(random() ** 2 * 400)) - (random() < 0.3 ? 1 : 0),
      stock: random() < 0.1 ? 0 : 1 + Math.floor(random() * 20),
      maker: Math.floor(random() * makers),
      reviews,
      stars: Math.round(reviews * (2.5 + 2.5 * random())),
    }
  }
}

/** Their sellers: at most a thousand. */
export const makersOf = (count: number): { username: string; first_name: string; last_name: string }[] =>
  Array.from({ length: Math.min(1_000, Math.ceil(count / 20)) }, (_, n) => {
    const first_name = FIRST[n % FIRST.length] ?? ''
    const last_name = LAST[Math.floor(n / FIRST.length) % LAST.length] ?? ''
    return { username: `${first_name}_${last_name}_${n}`.toLowerCase(), first_name, last_name }
  })

/**
 * Inserts so many listings. Fast, because triggers are off and their rows are inserted directly.
 * @param rated whether half of them have sums of reviews without the reviews
 */
export async function addGeneratedListings(
  connection: pg.ClientConfig,
  count: number,
  rated = true,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await fill(client, count, rated)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

async function fill(client: pg.Client, count: number, rated: boolean): Promise<void> {
  const makers = makersOf(count)
  const rows = makers.map(each => [
    each.username,
    `${each.username}@example.com`,
    each.first_name,
    each.last_name,
    'x',
  ])
  await copy(client, 'users (username, email, first_name, last_name, password_hash)', rows)
  const { rows: people } = await client.query<{ id: number }>(
    "select id::int from users where password_hash = 'x' order by id",
  )
  const ids = people.map(({ id }) => id)
  const { rows: next } = await client.query<{ id: number }>("select nextval('ids')::int as id")
  const first = next[0]?.id ?? 1
  const listings = function* <T>(row: (each: GeneratedListing, id: number) => T): Generator<T> {
    let id = first
    for (const each of generateListings(count, makers.length)) yield row(each, id++)
  }
  const day = (id: number) => new Date(Date.UTC(2026, 0, 1) + (id - first) * 1_000).toISOString()
  await copy(
    client,
    'products (id, seller_id, name, category, description, price_cents, created_at)',
    listings((each, id) => [
      id,
      ids[each.maker],
      each.name,
      each.category,
      each.description,
      each.price_cents,
      day(id),
    ]),
  )
  await copy(
    client,
    'stock (product_id, quantity)',
    listings((each, id) => [id, each.stock]),
  )
  const opening = listings((each, id) => [id, each.stock, 'opening'])
  await copy(client, 'stock_ledger (product_id, units, reason)', opening)
  const sums = listings((each, id) => [id, each.reviews, each.stars])
  if (rated) await copy(client, 'ratings (product_id, reviews, stars)', sums)
  await client.query("select setval('ids', (select max(id) from products))")
  // As the trigger of `products` would, and postage, so that the tables are as large as in a shop.
  await client.query(
    `with added as (
      insert into postage_profiles (seller_id, name, is_default)
      select id, 'Pick-up or by arrangement', true from unnest($1::bigint[]) as seller (id) returning id
    ),
    rates as (
      insert into postage_rates (profile_id, destination, first_cents, further_cents, days_min, days_max)
      select id, destination, 600, 150, 3, 10 from added cross join unnest('{US,EU,*}'::text[]) as destination
    )
    insert into pickup_places (profile_id, place) select id, 'Pick-up or by arrangement' from added`,
    [ids],
  )
  // Building an index is faster than updating it.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    "select indexname as name, indexdef as definition from pg_indexes where tablename = 'catalogue' and indexdef like '% gin %'",
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query('insert into catalogue select * from catalogue_source where product_id >= $1', [first])
  for (const { definition } of indexes) await client.query(definition)
  const vocabulary = [ADJECTIVES, MATERIALS, NOUNS, SAYINGS, CATEGORIES, FIRST, LAST, ['touch']]
    .flat()
    .join(' ')
  await client.query('select add_vocabulary($1)', [vocabulary])
}

/** COPY into a table. Values must not contain a tab, line end or backslash. */
async function copy(client: pg.Client, table: string, rows: Iterable<unknown[]>): Promise<void> {
  const into = client.query(copyFrom(`copy ${table} from stdin`))
  let lines: string[] = []
  const flush = async () => {
    if (!into.write(`${lines.join('\n')}\n`)) await new Promise(resolve => into.once('drain', resolve))
    lines = []
  }
  for (const row of rows) {
    lines.push(row.join('\t'))
    if (lines.length === 5_000) await flush()
  }
  if (lines.length > 0) await flush()
  into.end()
  await finished(into)
}
