import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { backUpShop } from '../../../scripts/backup.ts'
import { checkBackup, restoreShop } from '../../../scripts/restore.ts'
import { countStatuses, times } from '../../../test/expect.ts'
import { onServer } from '../../../test/setup.ts'
import { openShop, type Person, type TestShop } from '../../../test/shop.ts'
import { audit } from '../../audit.ts'
import { ownClient } from '../database/database.ts'
import { localFiles } from '../files/files.ts'
import { readArchive, textEntry, writeArchive } from './archive.ts'

let folder: string
let shop: TestShop
let ana: Person
let ben: Person
let photo: Buffer
let mug: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  shop = await openShop()
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
  photo = await sharp({ create: { width: 700, height: 500, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  mug = (await shop.list(ana, { stock: 500, name: 'Mug, tab\tand \\ and 🧶' })).id
  await ana.upload(`/api/products/${mug}/images`, photo)
  await ben.post(`/api/reviews/${mug}/create-review`, { review: 'Line one\nline two', stars: 4 })
  await order(ben)
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

const places: string[] = []
afterEach(async () => {
  for (const name of places.splice(0))
    await onServer(inject('server'), `drop database if exists ${name} with (force)`)
})

/** An empty database, and the folder for its pictures. */
async function emptyPlace() {
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  places.push(name)
  const connection = { ...inject('server'), database: name } as TestShop['connection']
  return { name, connection, files: localFiles(join(inject('root'), name)) }
}
type Place = Awaited<ReturnType<typeof emptyPlace>>

const file = () => join(folder, `${randomUUID()}.tar`)
const backUp = async (path = file()) => {
  await backUpShop(path, shop.connection, () => shop.files)
  return path
}
const restoreTo = async (place: Place, path: string) =>
  restoreShop(path, await checkBackup(path), place.connection, () => place.files)

async function order(person: Person): Promise<number> {
  await person.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
  return (await person.post('/api/orders/checkout')).body.id
}

/** A connection as a person writes it down. */
function urlOf(connection: TestShop['connection']): string {
  const { host = '', port = '', user = '', password = '', database = '' } = connection as pg.ClientConfig
  const url = new URL(`postgres://localhost/${database}`)
  Object.assign(url, { port: String(port), username: user, password: String(password) })
  url.searchParams.set('host', host)
  return url.href
}

/** Everything a table holds, as text. */
async function rowsOf(connection: TestShop['connection'], table: string): Promise<string[]> {
  const client = ownClient(connection)
  await client.connect()
  const { rows } = await client.query(`select t::text as row from ${table} t order by 1`)
  await client.end()
  return rows.map(({ row }) => row)
}

async function audited(connection: TestShop['connection'], files = shop.files): Promise<string[]> {
  const client = ownClient(connection)
  await client.connect()
  const lines: string[] = []
  const failed = await audit(client, files, line => lines.push(line))
  await client.end()
  expect(lines.filter(line => line.startsWith('✗'))).toHaveLength(failed)
  return lines.filter(line => !line.startsWith('✓'))
}

test('a backup restored into an empty place is the same shop, row by row and picture by picture', async () => {
  const path = await backUp()
  const place = await emptyPlace()
  expect((await restoreTo(place, path)).pictures).toBe(1)
  for (const table of [
    'users',
    'products',
    'stock',
    'stock_ledger',
    'images',
    'reviews',
    'ratings',
    'orders',
    'order_lines',
    'carts',
    'cart_lines',
    'shop',
    'migrations',
  ]) {
    expect(await rowsOf(place.connection, table), table).toEqual(await rowsOf(shop.connection, table))
  }
  expect(await rowsOf(place.connection, 'sessions')).toEqual([])
  expect(await audited(place.connection, place.files)).toEqual([])

  const again = await openShop({ database: place.name })
  const [listing] = (await again.visitor().get('/api/products/')).body.products
  expect(listing).toEqual((await ana.get(`/api/products/${mug}`)).body)
  const picture = await again.visitor().get(listing.images[0].url)
  expect([picture.status, picture.body]).toEqual([200, (await ana.get(listing.images[0].url)).body])
  // Whoever has an account logs in anew, and goes on where they were.
  const benAgain = again.visitor()
  benAgain.cookie = ben.cookie
  expect((await benAgain.get('/api/orders/')).status).toBe(401)
  await benAgain.post('/api/auth/login', { email: ben.user.email, password: ben.password })
  expect((await benAgain.get('/api/orders/')).body).toEqual((await ben.get('/api/orders/')).body)
  expect(await order(benAgain)).toBeGreaterThan(mug)
  expect(await audited(place.connection, place.files)).toEqual([])
  await again.close()
})

test('made while people buy, cancel and upload, it is one moment, in which everything agrees', async () => {
  let open = true
  const buyers = await times(4, n => shop.signUp(`buyer${n}`))
  const buying = buyers.map(async (buyer, n) => {
    while (open) {
      const id = await order(buyer)
      if (n % 2) await buyer.delete(`/api/orders/${id}/delete-order`)
    }
  })
  const uploading = async () => {
    while (open) {
      const { id } = await shop.list(ana)
      await ana.upload(`/api/products/${id}/images`, photo)
    }
  }
  const busy = [...buying, uploading()]
  const paths = [await backUp(), await backUp()]
  open = false
  await Promise.all(busy)
  expect(await audited(shop.connection)).toEqual([])
  for (const path of paths) {
    const place = await emptyPlace()
    await restoreTo(place, path)
    expect(await audited(place.connection, place.files)).toEqual([])
  }
})

test('what is restored never sells more than there is', async () => {
  const last = (await shop.list(ana, { stock: 5 })).id
  const place = await emptyPlace()
  await restoreTo(place, await backUp())
  const again = await openShop({ database: place.name })
  const people = await times(30, n => again.signUp(`ben${n}`))
  await Promise.all(people.map(person => person.post(`/api/cart_items/add/${last}`, { quantity: 1 })))
  const answers = await Promise.all(people.map(person => person.post('/api/orders/checkout')))
  expect(countStatuses(answers)).toEqual({ 201: 5, 409: 25 })
  expect(await audited(place.connection, place.files)).toEqual([])
  await again.close()
})

test('a picture that was removed while the backup was made is left out, its row too', async () => {
  const { id } = await shop.list(ana)
  const { body } = await ana.upload(`/api/products/${id}/images`, photo)
  const gone = body.url.split('/')[2]
  await shop.files.remove(gone)
  const place = await emptyPlace()
  await restoreTo(place, await backUp())
  expect(await audited(place.connection, place.files)).toEqual([])
  expect(JSON.stringify(await rowsOf(place.connection, 'images'))).not.toContain(gone)
  expect((await audited(shop.connection)).join('\n')).toContain(`${gone}/320.webp is missing`)
  await shop.db.deleteFrom('images').where('folder', '=', gone).execute()
})

test('a file that is damaged, cut off or foreign is refused in words', async () => {
  const path = await backUp()
  const { size } = await stat(path)
  const notOurs = 'It is not a backup of a shop'
  const damaged = 'It is damaged, or not whole'
  for (const at of [0, 700, Math.floor(size / 2), size - 1_530, size - 1_100, size - 1]) {
    const bytes = await readFile(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const bad = file()
    await writeFile(bad, bytes)
    await expect(checkBackup(bad), `byte ${at} of ${size}`).rejects.toThrow(/It is (damaged|not a backup)/)
  }
  for (const cut of [0, 100, 512, 5_000, size - 2_000]) {
    const bad = file()
    await copyFile(path, bad)
    await truncate(bad, cut)
    await expect(checkBackup(bad), `${cut} of ${size}`).rejects.toThrow(cut < 512 ? notOurs : damaged)
  }
  const foreign = file()
  await writeFile(foreign, 'a letter to Ana\n'.repeat(1_000))
  await expect(checkBackup(foreign)).rejects.toThrow(notOurs)
  const other = file()
  const letters = async function* () {
    yield textEntry('letter.txt', 'dear Ana')
  }
  await writeArchive(other, letters())
  await expect(checkBackup(other)).rejects.toThrow(notOurs)
})

test('a backup of a newer shop, or of one made otherwise, is refused', async () => {
  const head = { made: 'now', shop: randomUUID(), tables: [], sequences: [] }
  const said = async (more: object) => {
    const path = file()
    const entries = async function* () {
      yield textEntry('shop.json', JSON.stringify({ format: 'thrum-backup', version: 1, ...head, ...more }))
    }
    await writeArchive(path, entries())
    return checkBackup(path)
  }
  const later = { name: '9999_later.sql', hash: 'x', applied_at: 'now' }
  await expect(said({ migrations: [later] })).rejects.toThrow(
    'It is of a shop newer than this program, which does not know 9999_later.sql',
  )
  await expect(said({ migrations: [{ ...later, name: '0001_accounts.sql' }] })).rejects.toThrow(
    'It is of a shop that was made by another 0001_accounts.sql than this program has',
  )
  await expect(said({ migrations: [], version: 2 })).rejects.toThrow('It was made by a newer program')
})

test('a place that is not empty is refused, and stays as it was', async () => {
  const path = await backUp()
  const place = await emptyPlace()
  await restoreTo(place, path)
  const before = await rowsOf(place.connection, 'users')
  await expect(restoreTo(place, path)).rejects.toThrow('The database is not empty')
  expect(await rowsOf(place.connection, 'users')).toEqual(before)
  const second = await emptyPlace()
  await expect(restoreTo({ ...second, files: place.files }, path)).rejects.toThrow(
    'There are pictures of this very shop already',
  )
  expect(await audited(place.connection, place.files)).toEqual([])
})

test('a restore that fails leaves the place empty, and the next one works', async () => {
  const path = await backUp()
  const head = await checkBackup(path)
  const place = await emptyPlace()
  // Whole when it was checked, damaged when it is read again.
  const bad = file()
  const bytes = await readFile(path)
  bytes[bytes.length - 3_000] = (bytes[bytes.length - 3_000] ?? 0) ^ 1
  await writeFile(bad, bytes)
  await expect(restoreShop(bad, head, place.connection, () => place.files)).rejects.toThrow(/damaged/)
  expect(await Array.fromAsync(place.files.list(new Date(8.64e15)))).toEqual([])
  expect(await rowsOf(place.connection, 'pg_tables')).not.toContainEqual(expect.stringContaining('(public'))
  await restoreTo(place, path)
})

test('an archive that ends in the middle of a table when it is read again is refused, and leaves nothing', async () => {
  const path = await backUp()
  const head = await checkBackup(path)
  const bytes = await readFile(path)
  const users = bytes.indexOf('tables/users/0001')
  const place = await emptyPlace()
  // Behind a part of the rows, in the middle of them, and before the first.
  for (const cut of [512 + 100, 512 + 10, 512]) {
    const bad = file()
    await writeFile(bad, bytes.subarray(0, users + cut))
    await expect(restoreShop(bad, head, place.connection, () => place.files)).rejects.toThrow(
      'It is damaged, or not whole',
    )
    expect(await rowsOf(place.connection, 'pg_tables')).not.toContainEqual(expect.stringContaining('(public'))
  }
  // A row that PostgreSQL refuses, in the middle of others.
  const bad = file()
  bytes[bytes.indexOf('\t', users + 512)] = 0x20
  await writeFile(bad, bytes)
  await expect(restoreShop(bad, head, place.connection, () => place.files)).rejects.toThrow(
    /type integer|bigint/,
  )
  await restoreTo(place, path)
})

test('a restore that is interrupted removes the pictures that it has written, and the next one works', async () => {
  const path = await backUp()
  const many = file()
  const withMany = async function* () {
    for await (const entry of readArchive(path)) {
      if (entry.name === 'missing.json')
        for (let n = 0; n < 5_000; n++)
          yield textEntry(`pictures/${n.toString(16).padStart(32, '0')}/320.webp`, 'a picture')
      yield entry
    }
  }
  await writeArchive(many, withMany())
  const place = await emptyPlace()
  const dataDir = join(folder, place.name)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../scripts/restore.ts'), many], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: urlOf(place.connection), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said = text(child.stderr)
  const { shop: id } = await checkBackup(path)
  const files = localFiles(join(dataDir, 'uploads', id))
  const written = () => Array.fromAsync(files.list(new Date(8.64e15)))
  await vi.waitUntil(async () => (await written()).length > 0, { timeout: 15_000, interval: 5 })
  for (const _ of ['Ctrl-C', 'once more']) child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  expect(await said).toBe('The restore was interrupted. The place is as empty as before\n')
  expect(await written()).toEqual([])
  expect(await rowsOf(place.connection, 'pg_tables')).not.toContainEqual(expect.stringContaining('(public'))
  await restoreTo({ ...place, files }, path)
})

test('a backup never takes the place of a file that is there', async () => {
  const path = file()
  await writeFile(path, 'yesterday')
  await expect(backUp(path)).rejects.toThrow(`There is a file ${path} already`)
  expect(await readFile(path, 'utf8')).toBe('yesterday')
  const fresh = await backUp()
  expect((await stat(fresh)).mode & 0o777).toBe(0o600)
})
