import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Listing } from '#products/contract.ts'
import { times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { findCandidates } from './candidates.ts'

let shop: TestShop
let visitor: Person
let all: { id: number; n: number }[]

/** More listings than are counted, over three years, ever more of them: all are pins, half are round, few are rare. */
const COUNT = 1_300
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  const { user } = await shop.signUp('collector')
  const listed: typeof all = []
  // A hundred at a time, because of the statement timeout.
  for (let from = 1; from <= COUNT; from += 100) {
    const { rows } = await sql<{ id: number; n: number }>`
      insert into products (seller_id, name, category, description, price_cents, created_at)
      select ${user.id}, 'Pin' || case n % 2 when 0 then ' round' else '' end || case n % 250 when 0 then ' rare' else '' end,
        case n % 400 when 0 then 'Toys & Entertainment' else 'Jewelry & Accessories' end, n::text, n,
        -- Three years are 10 ^ 8 seconds. Some share their moment.
        timestamptz '2026-01-01' - power(1 - (n / 3) * 3 / ${COUNT}::float, 4) * interval '100000000 seconds'
      from generate_series(${from}::int, ${from}::int + 99) as n
      returning id::int, price_cents as n`.execute(shop.db)
    await sql`
      insert into stock_ledger (product_id, units, reason)
      select unnest(${rows.map(({ id }) => id)}::bigint[]), 1, 'opening'`.execute(shop.db)
    listed.push(...rows)
  }
  all = listed.reverse()
}, 120_000)
afterAll(() => shop.close())

async function walk(q: string, limit: number): Promise<number[]> {
  const found: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ q, limit: String(limit), ...(cursor ? { cursor } : {}) })
    const { body } = await visitor.get(`/api/products/?${query}`)
    found.push(...body.products.map(({ id }: Listing) => id))
    cursor = body.next_cursor
  }
  return found
}

test.each([
  ['pin', 100, 1],
  ['round pin', 24, 2],
  ['rare', 3, 250],
  ['rare round', 1, 250],
])('%s: the newest first, each once, %i at a time', async (q, limit, every) => {
  const expected = all.filter(({ n }) => n % every === 0).map(({ id }) => id)
  expect(await walk(q, limit)).toEqual(expected)
})

test('above the counting limit, the counts are marked as lower bounds', async () => {
  const count = async (query: string) => (await visitor.get(`/api/products/counts?${query}`)).body
  const pins = await count('q=pin')
  expect(pins).toMatchObject({ count: 250, more: true })
  const [jewelry, toys, home] = ['Jewelry & Accessories', 'Toys & Entertainment', 'Home & Living'].map(name =>
    pins.categories.find(({ category }: Listing) => category === name),
  )
  expect(jewelry).toMatchObject({ more: true })
  // The newest 250 of 1,300 include listing 1,200; 400 and 800 are older.
  expect(toys).toMatchObject({ count: 1, more: true })
  expect(home).toMatchObject({ count: 0, more: true })
  const toy = encodeURIComponent('Toys & Entertainment')
  expect(await count(`q=pin&category=${toy}`)).toMatchObject({ count: 3, more: false })
  expect(await count('q=rare')).toMatchObject({ count: 5, more: false })
  expect(await count(`category=${encodeURIComponent('Jewelry & Accessories')}`)).toMatchObject({
    count: 1_000,
    more: true,
  })
})

test.each([null, 0, 1, 1_024, 50_000, 10 ** 7, 10 ** 9, 2 ** 40])(
  'a search finds the same with any first window (%s seconds)',
  async firstWindow => {
    const found = async (tsquery: string, limit: number, maxPrice: number | null, after: number | null) => {
      const { rows } = await sql<{ ids: number[] }>`
        select array(select product_id::int from search_newest(
          ${tsquery}::tsquery, ${limit}, null, ${maxPrice}, false, null, last.created_at, last.id, null, ${firstWindow}
        )) as ids
        from (select 1) as one left join products as last on last.id = ${after}`.execute(shop.db)
      return rows[0]?.ids
    }
    for (const [tsquery, every] of [
      ["'n:pin'", 1],
      ["'n:round'", 2],
      ["'n:rare'&'n:round'", 250],
      ["'n:cup'", 10_000],
    ] as const)
      for (const limit of [1, 25, 250, 2_000])
        for (const maxPrice of [null, 900, 3])
          for (const after of [null, all[0]!, all[700]!]) {
            const expected = all
              .slice(after === null ? 0 : all.indexOf(after) + 1)
              .filter(({ n }) => n % every === 0 && n <= (maxPrice ?? n))
              .slice(0, limit)
            const ids = await found(tsquery, limit, maxPrice, after?.id ?? null)
            expect(ids, `${tsquery}, ${limit} up to ${maxPrice}`).toEqual(expected.map(({ id }) => id))
          }
  },
)

test('a search beyond its time limit reports that it is incomplete', async () => {
  const newest = async (timeLimit: number | null) => {
    const { rows } = await sql<{ product_id: number | null }>`
      select product_id from search_newest(${"'n:pin'"}::tsquery, 3, null, null, false, null, null, null, ${timeLimit})
    `.execute(shop.db)
    return rows.map(({ product_id }) => product_id)
  }
  expect(await newest(null)).toEqual(all.slice(0, 3).map(({ id }) => id))
  expect(await newest(-1)).toEqual([null])
})

test('an empty catalogue has no results', async () => {
  const empty = await openShop()
  const { status, body } = await empty.visitor().get('/api/products/?q=pin')
  await empty.close()
  expect({ status, found: body.products }).toEqual({ status: 200, found: [] })
})

test('concurrent searches get their own results, also beside slow ones', async () => {
  const queries = ['pin', 'round pin', 'rare', 'rare round', 'nothing']
  const search = (q: string) => visitor.get(`/api/products/?${new URLSearchParams({ q, limit: '5' })}`)
  const found = async () => (await times(queries.length, n => search(queries[n]!))).map(({ body }) => body)
  const quick = await found()
  expect(quick.map(({ products }) => products.length)).toEqual([5, 5, 5, 5, 0])
  // Longer than the time limit in a batch.
  await sql`create sequence calls`.execute(shop.db)
  await sql`
    create or replace function catalogue_range(out first timestamptz, out last timestamptz) language sql as
    $$ select min(created_at), max(created_at) from catalogue, pg_sleep(0.02), nextval('calls') $$`.execute(
    shop.db,
  )
  // Cached until a change.
  shop.app.cache.invalidateAll()
  expect(await found()).toEqual(quick)
  // Once in a batch and once alone.
  const calls = async () =>
    (await sql<{ n: number }>`select nextval('calls')::int as n`.execute(shop.db)).rows[0]!.n
  const before = await calls()
  await findCandidates(shop.db, { tsquery: "'n:pin'", filters: {}, limit: 25 })
  expect((await calls()) - before - 1).toBe(2)
})
