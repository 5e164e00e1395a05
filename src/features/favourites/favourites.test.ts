import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let maker: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
})
beforeEach(async () => {
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const of = (id: number) => `/api/favourites/${id}`
const idsOf = async (person: Person) => (await person.get('/api/favourites/ids')).body.ids as number[]
const listOf = async (person: Person, query = '') =>
  (await person.get(`/api/favourites/${query}`)).body.products.map(({ id }: { id: number }) => id)

test('a listing can be saved and removed repeatedly', async () => {
  const { id } = await shop.list(maker)
  for (let round = 0; round < 2; round++) {
    expect(await ana.put(of(id))).toMatchObject({
      status: 200,
      body: { message: 'Saved to your favorites' },
    })
    expect(await idsOf(ana)).toEqual([id])
  }
  for (let round = 0; round < 2; round++) {
    expect(await ana.delete(of(id))).toMatchObject({
      status: 200,
      body: { message: 'Removed from your favorites' },
    })
    expect(await idsOf(ana)).toEqual([])
  }
})

test('twenty concurrent saves store one', async () => {
  const { id } = await shop.list(maker)
  expect(countStatuses(await times(20, () => ana.put(of(id))))).toEqual({ 200: 20 })
  expect(await listOf(ana)).toEqual([id])
})

test('last saved first, page by page', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push((await shop.list(maker)).id)
  const order = [2, 0, 4, 1, 3].map(n => ids[n]!)
  for (const id of order) await ana.put(of(id))
  // Saved again it stays in its place.
  await ana.put(of(order[0]!))
  expect(await listOf(ana)).toEqual(order.toReversed())
  const found: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await ana.get(`/api/favourites/?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...body.products.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
  }
  expect(found).toEqual(order.toReversed())
  expectRefusal(await ana.get('/api/favourites/?cursor=abc'), 400, 'Cursor is not one of ours')
})

test('a deleted listing leaves the favourites, and does not count', async () => {
  const [mug, bowl] = [await shop.list(maker), await shop.list(maker)]
  for (const { id } of [mug, bowl]) await ana.put(of(id))
  await maker.delete(`/api/products/${mug.id}`)
  expect(await idsOf(ana)).toEqual([bowl.id])
  expect(await listOf(ana)).toEqual([bowl.id])
  expect((await ana.delete(of(mug.id))).status).toBe(200)
  expectRefusal(await ana.put(of(mug.id)), 404, 'There is no such listing')
})

test('at most 1,000 are stored', async () => {
  const { id } = await shop.list(maker)
  await sql`
    insert into products (seller_id, name, category, description, price_cents)
    select seller_id, name, category, description, price_cents from products, generate_series(1, 1000) where id = ${id}
  `.execute(shop.db)
  await sql`
    insert into favourites (user_id, product_id)
    select ${ana.user.id}, id from products where id > ${id} order by id limit 999
  `.execute(shop.db)
  const more = [await shop.list(maker), await shop.list(maker)]
  const responses = await Promise.all(more.map(listing => ana.put(of(listing.id))))
  expect(countStatuses(responses)).toEqual({ 200: 1, 409: 1 })
  const refused = responses.find(({ status }) => status === 409)!
  expectRefusal(refused, 409, 'You can keep at most 1,000 favorites; remove one to save another')
  expect(await idsOf(ana)).toHaveLength(1000)
  // Without scripts, or before they have loaded.
  const full = await urlencoded(ana, '/favourites', { id: String(id), saved: 'yes', back: '/' })
  expect([full.status, full.headers.location]).toEqual([303, '/favourites?failed=full'])
})

test('favourites are private to their user', async () => {
  const { id } = await shop.list(maker)
  const before = (await maker.get(`/api/products/${id}`)).body
  await ana.put(of(id))
  expect(await listOf(maker)).toEqual([])
  await maker.delete(of(id))
  expect(await idsOf(ana)).toEqual([id])
  expect((await maker.get(`/api/products/${id}`)).body).toEqual(before)
  const message = 'Please log in to save favorites'
  expectRefusal(await shop.visitor().put(of(id)), 401, message)
  expectRefusal(await shop.visitor().delete(of(id)), 401, message)
  expectRefusal(await shop.visitor().get('/api/favourites/'), 401, 'Please log in')
})

test('pages of visitors stay cached when a user saves a listing', async () => {
  const { id } = await shop.list(maker)
  const visitor = shop.visitor()
  const before = await visitor.get('/')
  await ana.put(of(id))
  const after = await visitor.get('/')
  expect(after.headers.etag).toBe(before.headers.etag)
  expect(after.body).not.toContain('aria-pressed="true"')
  expect((await ana.get('/')).body.split('aria-pressed="true"')).toHaveLength(2)
})

test('a login that began at a heart saves the favourite, any other does not', async () => {
  const { id } = await shop.list(maker)
  const form = (next: string) => ({
    method: 'POST' as const,
    url: `/login?next=${encodeURIComponent(next)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ email: ana.user.email, password: ana.password }).toString(),
  })
  for (const next of [`/favourites?save=${id}x`, `/products/${id}`]) {
    expect((await shop.visitor().send(form(next))).status).toBe(303)
    expect(await idsOf(ana)).toEqual([])
  }
  const late = shop.visitor()
  const gone = await late.send(form('/favourites?save=999999999'))
  expect(gone.headers.location).toBe('/favourites?save=999999999&failed=yes')
  expect((await late.get(gone.headers.location as string)).body).toContain('The piece could not be saved')
  const guest = shop.visitor()
  const response = await guest.send(form(`/favourites?save=${id}`))
  expect([response.status, response.headers.location]).toEqual([303, `/favourites?save=${id}`])
  expect(await idsOf(ana)).toEqual([id])
  expect((await guest.get(`/favourites?save=${id}`)).body).toContain(
    'Speckled mug is saved to your favorites',
  )
})
