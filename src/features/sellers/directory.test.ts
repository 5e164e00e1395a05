import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { list } from './directory.ts'
import type { MakersQuery } from './directory-contract.ts'

let shop: TestShop
let ana: Person
let ben: Person
let cleo: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await maker('ana', 'Potters Moor', { name: 'Moss & Maple', shows_name: false })
  ben = await maker('ben', 'Nether Moor', { shows_name: true })
  cleo = await maker('cleo', 'Hatters End', {})
  await shop.list(ana)
  await shop.list(ana, { category: 'Toys & Entertainment' })
  await shop.list(ben, { category: 'Clothing & Shoes' })
  await shop.list(cleo)
  // Has nothing for sale.
  await maker('dora', 'Potters Moor', { name: 'Moss & More' })
})
afterAll(() => shop.close())

async function maker(nickname: string, place: string, fields: { name?: string; shows_name?: boolean }) {
  const person = await shop.signUp(nickname)
  const saved = await person.put(`/api/shops/${person.user.username}`, { words: '', place, ...fields })
  expect(saved.status).toBe(200)
  return person
}
const ask = async (query: Record<string, string> = {}) =>
  shop.visitor().get(`/api/makers?${new URLSearchParams(query)}`)
const namesIn = async (query: Record<string, string>) =>
  (await ask(query)).body.makers.map(({ username }: { username: string }) => username)
const names = (...people: Person[]) => people.map(({ user }) => user.username)

test('the directory has everybody with something for sale, once, the newest first', async () => {
  expect(await namesIn({})).toEqual(names(cleo, ben, ana))
  const { body } = await ask()
  expect(body.makers[1]).toEqual({
    id: ben.user.id,
    username: ben.user.username,
    display_name: `${ben.user.first_name} ${ben.user.last_name}`,
    name: '',
    place: 'Nether Moor',
    words: '',
    picture: null,
  })
})

test('makers are found by craft and by the beginnings of words of their place', async () => {
  expect(await namesIn({ category: 'Toys & Entertainment' })).toEqual(names(ana))
  expect(await namesIn({ category: 'Home & Living' })).toEqual(names(cleo, ana))
  expect(await namesIn({ place: 'moor' })).toEqual(names(ben, ana))
  expect(await namesIn({ place: 'MOO pott' })).toEqual(names(ana))
  expect(await namesIn({ place: 'moor', category: 'Clothing & Shoes' })).toEqual(names(ben))
  expect(await namesIn({ place: '&' })).toEqual([])
})

test('makers are found by username and shop name, and by their own name only where it is shown', async () => {
  expect(await namesIn({ q: 'maple' })).toEqual(names(ana))
  expect(await namesIn({ q: cleo.user.username.toUpperCase() })).toEqual(names(cleo))
  expect(await namesIn({ q: `${ben.user.first_name} ${ben.user.last_name.slice(0, 3)}` })).toContain(
    ben.user.username,
  )
  expect(await namesIn({ q: ben.user.last_name })).toEqual(names(ben))
  await shop.rows(`update users set last_name = 'Quillfeather' where id = ${cleo.user.id}`)
  expect(await namesIn({ q: 'quill' })).toEqual([])
  expect(await namesIn({ q: '%' })).toEqual([])
})

test('a name and a place are found by each of their words, whatever stands between them', async () => {
  const fay = await maker('fay', 'Berlin/Brandenburg', { name: 'Clay.co' })
  const gil = await maker('gil', 'Lake-5', { name: 'Studio-5' })
  await shop.list(fay)
  await shop.list(gil)
  for (const q of ['clay.co', 'Clay.c', 'co', 'clay co'])
    expect(await namesIn({ q }), q).toContain(fay.user.username)
  for (const place of ['berlin/brandenburg', 'berlin/brand', 'brandenburg'])
    expect(await namesIn({ place }), place).toEqual(names(fay))
  for (const q of ['studio-5', '5']) expect(await namesIn({ q }), q).toEqual(names(gil))
  expect(await namesIn({ place: 'lake-5' })).toEqual(names(gil))
  await shop.rows(
    `update products set deleted_at = now() where seller_id in (${fay.user.id}, ${gil.user.id})`,
  )
})

