/**
 * `npm run search-quality`: how much of what people look for stands among the first ten. The demo shop and 2,000
 * made-up listings are searched with sixty queries; what should be found is decided by looking at every listing's
 * words, one by one. Prints a table; fails below a recall of 0.95.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDemo } from '../demo/fill.ts'
import { list } from '../src/products/catalogue.ts'
import { connect, type Database, migrate } from '../src/server/database/database.ts'
import { startEmbedded } from '../src/server/embedded/embedded.ts'
import { localFiles } from '../src/server/files/files.ts'
import { addMade } from './generated.ts'

const LEAST = 0.95
const FIRST = 10

/** What kind of query it is, what is typed, and the words that what is meant says (each may be the beginning of one). */
const queries: [kind: string, typed: string, says: string][] = [
  ['one word', 'skittles', 'skittles'],
  ['one word', 'solitaire', 'solitaire'],
  ['one word', 'totem', 'totem'],
  ['one word', 'gnomes', 'gnomes'],
  ['one word', 'watercolour', 'watercolour'],
  ['one word', 'pompom', 'pompom'],
  ['other form', 'gnome', 'gnomes'],
  ['other form', 'candles', 'candle'],
  ['other form', 'cowls', 'cowl'],
  ['other form', 'bangle', 'bangle'],
  ['other form', 'slipper indigo felt', 'slippers indigo felt'],
  ['other form', 'painting wooden beads', 'painted wooden bead'],
  ['other form', 'stacked arches', 'stack arch'],
  ['other form', 'framing moons', 'framed moon'],
  ['two words', 'walnut board', 'walnut board'],
  ['two words', 'speckled mug', 'speckled mug'],
  ['two words', 'milk jug', 'milk jug'],
  ['two words', 'mustard beanie', 'mustard beanie'],
  ['two words', 'misty hills', 'misty hills'],
  ['two words', 'sage vase', 'sage vase'],
  ['two words', 'wooden van', 'wooden van'],
  ['two words', 'felt puppet', 'felt puppet'],
  ['two words', 'beeswax lantern', 'beeswax lantern'],
  ['two words', 'oak kite', 'oak kite'],
  ['two words', 'porcelain clock', 'porcelain clock'],
  ['three words', 'crimson walnut rattle', 'crimson walnut rattle'],
  ['three words', 'tall birch top', 'tall birch top'],
  ['three words', 'small oak bracelet', 'small oak bracelet'],
  ['other order', 'bowl salad walnut', 'walnut salad bowl'],
  ['other order', 'hanging wall woven', 'woven wall hanging'],
  ['typing mistake', 'skarf rust chunky', 'scarf rust chunky'],
  ['typing mistake', 'sollitaire', 'solitaire'],
  ['typing mistake', 'wattercolour', 'watercolour'],
  ['typing mistake', 'gnoems', 'gnomes'],
  ['typing mistake', 'terracota jug', 'terracotta jug'],
  ['typing mistake', 'half moon earings', 'half moon earrings'],
  ['typing mistake', 'walnutt serving bord', 'walnut serving board'],
  ['typing mistake', 'stonware speckled', 'stoneware speckled'],
  ['typing mistake', 'mustrad beanie', 'mustard beanie'],
  ['typing mistake', 'spining tops', 'spinning tops'],
  ['typing mistake', 'candlestik amber stoneware', 'candlestick amber stoneware'],
  ['typing mistake', 'braclet green wicker', 'bracelet green wicker'],
  ['typing mistake', 'teepot ochre porcelain', 'teapot ochre porcelain'],
  ['accent', 'wátercolour', 'watercolour'],
  ['accent', 'Tötem', 'totem'],
  ['accent', 'stoné ríng', 'stone ring'],
  ['accent', 'felted slïppers', 'felted slippers'],
  ['beginning', 'skitt', 'skitt'],
  ['beginning', 'solit', 'solit'],
  ['beginning', 'rainbow sta', 'rainbow sta'],
  ['beginning', 'stoneware candlest', 'stoneware candlest'],
  ['beginning', 'misty hi', 'misty hi'],
  ['maker', 'copperkettle', 'copperkettle'],
  ['maker', 'wren thistledown', 'wren thistledown'],
  ['maker', 'birchwhistle bowl', 'birchwhistle bowl'],
  ['maker', 'marla scarf', 'marla scarf'],
  ['maker', 'loomsworth beanies', 'loomsworth beanie'],
  ['maker and mistake', 'thistledwn mug', 'thistledown mug'],
  ['said of it', 'dishwasher stoneware mug', 'dishwasher stoneware mug'],
  ['said of it', 'pins glazed beads', 'pins glazed bead'],
]

interface Said {
  id: number
  words: string[]
}

const plain = (text: string) =>
  (text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) as string[]

/** Every listing with all its words. */
async function everything(db: Database): Promise<Said[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('users as u', 'u.id', 'p.seller_id')
    .select(['p.id', 'p.name', 'p.category', 'p.description', 'u.username', 'u.first_name', 'u.last_name'])
    .where('p.deleted_at', 'is', null)
    .execute()
  return rows.map(({ id, ...said }) => ({
    id,
    words: plain(Object.values(said).join(' ').replaceAll('_', ' ')),
  }))
}

const meant = (all: Said[], says: string) =>
  new Set(
    all
      .filter(({ words }) => plain(says).every(asked => words.some(word => word.startsWith(asked))))
      .map(({ id }) => id),
  )

const folder = await mkdtemp(join(tmpdir(), 'thrum-search-'))
const embedded = await startEmbedded({
  dataDir: join(folder, 'postgres'),
  log: () => {},
  settings: { fsync: 'off' },
})
const { db, close } = connect(embedded.connection, 4)
try {
  await migrate(embedded.connection, join(import.meta.dirname, '../migrations'))
  await fillDemo({ db, files: localFiles(join(folder, 'uploads')) }, () => {})
  await addMade(embedded.connection, 2_000)
  const all = await everything(db)
  console.log(`${queries.length} queries over ${all.length} listings\n`)
  console.log('| kind | query | meant | found | recall in the first ten |\n|---|---|---|---|---|')
  let sum = 0
  for (const [kind, typed, says] of queries) {
    const wanted = meant(all, says)
    if (wanted.size === 0) throw new Error(`No listing says ${says}: the query would measure nothing`)
    const { products } = await list(db, { q: typed, limit: FIRST })
    const found = products.filter(({ id }) => wanted.has(id)).length
    const recall = found / Math.min(FIRST, wanted.size)
    sum += recall
    console.log(`| ${kind} | ${typed} | ${wanted.size} | ${found} | ${recall.toFixed(2)} |`)
  }
  const mean = sum / queries.length
  console.log(`\nMean recall in the first ten: ${mean.toFixed(3)} (at least ${LEAST})`)
  if (mean < LEAST) process.exitCode = 1
} finally {
  await close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
