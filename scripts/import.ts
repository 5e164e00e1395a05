/**
 * `npm run import -- FILE --seller USERNAME`: adds the listings of Etsy's file, or of an archive of another shop, as drafts of a
 * maker, also while the shop runs. Prints what becomes of each row. Exit code 1 with the rows that are wrong, and nothing
 * written; also where photos of an archive were not taken in, with the reason of each.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { findByEmailOrUsername } from '../src/features/accounts/find-user.ts'
import type { PhotoDeps } from '../src/features/draft-pictures/add-photo.ts'
import { OF_A_WHOLE_SHOP, openPhotoZip } from '../src/features/draft-pictures/photo-zip.ts'
import { importArchive } from '../src/features/transfer/import-archive.ts'
import { importDrafts } from '../src/features/transfer/import-drafts.ts'
import { shopId } from '../src/platform/database/database.ts'
import type { Id } from '../src/shared/contract.ts'
import { withCliDatabase } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'

const USAGE = 'Usage: npm run import -- FILE --seller USERNAME'
const {
  values: { seller: username },
  arguments: [file = ''],
} = readArguments(USAGE, { options: ['seller'], least: 1 })

if (!username) {
  console.error(USAGE)
  process.exit(1)
}

/** Whether a file begins as a zip does. */
async function isZip(path: string): Promise<boolean> {
  const handle = await open(path)
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0).finally(() => handle.close())
  return buffer.toString('latin1') === 'PK\x03\x04'
}

await withCliDatabase(
  async ({ db, config, filesOf }) => {
    const seller = await findByEmailOrUsername(db, username)
    const files = filesOf(await shopId(db))
    const { rows, refused } = (await isZip(file))
      ? await importZip({ db, config, files, log: { warn: console.error } }, seller, file)
      : { rows: await importDrafts(db, seller, () => createReadStream(file)), refused: [] }
    for (const { row, name, outcome, notes } of rows)
      console.log([`Row ${row}: ${outcome}: ${name}`, ...notes.map(note => `  ${note}`)].join('\n'))
    const counts = Map.groupBy(rows, ({ outcome }) => outcome)
    console.log(
      [...counts].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ') ||
        'The file has no listings',
    )
    if (refused.length === 0) return
    for (const { file, reason } of refused) console.error(`${file}: ${reason}`)
    console.error(`${refused.length} photos were not taken in. Import the file again to try them again`)
    process.exitCode = 1
  },
  { statement_timeout: 60_000, query_timeout: 61_000 },
)

async function importZip(shop: PhotoDeps, seller: Id, path: string): ReturnType<typeof importArchive> {
  const handle = await open(path)
  try {
    return await importArchive(shop, seller, await openPhotoZip(handle.fd, OF_A_WHOLE_SHOP))
  } finally {
    await handle.close()
  }
}
