import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openPhotoServer, type PhotoServer } from '../../../test/support/photo-server.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { queue } from './draft-pictures.ts'
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
const due = () => shop.rows(`update draft_pictures set next_at = now() where state = 'pending'`)

test('photos of a draft come in their order, and the progress says so', async () => {
  const id = await draft(3)
  expect(await progress()).toEqual({
    fetches: false,
    total: 3,
    here: 0,
    waiting: 3,
    failed: 0,
    refetchable: 0,
    failures: [],
  })
  await fetchAll()
  expect(await progress()).toMatchObject({ total: 3, here: 3, waiting: 0, failed: 0 })
  expect(await photosOf(id)).toEqual([{ position: 1 }, { position: 2 }, { position: 3 }])
  const [{ owner_id, folder }] = await shop.rows(`select owner_id, folder from images where draft_id = ${id}`)
  expect(owner_id).toBe(ana.user.id)
  expect(await listed(shop.files)).toContain(folder)
})

test('covers come before the second photos of other drafts', async () => {
  const [one, other] = [await draft(2), await draft(1)]
  await fetchAll()
  const last = server.asked.at(-1)
  expect(last).toContain(`${one}-1`)
  expect(server.asked.slice(0, 2).join()).toContain(`${other}-0`)
})

test('the same photos are queued once, at most twelve, and only of the one host', async () => {
  const id = await draft(14)
  await queue(shop.db, ana.user.id, [{ draft: id, urls: [urlOf(`${id}-0`), urlOf(`${id}-1`)] }])
  expect((await progress()).total).toBe(12)
  await draft(['https://evil.example/a.jpg', 'http://i.etsystatic.com/a.jpg', 'https://127.0.0.1/a.jpg'])
  const { total, failed, failures } = await progress()
  expect([total, failed]).toEqual([15, 3])
  expect(failures[0]).toMatchObject({
    title: 'Mug',
    position: 1,
    reason: 'Photos are fetched from https://i.etsystatic.com only',
  })
})

test('several runs at once fetch every photo once, and two at a time', async () => {
  let running = 0
  let most = 0
  answer = (_, response) => {
    most = Math.max(most, ++running)
    setTimeout(() => {
      running--
      response.end(photo)
    }, 100)
  }
  const [one, other] = [await draft(4), await draft(4)]
  await Promise.all([fetchAll(), fetchAll(), fetchAll()])
  const photos = [(await photosOf(one)).length, (await photosOf(other)).length]
  const { here } = await progress()
  expect({ here, photos, asked: server.asked.length, most }).toEqual({
    ...{ here: 8, photos: [4, 4] },
    ...{ asked: 8, most: 2 },
  })
})

test('a web page that calls itself a picture has failed at once, with the reason', async () => {
  answer = (_, response) =>
    response.setHeader('content-type', 'image/jpeg').end('<!doctype html><script>alert(1)</script>')
  const id = await draft(1)
  await fetchAll()
  const { failed, failures } = await progress()
  expect([failed, failures[0].reason]).toEqual([
    1,
    'File does not have an approved extension: pdf, jpg, jpeg, png, gif',
  ])
  expect([await photosOf(id), server.asked.length]).toEqual([[], 1])
})

test('a server error is tried four times, later each time, then the maker can try again', async () => {
  answer = (_, response) => response.writeHead(503).end()
  await draft(1)
  for (const minutes of [1, 5, 30]) {
    await fetchAll()
    const [row] = await shop.rows(
      `select state, round(extract(epoch from next_at - now()) / 60)::int as minutes from draft_pictures`,
    )
    expect(row).toEqual({ state: 'pending', minutes })
    await due()
  }
  await fetchAll()
  await fetchAll()
  expect(server.asked.length).toBe(4)
  expect((await progress()).failures).toMatchObject([{ reason: 'Its server has an error' }])
  answer = (_, response) => response.end(photo)
  expect((await ana.post('/api/import/photos/retry')).body).toMatchObject({ waiting: 1, failed: 0 })
  await fetchAll()
  expect(await progress()).toMatchObject({ here: 1, failed: 0, failures: [] })
})

test('a photo of a zip that could not be read is not fetched again: the next zip has it', async () => {
  const id = await draft(1)
  const reason = 'No picture, or larger than 10 MB'
  await shop.rows(
    `update draft_pictures set url = 'zip:front.jpg', state = 'failed', reason = '${reason}' where draft_id = ${id}`,
  )
  expect((await ana.post('/api/import/photos/retry')).body).toMatchObject({
    waiting: 0,
    failed: 1,
    refetchable: 0,
  })
  expect((await progress()).failures).toMatchObject([{ reason }])
})

test('after a 429 the run ends: the others are asked for later', async () => {
  answer = (_, response) => response.writeHead(429).end()
  await draft(6)
  await fetchAll()
  expect(server.asked.length).toBeLessThanOrEqual(2)
  expect(await progress()).toMatchObject({ waiting: 6, failed: 0 })
})

test('a photo whose process died is fetched again after its lease, and is there once', async () => {
  const id = await draft(1)
  await shop.rows(`update draft_pictures set attempts = 1, leased_until = now() + interval '1 minute'`)
  await fetchAll()
  expect(server.asked.length).toBe(0)
  await shop.rows(`update draft_pictures set leased_until = now() - interval '1 second'`)
  await fetchAll()
  expect((await photosOf(id)).length).toBe(1)
})

test('a process whose lease has ended adds no second photo', async () => {
  const id = await draft(1)
  let held: (() => void) | undefined
  const asked = Promise.withResolvers<void>()
  answer = (_, response) => {
    held = () => response.end(photo)
    asked.resolve()
  }
  const slow = fetchAll()
  await asked.promise
  await shop.rows(`update draft_pictures set leased_until = now() - interval '1 second'`)
  answer = (_, response) => response.end(photo)
  await fetchAll()
  // The second half of the slow run may have it instead.
  await vi.waitFor(async () => expect((await photosOf(id)).length).toBe(1))
  const folders = (await listed(shop.files)).length
  held?.()
  await slow
  expect((await photosOf(id)).length).toBe(1)
  expect((await listed(shop.files)).length).toBe(folders)
})

test('a picture that kills its process each time has failed', async () => {
  await draft(1)
  await shop.rows(`update draft_pictures set attempts = 4, leased_until = now() - interval '1 second'`)
  await fetchAll()
  expect(server.asked.length).toBe(0)
  expect((await progress()).failed).toBe(1)
})

test('a stop gives the photo back at once', async () => {
  await draft(1)
  const stop = new AbortController()
  answer = () => stop.abort()
  await fetchAll(stop.signal)
  expect(await shop.rows('select state, attempts, leased_until from draft_pictures')).toEqual([
    { state: 'pending', attempts: 0, leased_until: null },
  ])
  answer = (_, response) => response.end(photo)
  await fetchAll()
  expect((await progress()).here).toBe(1)
})
