import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openPool } from '#platform/database/database.ts'
import { soon } from '../../../test/support/expect.ts'
import { openPhotoServer, type PhotoServer } from '../../../test/support/photo-server.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { queue, sweep, toListing } from './draft-pictures.ts'
import { fetchFile } from './fetch-file.ts'
import { fetchPictures } from './fetch-job.ts'

const SOURCE = { host: 'i.etsystatic.com', maxBytes: 10 * 2 ** 20, connectMs: 5_000, totalMs: 5_000 }
const photo = pngOf(300, 200)
const urlOf = (name: string) => `https://i.etsystatic.com/1/r/il/${name}.jpg`

let shop: TestShop
let server: PhotoServer
let answer: RequestListener
let ana: Person
beforeAll(async () => {
  // Its own job does not run: these tests fetch from their own server.
  shop = await openShop()
  server = await openPhotoServer((request, response) => answer(request, response))
})
afterAll(async () => {
  await shop.close()
  await server.close()
})
beforeEach(async () => {
  ana = await shop.signUp('ana')
  server.asked.length = 0
  answer = (_, response) => response.end(photo)
})
afterEach(() => shop.rows('delete from draft_pictures'))

const never = new AbortController().signal
const fetchAll = (signal = never) =>
  fetchPictures(shop.app, signal, (url, signal) => fetchFile(url, SOURCE, signal, server.network))
async function draft(photos: number | string[] = 0): Promise<number> {
  const [{ id }] = await shop.rows(
    `insert into drafts (seller_id, fields) values (${ana.user.id}, '{"name": "Mug"}') returning id`,
  )
  const urls =
    typeof photos === 'number' ? Array.from({ length: photos }, (_, n) => urlOf(`${id}-${n}`)) : photos
  await queue(shop.db, ana.user.id, [{ draft: id, urls }])
  return id
}
const progress = async () => (await ana.get('/api/import/photos')).body
const photosOf = (id: number) =>
  shop.rows(`select position from images where draft_id = ${id} or product_id = ${id} order by position`)

test('photos of a deleted draft are dropped, also that which is on its way', async () => {
  const id = await draft(2)
  answer = async (_, response) => {
    await shop.rows(`delete from drafts where id = ${id}`)
    response.end(photo)
  }
  const before = (await listed(shop.files)).length
  await fetchAll()
  expect(await progress()).toMatchObject({ total: 0 })
  expect((await listed(shop.files)).length).toBe(before)
})

test('photos of a draft that is published meanwhile go to its listing', async () => {
  const id = await draft(1)
  const mug = await shop.list(ana)
  answer = async (_, response) => {
    await toListing(shop.db, id, mug.id)
    await shop.rows(`delete from drafts where id = ${id}`)
    response.end(photo)
  }
  await fetchAll()
  expect((await photosOf(mug.id)).length).toBe(1)
  expect((await ana.get(`/api/products/${mug.id}`)).body.images.length).toBe(1)
  expect((await progress()).here).toBe(1)
})

test('a draft that is published while its photo waits for it gets the photo in its listing', async () => {
  const id = await draft(1)
  const mug = await shop.list(ana)
  const { db, close } = openPool(shop.connection, 1)
  const isBlocked = async () =>
    (await shop.rows(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drafts%'`))
      .length
  let fetched: Promise<void> | undefined
  await db.transaction().execute(async publishing => {
    await publishing.selectFrom('drafts').select('id').where('id', '=', id).forUpdate().execute()
    fetched = fetchAll()
    await vi.waitFor(async () => expect(await isBlocked()).toBe(1), soon)
    await toListing(publishing, id, mug.id)
    await publishing.deleteFrom('drafts').where('id', '=', id).execute()
  })
  await fetched
  await close()
  expect((await photosOf(mug.id)).length).toBe(1)
  expect((await progress()).here).toBe(1)
})

test('photos that no listing waits for any more are swept, those of one that can come back stay', async () => {
  const [gone, retired, there] = [await shop.list(ana), await shop.list(ana), await shop.list(ana)]
  for (const { id } of [gone, retired, there]) await toListing(shop.db, await draft(1), id)
  await ana.delete(`/api/products/${gone.id}`)
  await ana.post(`/api/products/${retired.id}/retire`)
  await sweep(shop.db)
  const kept = await shop.rows('select product_id from draft_pictures order by product_id')
  expect(kept.map(({ product_id }) => product_id)).toEqual([retired.id, there.id])
})

test('a deleted listing gets no photo', async () => {
  const id = await draft(1)
  const mug = await shop.list(ana)
  await toListing(shop.db, id, mug.id)
  await ana.delete(`/api/products/${mug.id}`)
  await fetchAll()
  expect(await photosOf(mug.id)).toEqual([])
  expect((await progress()).waiting).toBe(0)
})

test('a draft with twelve photos gets no other, and a full quota refuses', async () => {
  const id = await draft(1)
  await shop.rows(`
    insert into images (draft_id, owner_id, folder, kind, widths, bytes)
    select ${id}, ${ana.user.id}, md5(random()::text || n), 'picture', '{}', 1 from generate_series(1, 12) n`)
  await fetchAll()
  expect((await progress()).failures).toMatchObject([{ reason: 'A listing can have at most 12 photos' }])
  const other = await draft(1)
  const limited = { ...shop.app, config: { ...shop.app.config, quota: 12 * 32 * 1024 } } as typeof shop.app
  await fetchPictures(limited, never, async () => photo)
  expect((await progress()).failures[1].reason).toMatch(/^Your photos and documents take up/)
  expect(await photosOf(other)).toEqual([])
})

test('nobody sees the photos of others, and a visitor none', async () => {
  await draft(1)
  const ben = await shop.signUp('ben')
  expect((await ben.get('/api/import/photos')).body.total).toBe(0)
  expect((await shop.visitor().get('/api/import/photos')).status).toBe(401)
  expect((await shop.visitor().post('/api/import/photos/retry')).status).toBe(401)
})
