/**
 * `npm run snapshot-sql`, before a release: saves every statement that this version sends, with its values, in
 * `test/fixtures/previous-release/`. test/integration/rolling-upgrade.test.ts sends them to the next version's
 * schema, because during a rolling upgrade this program runs on it.
 */
import { execFileSync } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureBuilt } from '../../scripts/build.ts'
import { readConfig } from '../../src/config.ts'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'
import { builtPages } from '../../src/platform/ssr/renderer.ts'
import { serve } from '../../src/serve.ts'
import { openMailServer } from './mail-server.ts'
import { overNetwork } from './network.ts'
import { shopAt } from './person.ts'
import { dayOfEverything } from './snapshot-day.ts'
import { recordStatements } from './statement-log.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const file = join(import.meta.dirname, '../fixtures/previous-release/statements.json')
const SETTINGS = {
  PORT: '0',
  // Passkeys of the tests are for this address.
  PUBLIC_URL: 'http://localhost:3000',
  // One connection, so that the log has an order.
  DATABASE_POOL: '1',
  DEMO: 'off',
  LOG_LEVEL: 'silent',
}
const folder = await mkdtemp(join(tmpdir(), 'thrum-statements-'))
const built = await ensureBuilt(console.log)

const embedded = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} })
const mail = await openMailServer()
try {
  const newest =
    (await readdir(migrations))
      .filter(name => name.endsWith('.sql'))
      .toSorted()
      .at(-1) ?? ''
  const log = recordStatements(newest)
  const requested = new Set<string>()
  subscribe('tracing:fastify.request.handler:start', message => {
    const { route } = message as { route: { method: string; url: string } }
    requested.add(`${route.method} ${route.url}`)
  })
  const { SMTP_URL, MAIL_FROM } = mail.settings
  const { app, stop } = await serve({
    config: readConfig({ ...SETTINGS, DATA_DIR: folder, SMTP_URL, MAIL_FROM }),
    connection: embedded.connection,
    pages: () => builtPages(built),
    log: () => {},
  })
  try {
    const { port } = app.server.address() as AddressInfo
    await dayOfEverything(app, shopAt(overNetwork(port)), () =>
      mail.letters.map(({ text }) => text).join('\n'),
    )
  } finally {
    await stop()
  }
  const missing = [...app.calls.keys()].filter(key => !requested.has(key.replace(/\/$/, '')))
  if (missing.length > 0) throw new Error(`Not called: ${missing.join(', ')}`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(log, null, 2)}\n`)
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', file])
  console.log(`${file}: ${log.statements.length} statements, sent ${log.sent.length} times`)
} finally {
  await mail.stop()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
