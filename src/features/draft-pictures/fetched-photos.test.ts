import { expect, test, vi } from 'vitest'
import { openPool } from '#platform/database/database.ts'
import { soon } from '../../../test/support/expect.ts'
import { varied } from '../../../test/support/listings.ts'
import { PhotoFetching, photo } from '../../../test/support/photo-fetching.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { sweep, toListing } from './draft-pictures.ts'
import { fetchPictures } from './fetch-job.ts'

const own = new PhotoFetching()
const { draft, fetchAll, progress, photosOf } = own

test('photos of a deleted draft are dropped, also that which is on its way', async () => {
  const id = await draft(2)
  own.answer = async (_, response) => {
    await own.shop.rows(`delete from drafts where id = ${id}`)
    response.end(photo)
  }
  const before = (await listed(own.shop.files)).length
  await fetchAll()
  expect(await progress()).toMatchObject({ total: 0 })
  expect((await listed(own.shop.files)).length).toBe(before)
})

test('photos of a draft that is published meanwhile go to its listing', async () => {
  const id = await draft(1)
  const mug = await own.shop.list(own.ana)
  own.answer = async (_, response) => {
    await toListing(own.shop.db, id, mug.id)
    await own.shop.rows(`delete from drafts where id = ${id}`)
    response.end(photo)
  }
  await fetchAll()
  expect((await photosOf(mug.id)).length).toBe(1)
  expect((await own.ana.get(`/api/products/${mug.id}`)).body.images.length).toBe(1)
  expect((await progress()).here).toBe(1)
})

test('a draft that is published while its photo waits for it gets the photo in its listing', async () => {
  const id = await draft(1)
  const mug = await own.shop.list(own.ana)
  const { db, close } = openPool(own.shop.connection, 1)
  const isBlocked = async () =>
    (
      await own.shop.rows(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drafts%'`,
      )
    ).length
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
  const [gone, retired, there] = [
    await own.shop.list(own.ana),
    await own.shop.list(own.ana),
    await own.shop.list(own.ana),
  ]
  for (const { id } of [gone, retired, there]) await toListing(own.shop.db, await draft(1), id)
  await own.ana.delete(`/api/products/${gone.id}`)
  await own.ana.post(`/api/products/${retired.id}/retire`)
  await sweep(own.shop.db)
  const stored = await own.shop.rows('select product_id from draft_pictures order by product_id')
  expect(stored.map(({ product_id }) => product_id)).toEqual([retired.id, there.id])
})

test('a photo that comes later, in front of another one, leaves each combination its own', async () => {
  const id = await draft(1)
  const mug = await own.shop.list(own.ana, { variations: varied })
  await own.ana.upload(`/api/products/${mug.id}/images`, photo)
  await own.shop.rows(`update variants set photo = 1 where product_id = ${mug.id} and options = '{Large}'`)
  await toListing(own.shop.db, id, mug.id)
  await own.shop.rows(`delete from drafts where id = ${id}`)
  await fetchAll()
  expect((await photosOf(mug.id)).length).toBe(2)
  const { variations } = (await own.ana.get(`/api/products/${mug.id}/details`)).body
  expect(variations.combinations.map(({ photo }: { photo: number | null }) => photo)).toEqual([null, 2])
})

test('those of an archive already name the places of the photos that are on their way', async () => {
  const id = await draft(1)
  const mug = await own.shop.list(own.ana, { variations: varied })
  await own.shop.rows(`update products set source_key = 'archive 7 Mug' where id = ${mug.id}`)
  await own.ana.upload(`/api/products/${mug.id}/images`, photo)
  await own.shop.rows(`update variants set photo = 2 where product_id = ${mug.id} and options = '{Large}'`)
  await own.shop.rows(`update variants set photo = 1 where product_id = ${mug.id} and options = '{Small}'`)
  await toListing(own.shop.db, id, mug.id)
  await own.shop.rows(`delete from drafts where id = ${id}`)
  await fetchAll()
  const { variations } = (await own.ana.get(`/api/products/${mug.id}/details`)).body
  expect(variations.combinations.map(({ photo }: { photo: number | null }) => photo)).toEqual([1, 2])
})

test('a deleted listing gets no photo', async () => {
  const id = await draft(1)
  const mug = await own.shop.list(own.ana)
  await toListing(own.shop.db, id, mug.id)
  await own.ana.delete(`/api/products/${mug.id}`)
  await fetchAll()
  expect(await photosOf(mug.id)).toEqual([])
  expect((await progress()).waiting).toBe(0)
})

test('a draft with twelve photos gets no other, and a full quota refuses', async () => {
  const id = await draft(1)
  await own.shop.rows(`
    insert into images (draft_id, owner_id, folder, kind, widths, bytes)
    select ${id}, ${own.ana.user.id}, md5(random()::text || n), 'picture', '{}', 1 from generate_series(1, 12) n`)
  await fetchAll()
  expect((await progress()).failures).toMatchObject([{ reason: 'A listing can have at most 12 photos' }])
  const other = await draft(1)
  const limited = {
    ...own.shop.app,
    config: { ...own.shop.app.config, quota: 12 * 32 * 1024 },
  } as typeof own.shop.app
  await fetchPictures(limited, new AbortController().signal, async () => photo)
  expect((await progress()).failures[1].reason).toMatch(/^Your photos and documents take up/)
  expect(await photosOf(other)).toEqual([])
})

test('nobody sees the photos of others, and a visitor none', async () => {
  await draft(1)
  const ben = await own.shop.signUp('ben')
  expect((await ben.get('/api/import/photos')).body.total).toBe(0)
  expect((await own.shop.visitor().get('/api/import/photos')).status).toBe(401)
  expect((await own.shop.visitor().post('/api/import/photos/retry')).status).toBe(401)
})
