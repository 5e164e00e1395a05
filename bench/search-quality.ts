/**
 * `npm run search-quality`: recall among the first ten results, in the demo shop with 2,000 generated listings.
 * Sixty queries by words of a listing, and sixty as shoppers ask. Prints tables; fails if the mean recall of either
 * is below its minimum.
 */
import { join } from 'node:path'
import { fillDemo } from '../demo/fill.ts'
import { withTemporaryDatabase } from '../scripts/temporary-folder.ts'
import { openPool } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrations.ts'
import { localFiles } from '../src/platform/storage/files.ts'
import { addGeneratedListings } from './generated.ts'
import { asShoppersAsk, byListingWords } from './queries.ts'
import { measure } from './recall.ts'

const SETS = [
  { name: 'By the words of a listing', queries: byListingWords, minimum: 0.98 },
  { name: 'As shoppers ask', queries: asShoppersAsk, minimum: 0.9 },
]

await withTemporaryDatabase(async ({ connection }, folder) => {
  const { db, close } = openPool(connection, 4)
  try {
    await migrate(connection, join(import.meta.dirname, '../migrations'))
    await fillDemo({ db, files: localFiles(join(folder, 'uploads')) }, () => {})
    await addGeneratedListings(connection, 2_000)
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
  }
})
