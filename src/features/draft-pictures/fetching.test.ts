import { expect, test, vi } from 'vitest'
import { PhotoFetching, photo, photoUrl } from '../../../test/support/photo-fetching.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { queue } from './draft-pictures.ts'

const own = new PhotoFetching()
const { draft, fetchAll, progress, photosOf } = own
const due = () => own.shop.rows(`update draft_pictures set next_at = now() where state = 'pending'`)

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
  const [{ owner_id, folder }] = await own.shop.rows(
    `select owner_id, folder from images where draft_id = ${id}`,
  )
  expect(owner_id).toBe(own.ana.user.id)
  expect(await listed(own.shop.files)).toContain(folder)
})

test('covers come before the second photos of other drafts', async () => {
  const [one, other] = [await draft(2), await draft(1)]
  await fetchAll()
  const last = own.server.asked.at(-1)
  expect(last).toContain(`${one}-1`)
  expect(own.server.asked.slice(0, 2).join()).toContain(`${other}-0`)
})

test('the same photos are queued once, at most twelve, and only of the one host', async () => {
  const id = await draft(14)
  await queue(own.shop.db, own.ana.user.id, [{ draft: id, urls: [photoUrl(`${id}-0`), photoUrl(`${id}-1`)] }])
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
  own.answer = (_, response) => {
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
  expect({ here, photos, asked: own.server.asked.length, most }).toEqual({
    ...{ here: 8, photos: [4, 4] },
    ...{ asked: 8, most: 2 },
  })
})

test('a web page that calls itself a picture has failed at once, with the reason', async () => {
  own.answer = (_, response) =>
    response.setHeader('content-type', 'image/jpeg').end('<!doctype html><script>alert(1)</script>')
  const id = await draft(1)
  await fetchAll()
  const { failed, failures } = await progress()
  expect([failed, failures[0].reason]).toEqual([
    1,
    'File does not have an approved extension: pdf, jpg, jpeg, png, gif',
  ])
  expect([await photosOf(id), own.server.asked.length]).toEqual([[], 1])
})

test('a server error is tried four times, later each time, then the maker can try again', async () => {
  own.answer = (_, response) => response.writeHead(503).end()
  await draft(1)
  for (const minutes of [1, 5, 30]) {
    await fetchAll()
    const [row] = await own.shop.rows(
      `select state, round(extract(epoch from next_at - now()) / 60)::int as minutes from draft_pictures`,
    )
    expect(row).toEqual({ state: 'pending', minutes })
    await due()
  }
  await fetchAll()
  await fetchAll()
  expect(own.server.asked.length).toBe(4)
  expect((await progress()).failures).toMatchObject([{ reason: 'Its server has an error' }])
  own.answer = (_, response) => response.end(photo)
  expect((await own.ana.post('/api/import/photos/retry')).body).toMatchObject({ waiting: 1, failed: 0 })
  await fetchAll()
  expect(await progress()).toMatchObject({ here: 1, failed: 0, failures: [] })
})

test('a photo of a zip that could not be read is not fetched again: the next zip has it', async () => {
  const id = await draft(1)
  const reason = 'No picture, or larger than 10 MB'
  await own.shop.rows(
    `update draft_pictures set url = 'zip:front.jpg', state = 'failed', reason = '${reason}' where draft_id = ${id}`,
  )
  expect((await own.ana.post('/api/import/photos/retry')).body).toMatchObject({
    waiting: 0,
    failed: 1,
    refetchable: 0,
  })
  expect((await progress()).failures).toMatchObject([{ reason }])
})

test('after a 429 the run ends: the others are asked for later', async () => {
  own.answer = (_, response) => response.writeHead(429).end()
  await draft(6)
  await fetchAll()
  expect(own.server.asked.length).toBeLessThanOrEqual(2)
  expect(await progress()).toMatchObject({ waiting: 6, failed: 0 })
})

test('a photo whose process died is fetched again after its lease, and is there once', async () => {
  const id = await draft(1)
  await own.shop.rows(`update draft_pictures set attempts = 1, leased_until = now() + interval '1 minute'`)
  await fetchAll()
  expect(own.server.asked.length).toBe(0)
  await own.shop.rows(`update draft_pictures set leased_until = now() - interval '1 second'`)
  await fetchAll()
  expect((await photosOf(id)).length).toBe(1)
})

test('a process whose lease has ended adds no second photo', async () => {
  const id = await draft(1)
  let held: (() => void) | undefined
  const asked = Promise.withResolvers<void>()
  own.answer = (_, response) => {
    held = () => response.end(photo)
    asked.resolve()
  }
  const slow = fetchAll()
  await asked.promise
  await own.shop.rows(`update draft_pictures set leased_until = now() - interval '1 second'`)
  own.answer = (_, response) => response.end(photo)
  await fetchAll()
  // The second half of the slow run may have it instead.
  await vi.waitFor(async () => expect((await photosOf(id)).length).toBe(1))
  const folders = (await listed(own.shop.files)).length
  held?.()
  await slow
  expect((await photosOf(id)).length).toBe(1)
  expect((await listed(own.shop.files)).length).toBe(folders)
})

test('a picture that kills its process each time has failed', async () => {
  await draft(1)
  await own.shop.rows(`update draft_pictures set attempts = 4, leased_until = now() - interval '1 second'`)
  await fetchAll()
  expect(own.server.asked.length).toBe(0)
  expect((await progress()).failed).toBe(1)
})

test('a stop gives the photo back at once', async () => {
  await draft(1)
  const stop = new AbortController()
  own.answer = () => stop.abort()
  await fetchAll(stop.signal)
  expect(await own.shop.rows('select state, attempts, leased_until from draft_pictures')).toEqual([
    { state: 'pending', attempts: 0, leased_until: null },
  ])
  own.answer = (_, response) => response.end(photo)
  await fetchAll()
  expect((await progress()).here).toBe(1)
})
