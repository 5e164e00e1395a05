/** `npm run restore -- FILE`: restores a shop from its backup, into an empty database and storage. */
import { CorruptBackupError } from './backup/archive.ts'
import { checkBackup, restoreShop } from './backup/restore.ts'
import { withCliContext } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'

const {
  arguments: [path = ''],
} = readArguments('Where from? npm run restore -- FILE', { least: 1 })
try {
  // Before a database is started, or anything changed.
  const head = await checkBackup(path)
  await withCliContext(
    async ({ connection, filesOf }) => {
      const { rows, folders } = await restoreShop(path, head, connection, filesOf)
      console.log(`The shop of ${head.made} is restored. Rows: ${rows}, pictures: ${folders}`)
      console.log('Everybody has to log in again. `npm run audit` checks the data.')
    },
    { mayBeEmpty: true },
  )
} catch (error) {
  const { message } = error as Error
  console.error(error instanceof CorruptBackupError ? `${path} cannot be restored. ${message}` : message)
  process.exitCode = 1
}
