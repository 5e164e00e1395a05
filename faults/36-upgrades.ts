import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/server/embedded/embedded.ts'
import {
  allMigrations,
  historyOf,
  lostFrom,
  migrateAndKill,
  oldShops,
  openOldShop,
} from '../test/old-shops.ts'
import { onServer } from '../test/setup.ts'
import { openShop } from './ground.ts'
import { Faults, type Row } from './row.ts'

const ROUNDS = 5
/** A migration of all takes about this long, milliseconds. */
const WHILE = 150

/** A cluster of its own, in which every round makes a database. */
async function upgrades() {
  const faults = new Faults()
  const folder = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
  await chmod(folder, 0o755)
  const cluster = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} })
  const versions = await oldShops()
  let kills = 0
  try {
    for (const version of versions) {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `old_${version}_${round}`
        await onServer(cluster.connection, `create database ${name}`)
        const connection = { ...cluster.connection, database: name }
        const old = await openOldShop(connection, version)
        // Two at once, and both are killed somewhere on the way.
        const [first, second] = [Math.random() * WHILE, Math.random() * WHILE]
        await Promise.all([migrateAndKill(connection, first), migrateAndKill(connection, second)])
        kills += 2
        const lost = await lostFrom(connection, old)
        faults.expect(lost.length === 0, `${name}: after the kill ${lost[0]} is gone`)
        // Then two real shops open at once.
        const url = `postgres://${connection.user}@localhost:${connection.port}/${name}?host=${encodeURIComponent(connection.host)}`
        const shops = await Promise.all(
          ['a', 'b'].map(half => openShop(join(folder, name, half), { DATABASE_URL: url })),
        )
        const history = await historyOf(connection)
        faults.expect(
          JSON.stringify(history) === JSON.stringify(await allMigrations()),
          `${name}: the history is ${history.join(', ')}`,
        )
        const gone = await lostFrom(connection, old)
        faults.expect(gone.length === 0, `${name}: ${gone.length} rows changed, ${gone[0]}`)
        for (const shop of shops) {
          const ben = shop.visitor()
          const { status } = await ben.post('/api/auth/login', {
            email: 'ben@example.com',
            password: 'secret-1',
          })
          faults.expect(status === 200, `${name}: a login answered ${status}`)
          const orders = (await ben.get('/api/orders/')).body.length
          faults.expect(orders === 2, `${name}: ${orders} orders are left of 2`)
          await shop.stop()
        }
      }
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return faults.outcome(
    `shops of ${versions.length} earlier version${versions.length > 1 ? 's' : ''}, ${ROUNDS} times each: ${kills} processes killed midway, then two shops at once; one history, the same rows`,
  )
}

export const row: Row = {
  risk: 'upgrades',
  promise:
    'two processes at once, killed midway, from the data of every earlier version: one history, the same rows',
  run: upgrades,
}
