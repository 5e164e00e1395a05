/** `npm run backup -- FILE`: the whole shop in one file, database and pictures, also while it runs. */
import { backUpShop } from './backup/backup.ts'
import { withCliContext } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'

const {
  arguments: [path = ''],
} = readArguments('Where to? npm run backup -- FILE', { least: 1 })
await withCliContext(async ({ connection, filesOf }) => {
  const { tables, folders, lost, bytes } = await backUpShop(path, connection, filesOf)
  console.log(`${path}: ${(bytes / 1e6).toFixed(1)} MB, tables: ${tables}, pictures: ${folders}`)
  if (lost === 0) return
  console.error(
    `${lost} pictures are not in it: they have no files where DATA_DIR or STORAGE_URL leads. A restore of it removes them`,
  )
  process.exitCode = 1
})
