import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from '../../src/platform/database/database.ts'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'
import { localFiles } from '../../src/platform/storage/files.ts'
import { assertAuditOf, launchShop } from '../support/harness.ts'
import { Faults, type Scenario } from '../support/scenario.ts'
import {
  allMigrations,
  historyOf,
  killInside,
  laterThan,
  lostFrom,
  migrateAndKill,
  openSnapshot,
  putPictures,
  type SchemaSnapshot,
  snapshotVersions,
} from '../support/schema-snapshots.ts'
import { onServer } from '../support/setup.ts'

/** Rounds of kills at a random moment. */
const RANDOM_ROUNDS = 4
/** The latest of these moments, ms. */
const LATEST_KILL_MS = 300

interface Kills {
  /** Processes killed inside a migration, before its commit. */
  inside: number
  /** Processes killed while they waited for the lock. */
  waiting: number
  /** Processes killed at a random moment. */
  random: number
}

/**
 * Migrates an earlier shop with two processes that are killed inside some of its later migrations, one migration
 * after the other, then at random moments, and at last with two concurrent starts.
 * @param inside the names of those migrations, the next ones of this version
 */
async function upgrade(
  {
    folder,
    connection,
    version,
    inside,
  }: { folder: string; connection: ConnectionOptions; version: string; inside: string[] },
  faults: Faults,
  kills: Kills,
): Promise<void> {
  const all = await allMigrations()
  const old = await openSnapshot(connection, version)
  const expectHistory = async (known: string[], when: string, except?: string[]) => {
    const history = await historyOf(connection)
    faults.expect(
      JSON.stringify(history) === JSON.stringify(known),
      `${version}, ${when}: the history is ${history.join(', ')}`,
    )
    const lost = await lostFrom(connection, old, except)
    faults.expect(lost.length === 0, `${version}, ${when}: ${lost.length} rows are gone, ${lost[0]}`)
  }
  for (const at of inside) {
    await killInside(connection, at)
    kills.inside++
    kills.waiting++
    await expectHistory(all.slice(0, all.indexOf(at)), `killed inside ${at}`)
  }
  // Only whole migrations, in their order, however far it came.
  for (let round = 0; round < RANDOM_ROUNDS; round++) {
    const killed = [1, 2].map(() => migrateAndKill(connection, Math.random() * LATEST_KILL_MS))
    kills.random += (await Promise.all(killed)).filter(Boolean).length
    await expectHistory(all.slice(0, (await historyOf(connection)).length), 'killed somewhere')
  }
  await expectWorkingShops({ folder, connection, old, version }, faults)
  // An open shop tries letters that are due.
  await expectHistory(all, 'open', ['outbox'])
}

/** Opens two shops at once on a migrated database. Expects that people log in, see their orders, and the audit passes. */
async function expectWorkingShops(
  {
    folder,
    connection,
    old,
    version,
  }: { folder: string; connection: ConnectionOptions; old: SchemaSnapshot; version: string },
  faults: Faults,
): Promise<void> {
  const { user, port, host, database } = connection as {
    user: string
    port: number
    host: string
    database: string
  }
  const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const settings = { DATABASE_URL: url }
  const shops = await Promise.all(['a', 'b'].map(name => launchShop(join(folder, database, name), settings)))
  for (const shop of shops) {
    const ben = shop.visitor()
    const { status } = await ben.post('/api/auth/login', { email: 'ben@example.com', password: 'secret-1' })
    faults.expect(status === 200, `${version}: a login answered ${status}`)
    const orders = (await ben.get('/api/orders/')).body.length
    faults.expect(orders === 2, `${version}: ${orders} orders are left of 2`)
    await shop.stop()
    // Its name until version 0035.
    const { installation = old.tables.shop } = old.tables
    await putPictures(old, localFiles(join(shop.dataDir, 'uploads', String(installation?.[0]?.id))))
    await assertAuditOf(shop, settings)
  }
}

/**
 * A cluster of its own with a database for every version. Processes are killed inside each migration once, with the data
 * of the latest version before it.
 */
async function upgrades() {
  const faults = new Faults()
  const folder = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
  await chmod(folder, 0o755)
  const cluster = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} })
  const versions = await snapshotVersions()
  const kills: Kills = { inside: 0, waiting: 0, random: 0 }
  try {
    for (const [n, version] of versions.entries()) {
      const database = `old_${version}`
      await onServer(cluster.connection, `create database ${database}`)
      const next = versions[n + 1]
      const inside = (await laterThan(version)).filter(name => !next || name.slice(0, 4) <= next)
      const connection = { ...cluster.connection, database }
      await upgrade({ folder, connection, version, inside }, faults, kills)
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  faults.expect(kills.random > 0, 'no process was killed at a random moment')
  return faults.outcome(
    `shops of versions ${versions.join(', ')}: ${kills.inside} processes killed inside a migration, ${kills.waiting} while they waited for it, ${kills.random} at random moments, then two concurrent starts of each; one history, the same rows, the audit passes`,
  )
}

export const scenario: Scenario = {
  risk: 'upgrades',
  slow: true,
  promise:
    'two concurrent processes, killed midway, from the data of every earlier version: one history, the same rows',
  run: upgrades,
}
