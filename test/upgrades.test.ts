import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { imageFiles } from '#images/view.ts'
import { migrate, ownClient } from '#server/database/database.ts'
import { localFiles } from '#server/files/files.ts'
import { audit } from '../src/audit.ts'
import {
  allMigrations,
  historyOf,
  lostFrom,
  migrateAndKill,
  type OldShop,
  oldShops,
  openOldShop,
} from './old-shops.ts'
import { onServer } from './setup.ts'
import { openShop, type TestShop } from './shop.ts'

const migrations = join(import.meta.dirname, '../migrations')
const versions = await oldShops()

const made: string[] = []
afterEach(async () => {
  for (const name of made.splice(0))
    await onServer(inject('server'), `drop database if exists ${name} with (force)`)
})
async function emptyDatabase() {
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  made.push(name)
  return { name, connection: { ...inject('server'), database: name } as TestShop['connection'] }
}

/** What the books and all else say against themselves, the pictures being there. */
async function differences(
  connection: TestShop['connection'],
  name: string,
  old: OldShop,
): Promise<string[]> {
  const files = localFiles(join(inject('root'), name))
  for (const { folder, ...image } of old.tables.images ?? []) {
    const names = imageFiles(image as unknown as Parameters<typeof imageFiles>[0])
    await files.put(
      names.map(name => ({ name, bytes: Buffer.from('picture') })),
      String(folder),
    )
  }
  const client = ownClient(connection)
  await client.connect()
  const lines: string[] = []
  await audit(client, files, line => lines.push(line))
  await client.end()
  return lines.filter(line => !line.startsWith('✓'))
}

test.each(versions)(
  'a shop of version %s comes to now with all of its rows, and people go on where they were',
  async version => {
    const { name, connection } = await emptyDatabase()
    const old = await openOldShop(connection, version)
    expect(await lostFrom(connection, old)).toEqual([])
    const applied = await Promise.all([migrate(connection, migrations), migrate(connection, migrations)])
    const later = (await allMigrations()).filter(name => !old.migrations.includes(name))
    expect(applied.flat()).toEqual(later)
    expect(await lostFrom(connection, old)).toEqual([])
    expect(await historyOf(connection)).toEqual(await allMigrations())
    expect(await differences(connection, name, old)).toEqual([])

    const shop = await openShop({ database: name })
    const ben = shop.visitor()
    expect(
      (await ben.post('/api/auth/login', { email: 'ben@example.com', password: 'secret-1' })).status,
    ).toBe(200)
    const mug = (await ben.get('/api/products/')).body.products.find(
      (listing: { name: string }) => listing.name === 'Mug',
    )
    expect(mug).toMatchObject({ stock: 7, rating: 5, review_count: 1 })
    const order = (await ben.get('/api/orders/')).body.find(
      ({ products_ordered: [line] }: { products_ordered: { name: string }[] }) => line?.name === 'Mug',
    )
    expect((await ben.delete(`/api/orders/${order.id}/delete-order`)).status).toBe(200)
    expect(await shop.stockOf(mug.id)).toBe(10)
    expect(await differences(connection, name, { ...old, tables: {} })).toEqual([])
    await shop.close()
  },
)

test.each(versions)(
  'a shop of version %s: killed midway again and again, it arrives with the same rows',
  async version => {
    const { connection } = await emptyDatabase()
    const old = await openOldShop(connection, version)
    for (const ms of [0, 15, 30, 60]) {
      await migrateAndKill(connection, ms)
      // Whole steps only: what is remembered is there, and nothing of what is not.
      expect(await lostFrom(connection, old)).toEqual([])
      const history = await historyOf(connection)
      expect((await allMigrations()).filter(name => history.includes(name))).toEqual(history)
    }
    await Promise.all([migrate(connection, migrations), migrate(connection, migrations)])
    expect(await historyOf(connection)).toEqual(await allMigrations())
    expect(await lostFrom(connection, old)).toEqual([])
  },
)
