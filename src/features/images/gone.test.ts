import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { attach } from './attach.ts'
import { backfillSizes, removeOfDeleted, removeOfDeletedToday } from './sweep.ts'

let shop: TestShop
/** One that is as heavy as photos are, and one that is quickly made smaller. */
let photo: Buffer
let plain: Buffer
beforeAll(async () => {
  shop = await openShop({ settings: { LIMITS: 'on', QUOTA_MB: '1' } })
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  photo = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'white', noise } })
    .jpeg({ quality: 80 })
    .toBuffer()
  plain = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => shop.close())

const folders = () => Array.fromAsync(shop.files.list(new Date(Date.now() + 60_000)))
const addresses = ({ srcset }: { srcset: string }) =>
  srcset.split(', ').map(entry => String(entry.split(' ')[0]))
/** A document of one page, padded by so many bytes. */
const pdf = (more = 0) =>
  Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 20 10] >> endobj
%${'x'.repeat(more)}
trailer << /Root 1 0 R >>\n%%EOF\n`)

test('the photos and documents of a deleted listing are deleted, and no others', async () => {
  const [ana, visitor] = [await shop.signUp('ana'), shop.visitor()]
  const [other, deleted] = [await shop.list(ana), await shop.list(ana)]
  const image = (await ana.upload(`/api/products/${other.id}/images`, plain)).body
  const first = (await ana.upload(`/api/products/${deleted.id}/images`, plain)).body
  const second = (await ana.upload(`/api/products/${deleted.id}/images`, pdf())).body
  const all = [...addresses(first), ...addresses(second), second.document]
  expect(all).toHaveLength(8)
  for (const address of all) expect((await visitor.get(address)).status).toBe(200)
  const { etag } = (await visitor.get(all[0] ?? '')).headers
  expect((await ana.delete(`/api/products/${deleted.id}`)).status).toBe(200)
  for (const address of all)
    for (const person of [visitor, ana])
      expectRefusal(await person.get(address), 404, 'There is no such picture')
  expect((await visitor.get(all[0] ?? '', { 'if-none-match': String(etag) })).status).toBe(404)
  expect((await visitor.get(image.url)).status).toBe(200)
  expect(await shop.rows(`select id from images where product_id = ${deleted.id}`)).toEqual([])
  expect(await folders()).toHaveLength(1)
})

test('the cleanup job deletes what failed before or an older version left', async () => {
  const ana = await shop.signUp('ana')
  const [today, before] = [await shop.list(ana), await shop.list(ana)]
  const urls: string[] = []
  for (const { id } of [today, before]) {
    urls.push((await ana.upload(`/api/products/${id}/images`, plain)).body.url)
    await shop.rows(`update products set deleted_at = now() where id = ${id}`)
  }
  await shop.rows(`update products set deleted_at = now() - interval '1 week' where id = ${before.id}`)
  /** Whether the files are there still, of today's listing and of the other one. */
  const stored = async () => {
    const all = (await folders()).map(String)
    return urls.map(url => all.includes(url.split('/')[2] ?? ''))
  }
  const outOfReach = { ...shop.files, remove: () => Promise.reject(new Error('out of reach')) }
  await expect(removeOfDeletedToday(shop.db, outOfReach)).rejects.toThrow('out of reach')
  expect(await stored()).toEqual([true, true])
  await removeOfDeletedToday(shop.db, shop.files)
  expect(await stored()).toEqual([false, true])
  await removeOfDeleted(shop.db, shop.files)
  expect(await stored()).toEqual([false, false])
})

test('an upload that ends after its listing was deleted stores nothing', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const before = await folders()
  await shop.rows(`update products set deleted_at = now() where id = ${id}`)
  await expect(
    attach(shop.db, shop.files, { id: ana.user.id }, { product_id: id }, { file: plain }),
  ).rejects.toMatchObject({
    status: 404,
  })
  expect(await folders()).toEqual(before)
})

test('a user’s photos stay within the quota, and deleting makes room', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const listings = await times(6, () => shop.list(ana))
  const upload = (n: number, bytes = photo) =>
    ana.upload(`/api/products/${listings[n % listings.length]?.id}/images`, bytes)
  // Concurrently, to several listings.
  const responses = []
  for (let n = 0; n < 3; n++) responses.push(...(await times(4, m => upload(4 * n + m))))
  const { 201: accepted = 0, 409: refused = 0, ...others } = countStatuses(responses)
  expect(accepted).toBeGreaterThan(1)
  expect(refused).toBe(12 - accepted)
  expect(others).toEqual({})
  const full =
    'Your photos and documents take up the 1 MB that each person has. Please delete listings that you no longer need, or choose a smaller file'
  expectRefusal(responses.find(({ status }) => status === 409) ?? responses[0]!, 409, full)
  const used = async () =>
    Number(
      (await shop.rows(`select sum(bytes) as bytes from images where owner_id = ${ana.user.id}`))[0].bytes,
    )
  const sizes = async () => {
    const all = await shop.rows(`select folder from images where owner_id = ${ana.user.id}`)
    const contents = await Promise.all(all.map(({ folder }) => shop.files.contents(folder)))
    return contents.flat().reduce((sum, { size }) => sum + size, 0)
  }
  expect(await used()).toBe(await sizes())
  expect(await used()).toBeLessThanOrEqual(2 ** 20)
  expect(await folders()).toHaveLength(Number((await shop.rows('select count(*) from images'))[0].count))
  const { id } = await shop.list(ben)
  expect((await ben.upload(`/api/products/${id}/images`, photo)).status).toBe(201)
  for (const listing of listings) await ana.delete(`/api/products/${listing.id}`)
  listings.splice(0, 6, await shop.list(ana))
  expect((await upload(0)).status).toBe(201)
  expectRefusal(await upload(0, pdf(2 ** 20)), 409, full)
})

test('small photos count as the minimum, and those of an older version are measured', async () => {
  const ana = await shop.signUp('ana')
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const listings = await times(3, () => shop.list(ana))
  const responses = []
  for (let n = 0; n < 36; n++)
    responses.push(await ana.upload(`/api/products/${listings[n % 3]?.id}/images`, dot))
  expect(countStatuses(responses)).toEqual({ 201: 32, 409: 4 })
  const known = await shop.rows('select id, bytes from images order by id')
  await shop.rows('update images set bytes = null')
  await backfillSizes(shop.db, shop.files)
  expect(await shop.rows('select id, bytes from images order by id')).toEqual(known)
})
