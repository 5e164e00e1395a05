/** `npm run restore -- FILE`: restores a shop from its backup, into an empty database and storage. */
import { join } from 'node:path'
import { WITHOUT_FOLDERS } from '../src/features/images/backup-queries.ts'
import type { Connection } from '../src/platform/database/database.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { CorruptBackupError } from './backup/archive.ts'
import type { Manifest } from './backup/manifest.ts'
import { check, type Restored, restore } from './backup/restore.ts'
import { WITHOUT } from './backup.ts'
import { withCliContext } from './cli-context.ts'
import { readArguments } from './read-arguments.ts'

const migrations = join(import.meta.dirname, '../migrations')

/** Verifies a whole backup. @throws CorruptBackupError with a message if it cannot be restored */
export const checkBackup = (path: string): Promise<Manifest> => check(path, migrations)

/** Restores a verified backup. @throws Error if database or storage are not empty; they are then unchanged */
export const restoreShop = (
  path: string,
  head: Manifest,
  connection: Connection,
  filesOf: (shop: string) => Files,
): Promise<Restored> =>
  restore(path, head, {
    connection,
    filesOf,
    migrations,
    without: WITHOUT,
    forget: WITHOUT_FOLDERS,
  })

if (import.meta.main) {
  const {
    arguments: [path = ''],
  } = readArguments('Where from? npm run restore -- FILE', { least: 1 })
  try {
    // Before a database is started, or anything changed.
    const head = await checkBackup(path)
    await withCliContext(async ({ connection, filesOf }) => {
      const { rows, folders } = await restoreShop(path, head, connection, filesOf)
      console.log(`The shop of ${head.made} is restored. Rows: ${rows}, pictures: ${folders}`)
      console.log('Everybody has to log in again. `npm run audit` checks the data.')
    }, true)
  } catch (error) {
    const { message } = error as Error
    console.error(error instanceof CorruptBackupError ? `${path} cannot be restored. ${message}` : message)
    process.exitCode = 1
  }
}
