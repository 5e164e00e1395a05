import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import sharp from 'sharp'
import { expect, inject, onTestFinished } from 'vitest'
import { backUpShop } from '../../scripts/backup/backup.ts'
import { EXCLUDED_TABLES } from '../../scripts/backup/excluded.ts'
import { checkBackup, restoreShop } from '../../scripts/backup/restore.ts'
import { audit } from '../../src/audit.ts'
import { createClient } from '../../src/platform/database/database.ts'
import { type Files, localFiles } from '../../src/platform/storage/files.ts'
import { openOperator } from './operators.ts'
import { onServer } from './setup.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

type ConnectionOptions = TestShop['connection']

/** A shop with something of everything, and a folder for its backups. */
export async function openBackedUp() {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'))
  const shop = await openShop()
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const photo = await sharp({ create: { width: 700, height: 500, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const mug: number = (await shop.list(ana, { stock: 500, name: 'Mug, tab\tand \\ and 🧶' })).id
  const order = async (person: Person): Promise<number> => {
    await person.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
    return (await person.post('/api/orders/checkout')).body.id
  }
  await ana.upload(`/api/products/${mug}/images`, photo)
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'Line one\nline two', stars: 4 })
  await order(ben)
  // An operator session is open meanwhile.
  const otto = await openOperator(shop)
  const file = () => join(folder, `${randomUUID()}.tar`)
  return {
    shop,
    folder,
    ana,
    ben,
    otto,
    photo,
    mug,
    order,
    /** A path of no existing file. */
    file,
    async backUp(path = file(), excluded = EXCLUDED_TABLES) {
      await backUpShop(path, shop.connection, () => shop.files, excluded)
      return path
    },
    async close() {
      await shop.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Where a backup is restored: an empty database, dropped with the test, and a folder for its pictures. */
export async function emptyTarget() {
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  onTestFinished(() => onServer(inject('server'), `drop database if exists ${name} with (force)`))
  const connection = { ...inject('server'), database: name } as ConnectionOptions
  // The folder of a shop that is opened there.
  const files = localFiles(join(inject('root'), name, 'uploads', inject('shop')))
  return { name, connection, files }
}
type EmptyTarget = Awaited<ReturnType<typeof emptyTarget>>

/** Restores a backup into an empty target. @param path of the archive */
export const restoreTo = async (target: EmptyTarget, path: string) =>
  restoreShop(path, await checkBackup(path), target.connection, () => target.files)

/** A connection as a URL. */
export function urlOf(connection: ConnectionOptions): string {
  const { host = '', port = '', user = '', password = '', database = '' } = connection as pg.ClientConfig
  const url = new URL(`postgres://localhost/${database}`)
  Object.assign(url, { port: String(port), username: user, password: String(password) })
  url.searchParams.set('host', host)
  return url.href
}

/** All rows of a table, as text. */
export async function rowsOf(connection: ConnectionOptions, table: string): Promise<string[]> {
  const client = createClient(connection)
  await client.connect()
  const { rows } = await client.query(`select t::text as row from ${table} t order by 1`)
  await client.end()
  return rows.map(({ row }) => row)
}

/** The audit's findings there. */
export async function audited({
  connection,
  files,
}: {
  connection: ConnectionOptions
  files: Files
}): Promise<string[]> {
  const client = createClient(connection)
  await client.connect()
  const lines: string[] = []
  const failed = await audit(client, files, line => lines.push(line))
  await client.end()
  expect(lines.filter(line => line.startsWith('✗'))).toHaveLength(failed)
  return lines.filter(line => !line.startsWith('✓'))
}
