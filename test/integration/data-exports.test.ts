import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPORTS } from '#personal-data/exports.ts'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { archiveOf } from '../support/archive.ts'
import { soon } from '../support/expect.ts'
import { launchShop, type RealShop, until } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { KEYS, openStore, type RealStore } from '../support/s3-server.ts'
import { openShop } from '../support/shop.ts'

/** Of one photo, bytes, and how many there are: a second of writing. */
const PHOTO_BYTES = 8_000_000
const PHOTOS = 30
/** An archive is made again after its process died, ms. */
const AGAIN_MS = 100_000

const statusOf = async (person: Person) => (await person.get('/api/account/data')).body.state

let shop: RealShop
let dataDir: string
/** Where its photos are. */
let uploads: string
beforeAll(async () => {
  dataDir = await mkdtemp('/tmp/thrum-exports-')
  // As root, the database server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  shop = await launchShop(dataDir, {})
  const [{ id }] = await shop.rows('select id from installation')
  uploads = join(dataDir, 'uploads', id)
}, 120_000)
afterAll(async () => {
  if (shop?.alive()) await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const archives = () => readdir(join(uploads, 'private')).catch(() => [])

/** Somebody whose photos fill a large archive. They are one file on the disk. */
async function withManyPhotos(name: string): Promise<Person> {
  const person = await shop.signUp(name)
  const photo = join(dataDir, `${name}.webp`)
  await writeFile(photo, randomBytes(PHOTO_BYTES))
  const folders = Array.from({ length: PHOTOS }, () => randomBytes(16).toString('hex'))
  for (const folder of folders) {
    await mkdir(join(uploads, folder), { recursive: true })
    await link(photo, join(uploads, folder, '320.webp'))
  }
  const rows = folders.map(
    folder => `(${person.user.id}, '${folder}', 'picture', 320, 240, '{320}', ${PHOTO_BYTES})`,
  )
  await shop.rows(
    `insert into images (owner_id, folder, kind, width, height, widths, bytes) values ${rows.join(', ')}`,
  )
  return person
}

/** Requests an archive, and waits until it is being written. */
async function ask(person: Person): Promise<void> {
  expect((await person.post('/api/account/data')).status).toBe(201)
  await until(15_000, async () => (await archives()).some(name => name.endsWith('.part')))
}

test('a process that is killed while it makes an archive: no half file is sent, and it is made again', async () => {
  const ana = await withManyPhotos('ana')
  await ask(ana)
  await shop.kill()
  const [half] = await archives()
  expect(half).toMatch(/\.part$/)
  await shop.start()
  expect(await statusOf(ana)).toBe('making')
  expect((await ana.get('/api/account/data/file')).status).toBe(404)
  // The lease ends. Another request wakes the job before its next minute.
  await shop.rows('update data_exports set leased_until = now()')
  const zoe = await shop.signUp('zoe')
  expect((await zoe.post('/api/account/data')).status).toBe(201)
  for (const person of [ana, zoe]) await until(AGAIN_MS, async () => (await statusOf(person)) === 'ready')
  const files = unzipSync(await archiveOf(shop, ana))
  expect(Object.values(files).filter(({ length }) => length === PHOTO_BYTES)).toHaveLength(PHOTOS)
  const of = `where user_id = ${ana.user.id}`
  expect(await shop.rows(`select tries from data_exports ${of}`)).toEqual([{ tries: 2 }])
  // The half one stays for an hour.
  expect(await archives()).toHaveLength(3)
}, 180_000)

test('an account that is deleted while its archive is made leaves no file', async () => {
  const ben = await withManyPhotos('ben')
  const before = await archives()
  await ask(ben)
  const body = { current_password: ben.password, reviews: 'remove' }
  expect((await ben.post('/api/account/deletion', body)).status).toBe(200)
  await expect.poll(archives, { ...soon, timeout: 60_000 }).toEqual(before)
})

test('a large archive is made and sent with little memory', async () => {
  const carla = await withManyPhotos('carla')
  const memory = async () => {
    const status = await readFile(`/proc/${shop.pid()}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
  // The peak from now on.
  await writeFile(`/proc/${shop.pid()}/clear_refs`, '5')
  const before = await memory()
  await ask(carla)
  await until(60_000, async () => (await statusOf(carla)) === 'ready')
  const response = await fetch(`${shop.address}/api/account/data/file`, { headers: { cookie: carla.cookie } })
  let bytes = 0
  for await (const piece of response.body ?? []) bytes += piece.length
  expect(bytes).toBe(Number(response.headers.get('content-length')))
  expect(bytes).toBeGreaterThan(PHOTOS * PHOTO_BYTES)
  // The archive has 240 MB.
  expect((await memory()) - before).toBeLessThan(100e6)
})

test('with an object store, archives are made, sent, tried again while it is away, and deleted', async () => {
  Object.assign(process.env, KEYS)
  const store: RealStore = await openStore()
  const own = await openShop({ settings: { STORAGE_URL: store.url }, signups: true })
  try {
    const ana = await own.signUp('ana')
    await ana.post('/api/account/data')
    await until(15_000, async () => (await statusOf(ana)) === 'ready')
    expect(Object.keys(unzipSync(await archiveOf(own, ana)))).toContain('data.json')
    const ben = await own.signUp('ben')
    await store.stop()
    const away = await ana.get('/api/account/data/file')
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5'])
    const { status, headers } = await ana.get('/api/account/data/file', { accept: 'text/html' })
    expect([status, headers.location]).toEqual([303, '/settings/account?done=later'])
    await ben.post('/api/account/data')
    const row = async () => (await own.rows(`select * from data_exports where user_id = ${ben.user.id}`))[0]
    await until(60_000, async () => (await row()).last_error?.includes('out of reach'))
    expect(await statusOf(ben)).toBe('making')
    await store.start()
    await until(15_000, async () => (await ana.get('/api/account/data/file')).status === 200)
    await own.rows(`update data_exports set due_at = now() where user_id = ${ben.user.id}`)
    requestJobRun(EXPORTS)
    await until(AGAIN_MS, async () => (await statusOf(ben)) === 'ready')
    const { folder } = await row()
    expect(await own.app.privateFiles.contents(folder)).toHaveLength(1)
    const body = { current_password: ben.password, reviews: 'remove' }
    expect((await ben.post('/api/account/deletion', body)).status).toBe(200)
    expect(await own.app.privateFiles.contents(folder)).toEqual([])
  } finally {
    await own.close()
    await store.close()
  }
}, 180_000)
