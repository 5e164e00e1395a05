/**
 * `npm run snapshot-sql`, before a release: saves every statement that this version sends, with its values, in
 * `test/fixtures/previous-release/`. test/integration/rolling-upgrade.test.ts sends them to the next version's
 * schema, because during a rolling upgrade this program runs on it.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { endDemoSessions } from '#accounts/session-store.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { ResponseCache } from '../../src/platform/cache/response-cache.ts'
import { connect, migrate, shopId } from '../../src/platform/database/database.ts'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'
import { DerivedFileCache } from '../../src/platform/storage/derived-file-cache.ts'
import { localFiles } from '../../src/platform/storage/files.ts'
import { databaseName } from '../../src/platform/storage/owner.ts'
import { shopAt } from './person.ts'
import { dayOfEverything } from './snapshot-day.ts'
import { recordStatements } from './statement-log.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const file = join(import.meta.dirname, '../fixtures/previous-release/statements.json')
const folder = await mkdtemp(join(tmpdir(), 'thrum-statements-'))

const embedded = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} })
// One connection, so that the log has an order.
const { db, pool, close } = connect(embedded.connection, 1)
try {
  await migrate(embedded.connection, migrations)
  const newest =
    (await readdir(migrations))
      .filter(name => name.endsWith('.sql'))
      .toSorted()
      .at(-1) ?? ''
  const log = recordStatements(pool, newest)
  const files = localFiles(join(folder, 'uploads'))
  const app = await createApp({
    config: readConfig({ DEMO: 'off', LOG_LEVEL: 'silent' }),
    db,
    files,
    privateFiles: localFiles(join(folder, 'private')),
    cache: new ResponseCache(),
    derivedFiles: new DerivedFileCache(join(folder, 'made')),
  })
  const requested = new Set<string>()
  app.addHook('onResponse', async ({ method, routeOptions }) => {
    requested.add(`${method} ${routeOptions.url}`)
  })
  const shop = shopAt(async request => {
    const { statusCode, headers, body } = await app.inject(request as InjectOptions)
    return { status: statusCode, headers, text: body }
  })
  await shopId(db)
  await databaseName(db)
  await endDemoSessions(db)
  await dayOfEverything(app, shop)
  const missing = [...app.calls.keys()].filter(key => !requested.has(key.replace(/\/$/, '')))
  await app.close()
  if (missing.length > 0) throw new Error(`Not called: ${missing.join(', ')}`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`)
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', file])
  console.log(`${file}: ${log.statements.length} statements, sent ${log.sent.length} times`)
} finally {
  await close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
