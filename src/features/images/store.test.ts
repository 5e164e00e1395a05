import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { backUpShop } from '../../../scripts/backup/backup.ts'
import { checkBackup, restoreShop } from '../../../scripts/backup/restore.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { KEYS, openStore, type RealStore } from '../../../test/support/s3-server.ts'
import { onServer } from '../../../test/support/setup.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { audit } from '../../audit.ts'
import { readConfig } from '../../config.ts'
import { createClient } from '../../platform/database/database.ts'
import type { Files } from '../../platform/storage/files.ts'
import { openStorage } from '../../platform/storage/storage.ts'
import { sweepFiles } from './sweep.ts'

const OUT_OF_REACH = 'The files are out of reach right now. Please try again in a moment'

let store: RealStore
let shop: TestShop
let ana: Person
let photo: Buffer
const logged: string[] = []
const storageAt = (STORAGE_URL: string) =>
  openStorage(readConfig({ STORAGE_URL }), line => void logged.push(line))

beforeAll(async () => {
  Object.assign(process.env, KEYS)
  store = await openStore()
  shop = await openShop({ settings: { STORAGE_URL: store.url } })
  ana = await shop.signUp('ana')
  photo = await sharp({ create: { width: 700, height: 500, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
})
afterAll(async () => {
  await shop.close()
  await store.close()
})

/** A listing with a photo. */
async function pictured() {
  const { id } = await shop.list(ana)
  const { body } = await ana.upload(`/api/products/${id}/images`, photo)
  return { id, url: body.url as string, folder: String(body.url.split('/')[2]) }
}

async function audited(connection: TestShop['connection'], files: Files): Promise<string[]> {
  const client = createClient(connection)
  await client.connect()
  const lines: string[] = []
  await audit(client, files, line => lines.push(line))
  await client.end()
  return lines.filter(line => !line.startsWith('✓')).map(line => line.trim())
}

/** Runs while the store is down. */
async function withoutStore(work: () => Promise<void>): Promise<void> {
  await store.stop()
  await work()
  await store.start()
  await responses(shop.files)
}

/** After a timeout the store gets no requests for a second (circuit breaker). */
const responses = (files: Files) =>
  expect.poll(() => files.contents('0'.repeat(32)).catch(() => 'nothing'), soon).toEqual([])

test('photos are stored in the object store and served by the shop', async () => {
  const { id, url } = await pictured()
  const { status, headers } = await shop.visitor().get(url)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=86400, s-maxage=60',
  })
  expect(Number(headers['content-length'])).toBeGreaterThan(0)
  expectRefusal(
    await shop.visitor().get(url.replace('700.webp', '701.webp')),
    404,
    'There is no such picture',
  )
  const page = await shop.visitor().get(`/products/${id}/speckled-mug`)
  expect(page.body).toContain(url)
  expect(page.headers['content-security-policy']).toContain("img-src 'self'")
})

test('a new seller picture replaces the old one and its files', async () => {
  const path = `/api/shops/${ana.user.username}/picture`
  const first = (await ana.upload(path, photo)).body.url
  const second = (await ana.upload(path, photo)).body.url
  expect((await shop.visitor().get(first)).status).toBe(404)
  expect((await shop.visitor().get(second)).status).toBe(200)
})

test('while the store is down, uploads are refused, pictures are not 404, and the shop works', async () => {
  const { id, url } = await pictured()
  const path = `/api/shops/${ana.user.username}/picture`
  await ana.upload(path, photo)
  await withoutStore(async () => {
    const refused = await ana.upload(`/api/products/${id}/images`, photo)
    expectRefusal(refused, 503, OUT_OF_REACH)
    expect(refused.headers['retry-after']).toBe('5')
    const unchecked = await shop.visitor().get(url)
    expectRefusal(unchecked, 503, OUT_OF_REACH)
    expect(unchecked.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
    expect((await shop.visitor().get(`/api/products/${id}`)).body.images).toHaveLength(1)
    expect((await shop.visitor().get('/')).status).toBe(200)
    expect((await shop.visitor().get('/readyz')).status).toBe(200)
    const ben = await shop.signUp('ben')
    await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    expect((await ben.post('/api/orders/checkout')).status).toBe(201)
    // The row is deleted, the files are cleaned up later.
    expect((await ana.delete(path)).status).toBe(200)
  })
  expect((await ana.upload(`/api/products/${id}/images`, photo)).status).toBe(201)
  expect((await shop.visitor().get(url)).status).toBe(200)
})

test('a silent store is waited for, then skipped for a moment', async () => {
  let requests = 0
  const silent = createServer(() => requests++)
  await new Promise<void>(done => silent.listen(0, '127.0.0.1', done))
  const { port } = silent.address() as AddressInfo
  const files = (await storageAt(`s3://pictures?endpoint=http://127.0.0.1:${port}`))('a-shop')
  expect(logged.at(-1)).toMatch(
    /^The object store at STORAGE_URL does not respond \(.+\)\. Files are served as soon as it does$/,
  )
  const waitedFor = requests
  expect(waitedFor).toBeGreaterThan(0)
  await expect(files.open('0'.repeat(32), '320.webp')).rejects.toMatchObject({ status: 503 })
  expect(requests).toBe(waitedFor)
  silent.close()
})

test('a store that refuses access is reported at start', async () => {
  await expect(storageAt(store.url.replace('pictures', 'nowhere'))).rejects.toThrow(
    /^The store at STORAGE_URL cannot be used: .+ \(NoSuchBucket\)$/,
  )
  process.env.AWS_ACCESS_KEY_ID = 'SOMEBODY'
  await expect(storageAt(store.url)).rejects.toThrow(
    /^The store at STORAGE_URL cannot be used: .+ \(InvalidAccessKeyId\)$/,
  )
  Object.assign(process.env, KEYS)
  await store.stop()
  const files = (await storageAt(store.url))('a-shop')
  await store.start()
  await responses(files)
})

test('files without an image are deleted after a day, and the audit finds missing ones', async () => {
  const { id, folder } = await pictured()
  const orphan = await shop.files.put([{ name: '320.webp', bytes: photo }])
  await sweepFiles(shop.db, shop.files)
  expect(await shop.files.contents(orphan)).toHaveLength(1)
  // A day later.
  const old: Files = { ...shop.files, list: () => shop.files.list(new Date(Date.now() + 60_000)) }
  await sweepFiles(shop.db, old)
  expect(await shop.files.contents(orphan)).toEqual([])
  expect(await shop.files.contents(folder)).toHaveLength(3)
  expect(await audited(shop.connection, shop.files)).toEqual([])
  await shop.files.remove(folder)
  const missing = [320, 640, 700].map(
    width => expect.stringMatching(new RegExp(`: ${folder}/${width}.webp is missing$`)) as string,
  )
  expect(await audited(shop.connection, shop.files)).toEqual(['✗ Every picture has its files', ...missing])
  await shop.db.deleteFrom('images').where('product_id', '=', id).execute()
})

test('a backup contains the pictures, and a restore stores them again', async () => {
  const { url } = await pictured()
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  const folder = await mkdtemp(join(tmpdir(), 'backup-'))
  const path = join(folder, 'backup.tar')
  await withoutStore(async () => {
    await expect(backUpShop(path, shop.connection, () => shop.files)).rejects.toThrow(OUT_OF_REACH)
  })
  const { folders } = await backUpShop(path, shop.connection, () => shop.files)
  await onServer(inject('server'), `create database ${name}`)
  const connection = { ...inject('server'), database: name } as TestShop['connection']
  const elsewhere = store.url.replace('/shop?', '/another-place?')
  const files = (await storageAt(elsewhere))(inject('shop'))
  const restored = await restoreShop(path, await checkBackup(path), connection, () => files)
  expect(restored.folders).toBe(folders)
  expect(await audited(connection, files)).toEqual([])
  const again = await openShop({ database: name, settings: { STORAGE_URL: elsewhere } })
  expect((await again.visitor().get(url)).body).toEqual((await shop.visitor().get(url)).body)
  await again.close()
  await onServer(inject('server'), `drop database ${name} with (force)`)
  await rm(folder, { recursive: true })
}, 120_000)
