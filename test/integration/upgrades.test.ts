import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { createClient, shopIdFor } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrations.ts'
import { localFiles } from '#platform/storage/files.ts'
import { audit } from '../../src/audit.ts'
import {
  allMigrations,
  historyOf,
  killInside,
  laterThan,
  lostFrom,
  openSnapshot,
  putPictures,
  type SchemaSnapshot,
  snapshotVersions,
} from '../support/schema-snapshots.ts'
import { onServer } from '../support/setup.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const versions = await snapshotVersions()
const newest = (await allMigrations()).at(-1)?.slice(0, 4) ?? ''

const databases: string[] = []
afterEach(async () => {
  for (const name of databases.splice(0))
    await onServer(inject('server'), `drop database if exists ${name} with (force)`)
})
async function emptyDatabase() {
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  databases.push(name)
  return { name, connection: { ...inject('server'), database: name } as TestShop['connection'] }
}

/** Findings of the audit, with the pictures present. */
async function differences(
  connection: TestShop['connection'],
  name: string,
  old: SchemaSnapshot,
): Promise<string[]> {
  const client = createClient(connection)
  await client.connect()
  const files = localFiles(join(inject('root'), name, 'uploads', (await shopIdFor(client)) ?? ''))
  await putPictures(old, files)
  const lines: string[] = []
  await audit(client, files, line => lines.push(line))
  await client.end()
  return lines.filter(line => !line.startsWith('✓'))
}

/** Texts of makers and favourites of users, in a shop of a version that has them. */
async function expectLaterFields(ben: Person, mug: number): Promise<void> {
  expect((await ben.get('/api/shops/ana')).body).toMatchObject({
    words: 'I throw\nin the mornings. 🏺',
    place: 'By the river',
    picture: { width: 400 },
  })
  const saved: { name: string; stock: number }[] = (await ben.get('/api/favourites/')).body.products
  expect(saved.map(({ name, stock }) => [name, stock])).toEqual([
    ['Bowl', 3],
    ['Mug', 7],
  ])
  const { body } = await ben.get(`/api/reviews/${mug}/reviews`)
  expect(body).toMatchObject([{ reply: 'Thank you, Ben!' }])
}

test.each(versions)('a shop of version %s migrates with all of its rows, and works', async version => {
  const { name, connection } = await emptyDatabase()
  const old = await openSnapshot(connection, version)
  expect(await lostFrom(connection, old)).toEqual([])
  const applied = await Promise.all([migrate(connection, migrations), migrate(connection, migrations)])
  expect(applied.flat()).toEqual(await laterThan(version))
  expect(await lostFrom(connection, old)).toEqual([])
  expect(await historyOf(connection)).toEqual(await allMigrations())
  expect(await differences(connection, name, old)).toEqual([])

  const shop = await openShop({ database: name })
  const ben = shop.visitor()
  expect((await ben.post('/api/auth/login', { email: 'ben@example.com', password: 'secret-1' })).status).toBe(
    200,
  )
  const mug = (await ben.get('/api/products/')).body.products.find(
    (listing: { name: string }) => listing.name === 'Mug',
  )
  expect(mug).toMatchObject({ stock: 7, rating: 5, review_count: 1 })
  if (version > '0017') await expectLaterFields(ben, mug.id)
  const order = (await ben.get('/api/orders/')).body.find(
    ({ products_ordered: [line] }: { products_ordered: { name: string }[] }) => line?.name === 'Mug',
  )
  expect((await ben.delete(`/api/orders/${order.id}/delete-order`)).status).toBe(200)
  expect(await shop.stockOf(mug.id)).toBe(10)
  expect(await differences(connection, name, { ...old, tables: {} })).toEqual([])
  await shop.close()
})

test.each(versions.filter(version => version < newest))(
  'a shop of version %s: a killed migration is rolled back, and succeeds later with the same rows',
  async version => {
    const { connection } = await emptyDatabase()
    const old = await openSnapshot(connection, version)
    const all = await allMigrations()
    // The first of them, and of the oldest shop every fifth; `npm run faults -- 36` runs each.
    const steps = await laterThan(version)
    for (const step of version === versions[0] ? steps.filter((_, n) => n % 5 === 0) : steps.slice(0, 1)) {
      await killInside(connection, step)
      // Only whole migrations: those recorded, and nothing of the others.
      expect(await historyOf(connection)).toEqual(all.slice(0, all.indexOf(step)))
      expect(await lostFrom(connection, old)).toEqual([])
    }
    await Promise.all([migrate(connection, migrations), migrate(connection, migrations)])
    expect(await historyOf(connection)).toEqual(all)
    expect(await lostFrom(connection, old)).toEqual([])
  },
  120_000,
)