test('the same makers are found from a few that match, and by going from one to the next', async () => {
  const asks = [
    ...[
      { q: 'm' },
      { q: 'maple' },
      { q: ana.user.username },
      { q: ben.user.last_name },
      { q: 'zzz' },
      { q: '&' },
    ],
    ...[{ place: 'moor' }, { place: 'pott moo' }, { place: 'zzz' }, { place: '&' }],
    ...[
      { place: 'moor', q: 'ma' },
      { place: 'moor', q: 'zzz' },
      { place: 'moor', category: 'Clothing & Shoes' },
    ],
  ] as MakersQuery[]
  for (const query of asks) {
    const { makers, next_cursor } = await list(shop.db, query)
    expect(await list(shop.db, query, 0), JSON.stringify(query)).toEqual({ makers, next_cursor })
    const [first] = makers
    if (!first) continue
    const one = { ...query, limit: 1 }
    expect((await list(shop.db, one, 0)).makers).toEqual([first])
    expect(await list(shop.db, one, 0)).toEqual(await list(shop.db, one))
  }
})

test('the directory comes page by page, also filtered', async () => {
  const queries: Record<string, string>[] = [{}, { place: 'moor' }, { category: 'Home & Living' }]
  for (const query of queries) {
    const all = await namesIn(query)
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask({ ...query, limit: '1', ...(cursor ? { cursor } : {}) })
      read.push(...body.makers.map(({ username }: { username: string }) => username))
      cursor = body.next_cursor
    }
    expect(read).toEqual(all)
  }
  expectRefusal(await ask({ cursor: 'x' }), 400, 'Cursor is not one of ours')
  expectRefusal(await ask({ place: 'x'.repeat(101) }), 400, 'Place cannot be more than 100 characters')
})

test('a maker whose last piece goes leaves the directory, and so does one who is suspended', async () => {
  const eve = await maker('eve', 'Nowhere', {})
  const { id } = await shop.list(eve)
  expect(await namesIn({ place: 'nowhere' })).toEqual(names(eve))
  await eve.delete(`/api/products/${id}`)
  expect(await namesIn({ place: 'nowhere' })).toEqual([])
  expect(await namesIn({})).toEqual(names(cleo, ben, ana))
  await shop.rows(
    `update products set deleted_at = now(), suspended_at = now() where seller_id = ${ben.user.id}`,
  )
  expect(await namesIn({})).toEqual(names(cleo, ana))
  await shop.rows(
    `update products set deleted_at = null, suspended_at = null where seller_id = ${ben.user.id}`,
  )
  expect(await namesIn({})).toEqual(names(cleo, ben, ana))
})

test('a page is as fast beside a maker with many listings: it goes from maker to maker in an index', async () => {
  const plan = await shop.db.transaction().execute(async db => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select max(seller_id) from catalogue where category = 'Home & Living' and seller_id < 9`.execute(
      db,
    )
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('catalogue_makers_of_category')
})

test('the page shows makers, filters without scripts, and says when nobody matches', async () => {
  const page = async (query: string) => (await shop.visitor().get(`/makers${query}`)).body
  expect(await page('')).toContain(`${ben.user.first_name} ${ben.user.last_name}`)
  expect(await page('?place=hatters')).not.toContain('Moss &amp; Maple')
  expect(await page('?q=nobodylikethis')).toContain('No maker matches this')
  const empty = await shop.visitor().get('/makers?q=&place=moor&category=')
  expect([empty.status, empty.headers.location]).toEqual([302, '/makers?place=moor'])
  expect((await shop.visitor().get('/makers?category=Nonsense')).status).toBe(400)
  // A page after the last maker is empty.
  const { next_cursor } = (await ask({ limit: '1' })).body
  const further = await shop.visitor().get(`/makers?place=hatters&cursor=${next_cursor}`)
  expect([further.status, further.headers.location]).toEqual([302, '/makers?place=hatters'])
  const lost = await shop.visitor().get('/makers?cursor=x')
  expect([lost.status, lost.body.includes('This part of the list cannot be found.')]).toEqual([400, true])
  expect((await shop.visitor().get('/sitemaps/pages.xml')).body).toContain('/makers</loc>')
})
