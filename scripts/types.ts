/** `npm run types`: writes src/schema.ts and src/schema.sql from a freshly migrated database. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPool } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrations.ts'
import { withTemporaryDatabase } from './temporary-folder.ts'
import { databaseTypes } from './types/database-types.ts'
import { schemaDump } from './types/schema-dump.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src')
await withTemporaryDatabase(async ({ connection }) => {
  const { pool, close } = openPool(connection, 2)
  try {
    await migrate(connection, join(root, 'migrations'))
    await writeFile(join(folder, 'schema.ts'), await databaseTypes(pool))
    await writeFile(join(folder, 'schema.sql'), await schemaDump(pool))
  } finally {
    await close()
  }
})
