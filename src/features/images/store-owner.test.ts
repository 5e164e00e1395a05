import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { backUpShop } from '../../../scripts/backup/backup.ts'
import { checkBackup, restoreShop } from '../../../scripts/backup/restore.ts'
import { soon } from '../../../test/support/expect.ts'
import { KEYS, openStore, type RealStore } from '../../../test/support/s3-server.ts'
import { onServer } from '../../../test/support/setup.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { readConfig } from '../../config.ts'
import type { Files } from '../../platform/storage/files.ts'
import { databaseIdentity, deleteOnlyAsOwner } from '../../platform/storage/owner.ts'
import { openStorage } from '../../platform/storage/storage.ts'
import { sweepFiles } from './sweep.ts'

const OUT_OF_REACH = 'The files are out of reach right now. Please try again in a moment'

let store: RealStore
let shop: TestShop
let photo: Buffer
const storageAt = (STORAGE_URL: string) => openStorage(readConfig({ STORAGE_URL }), () => {})

beforeAll(async () => {
  Object.assign(process.env, KEYS)
  store = await openStore()
  shop = await openShop({ settings: { STORAGE_URL: store.url } })
  photo = await sharp({ create: { width: 70, height: 50, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
})
afterAll(async () => {
  await shop.close()
  await store.close()
})

/** After a timeout the store gets no requests for a second (circuit breaker). */
const responses = (files: Files) =>
  expect.poll(() => files.contents('0'.repeat(32)).catch(() => 'nothing'), soon).toEqual([])

test('a copy of the database on the same store deletes nothing there, and no backup is restored into it', async () => {
  const inStore = (await storageAt(store.url))('twice')
  /** Much later, so that all unused files are swept. */
  const later: Files = { ...inStore, list: () => inStore.list(new Date(Date.now() + 60_000)) }
  const copy = await openShop()
  const log: string[] = []
  const owned = async ({ db }: TestShop) =>
    deleteOnlyAsOwner(await databaseIdentity(db), later, line => log.push(line))
  const files = await owned(shop)
  const theirs = await owned(copy)
  const owner = await databaseIdentity(shop.db)
  expect(await inStore.owner?.read()).toBe(owner)
  expect(log).toEqual([
    expect.stringContaining(`another database, ${owner}, as s3://pictures/shop/twice/owner`),
  ])

  // A folder that the copy has no row for.
  const folder = await files.put([{ name: '320.webp', bytes: photo }])
  await sweepFiles(copy.db, theirs)
  await theirs.remove(folder)
  await theirs.clear()
  expect(await inStore.contents(folder)).toHaveLength(1)
  expect(log).toHaveLength(1)

  await sweepFiles(shop.db, files)
  expect(await inStore.contents(folder)).toEqual([])
  expect(await inStore.owner?.read()).toBe(owner)
  const backup = join(tmpdir(), `${randomUUID()}.tar`)
  await backUpShop(backup, copy.connection, () => copy.files)
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  const connection = { ...inject('server'), database: name } as TestShop['connection']
  const restored = restoreShop(backup, await checkBackup(backup), connection, () => inStore)
  await expect(restored).rejects.toThrow('Another database owns the files of this very shop')
  await rm(backup)

  // It is given to the copy.
  await inStore.owner?.write(`${await databaseIdentity(copy.db)}\n`)
  const orphan = await theirs.put([{ name: '320.webp', bytes: photo }])
  await sweepFiles(shop.db, files)
  expect(await inStore.contents(orphan)).toHaveLength(1)
  await sweepFiles(copy.db, theirs)
  expect(await inStore.contents(orphan)).toEqual([])
  await copy.close()
})

test('while the owner of a store is unknown, nothing is deleted', async () => {
  const inStore = (await storageAt(store.url))('silent')
  const folder = await inStore.put([{ name: '320.webp', bytes: photo }])
  await store.stop()
  const files = await deleteOnlyAsOwner('a database', inStore, () => {})
  await expect(files.remove(folder)).rejects.toThrow(OUT_OF_REACH)
  await store.start()
  await responses(inStore)
  await files.remove(folder)
  expect(await inStore.contents(folder)).toEqual([])
  expect(await inStore.owner?.read()).toBe('a database')
})

test('a role without access to the system identifier still names its database', async () => {
  const refused = `shop_${randomUUID().replaceAll('-', '')}`
  await shop.rows(`create role ${refused}`)
  await shop.rows('revoke execute on function pg_control_system() from public')
  try {
    await shop.db.connection().execute(async db => {
      await sql.raw(`set role ${refused}`).execute(db)
      expect(await databaseIdentity(db)).toMatch(/^any\/\d+\/\d+$/)
      await sql`reset role`.execute(db)
    })
  } finally {
    await shop.rows('grant execute on function pg_control_system() to public')
    await shop.rows(`drop role ${refused}`)
  }
})
