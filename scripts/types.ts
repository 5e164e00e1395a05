/** `npm run types`: writes src/schema.ts and src/schema.sql from a freshly migrated database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrations.ts'
import { startEmbedded } from '../src/platform/embedded-postgres/embedded.ts'
import { databaseTypes } from './database-types.ts'
import { schemaDump } from './schema-dump.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src')
const dataDir = await mkdtemp(join(tmpdir(), 'thrum-types-'))
const embedded = await startEmbedded({ dataDir, log: console.log, settings: { fsync: 'off' } })
const { pool, close } = openPool(embedded.connection, 2)
try {
  await migrate(embedded.connection, join(root, 'migrations'))
  await writeFile(join(folder, 'schema.ts'), await databaseTypes(pool))
  await writeFile(join(folder, 'schema.sql'), await schemaDump(pool))
} finally {
  await close()
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
