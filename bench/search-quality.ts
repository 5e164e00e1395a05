/**
 * `npm run search-quality`: recall among the first ten results, in the demo shop with 2,000 generated listings.
 * Sixty queries by words of a listing, and sixty as shoppers ask. Prints tables; fails if the mean recall of either
 * is below its minimum.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDemo } from '../demo/fill.ts'
import { openPool } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrations.ts'
import { startEmbedded } from '../src/platform/embedded-postgres/embedded.ts'
import { localFiles } from '../src/platform/storage/files.ts'
import { addGeneratedListings } from './generated.ts'
import { asShoppersAsk, byListingWords } from './queries.ts'
import { measure } from './recall.ts'

const SETS = [
  { name: 'By the words of a listing', queries: byListingWords, minimum: 0.98 },
  { name: 'As shoppers ask', queries: asShoppersAsk, minimum: 0.9 },
]

const folder = await mkdtemp(join(tmpdir(), 'thrum-search-'))
const embedded = await startEmbedded({
  dataDir: join(folder, 'postgres'),
  log: () => {},
  settings: { fsync: 'off' },
})
const { db, close } = openPool(embedded.connection, 4)
try {
  await migrate(embedded.connection, join(import.meta.dirname, '../migrations'))
  await fillDemo({ db, files: localFiles(join(folder, 'uploads')) }, () => {})
  await addGeneratedListings(embedded.connection, 2_000)
  for (const { name, queries, minimum } of SETS) {
    const { found, mean } = await measure(db, queries)
    console.log(`\n${name}: ${queries.length} queries\n`)
    console.log('| kind | query | meant | found | recall in the first ten |\n|---|---|---|---|---|')
    for (const { query, expected, found: right, recall } of found)
      console.log(`| ${query[0]} | ${query[1]} | ${expected} | ${right} | ${recall.toFixed(2)} |`)
    console.log(`\nMean recall in the first ten: ${mean.toFixed(3)} (at least ${minimum})`)
    if (mean < minimum) process.exitCode = 1
  }
} finally {
  await close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
