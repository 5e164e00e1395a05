import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { limitLoads } from '#platform/http/concurrency-limit.ts'
import { HEADER, PICTURE, row } from '../../../test/support/etsy-files.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sweepImports } from './pending-imports.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

type Cells = Record<string, string>
const send = (person: Person, text: string) =>
  person.upload('/api/import/', Buffer.from(text), 'EtsyListingsDownload.csv', 'file', 'text/csv')
const sendRows = (person: Person, ...rows: Cells[]) => send(person, [HEADER, ...rows.map(row), ''].join('\n'))
const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

test('a preview says what would become of each row, and nothing is written before Yes', async () => {
  const ana = await shop.signUp('ana')
  const long = 'Speckled stoneware mug with a wide handle, for tea and for coffee'
  const { status, body } = await sendRows(
    ana,
    { TITLE: long },
    { TITLE: 'Bowl', IMAGE1: '' },
    { TITLE: long },
  )
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(Number),
      counts: { new: 2, twin: 1 },
      rows: [
        {
          ...{
            row: 2,
            name: 'Speckled stoneware mug with a wide handle, for tea',
            outcome: 'new',
            photos: 1,
          },
          notes: ['A name has at most 50 characters: “Speckled stoneware mug with a wide handle, for tea”'],
        },
        { row: 3, name: 'Bowl', outcome: 'new', photos: 0, notes: [] },
        expect.objectContaining({ row: 4, outcome: 'twin' }),
      ],
      next: null,
    },
  ])
  expect(await draftsOf(ana)).toEqual([])
  expect((await ana.get('/api/import/photos')).body.total).toBe(0)
  expect((await ana.get(`/api/import/${body.id}`)).body).toEqual(body)

  const done = await ana.post(`/api/import/${body.id}`)
  expect([done.status, done.body.counts]).toEqual([200, { new: 2, twin: 1 }])
  expect(await draftsOf(ana)).toHaveLength(2)
  const photos = await shop.rows(`select url, state from draft_pictures where seller_id = ${ana.user.id}`)
  expect(photos).toEqual([{ url: PICTURE, state: 'pending' }])
})

test('Yes again changes nothing, and a newer file shows what has changed', async () => {
  const ana = await shop.signUp('ana')
  const first = await sendRows(ana, { SKU: 'A' }, { SKU: 'B', TITLE: 'B' })
  await ana.post(`/api/import/${first.body.id}`)
  const before = await draftsOf(ana)
  expect((await ana.post(`/api/import/${first.body.id}`)).body.counts).toEqual({ same: 2 })
  expect(await draftsOf(ana)).toEqual(before)
  const second = await sendRows(ana, { SKU: 'A', PRICE: '30' }, { SKU: 'B', TITLE: 'B' }, { SKU: 'C' })
  expect(second.body.counts).toEqual({ changed: 1, same: 1, new: 1 })
  expect(await draftsOf(ana)).toEqual(before)
})

test('rows come in pages of 100, with the numbers of all', async () => {
  const ana = await shop.signUp('ana')
  const rows = Array.from({ length: 230 }, (_, n) => ({ TITLE: `Bowl ${n}` }))
  const { body } = await sendRows(ana, ...rows)
  expect([body.counts, body.rows.length, body.next]).toEqual([{ new: 230 }, 100, 101])
  const second = (await ana.get(`/api/import/${body.id}?after=${body.next}`)).body
  expect([second.counts, second.rows[0].name, second.next]).toEqual([{ new: 230 }, 'Bowl 100', 201])
  const last = (await ana.get(`/api/import/${body.id}?after=201`)).body
  expect([last.rows.length, last.rows.at(-1).row, last.next]).toEqual([30, 231, null])
})

test('a file with wrong cells is refused with row and column, and does not replace the one before', async () => {
  const ana = await shop.signUp('ana')
  const { body } = await sendRows(ana, {})
  const wrong = await sendRows(ana, {}, { PRICE: '1.234,50' })
  const message =
    'Row 3, PRICE: “1.234,50” is no price above 0. Write it as 1234.50 or 1234,50, without thousands separators'
  expectRefusal(wrong, 400, message)
  expectRefusal(await ana.upload('/api/import/', Buffer.alloc(0), '', 'file'), 400, 'Choose a file first')
  expect((await ana.get(`/api/import/${body.id}`)).status).toBe(200)
})

test('a file is its maker’s alone; the next one replaces it, and after a day it is gone', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const gone = 'This file is not here any more; please choose it again'
  const [first, second] = [await sendRows(ana, {}), await sendRows(ana, { TITLE: 'Bowl' })]
  expectRefusal(await ana.get(`/api/import/${first.body.id}`), 404, gone)
  for (const method of ['get', 'post'] as const)
    expectRefusal(await ben[method](`/api/import/${second.body.id}`), 404, gone)
  await shop.rows(
    `update pending_imports set created_at = now() - interval '25 hours' where seller_id = ${ana.user.id} returning id`,
  )
  expectRefusal(await ana.post(`/api/import/${second.body.id}`), 404, gone)
  await sweepImports(shop.db)
  expect(await shop.rows(`select from pending_imports where seller_id = ${ana.user.id}`)).toEqual([])
  expect(await draftsOf(ana)).toEqual([])
})

test('several times Yes at once adds each listing once', async () => {
  const ana = await shop.signUp('ana')
  const { body } = await sendRows(ana, { TITLE: 'One' }, { TITLE: 'Two' }, { TITLE: 'Three' })
  const all = await times(5, () => ana.post(`/api/import/${body.id}`))
  expect(all.map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect(all.filter(({ body }) => body.counts.new === 3)).toHaveLength(1)
  expect(await draftsOf(ana)).toHaveLength(3)
})

test('one file is read at a time, and others wait for their turn', async () => {
  const ana = await shop.signUp('ana')
  const rows = Array.from({ length: 500 }, (_, n) => ({ TITLE: `Bowl ${n}` }))
  const { body } = await sendRows(ana, ...rows)
  const queue = () => limitLoads.get('imports')
  const responses = times(12, async () => (await ana.get(`/api/import/${body.id}`)).status)
  await vi.waitUntil(() => (queue()?.waiting ?? 0) > 0, { ...soon, interval: 1 })
  expect(queue()?.running).toBe(1)
  expect(await responses).toEqual(Array(12).fill(200))
})
