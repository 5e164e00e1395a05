import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATEGORIES } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import { times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let visitor: Person
let makers: Person[]
let everything: Listing[]

/** Words of the listings, unrelated to each other, so that a plain comparison finds the matches. */
const ADJECTIVES = ['blue', 'amber', 'small', 'tall', 'oak', 'rust']
const NOUNS = ['mug', 'bowl', 'scarf', 'ring', 'lamp', 'kite']

/** The same listings in every run, covering every category, price, rating and stock. */
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  makers = [await shop.signUp('odile'), await shop.signUp('bruno'), await shop.signUp('reviewer')]
  const [odile, bruno, critic] = makers as [Person, Person, Person]
  for (let n = 0; n < 72; n++) {
    const draft = {
      name: `${ADJECTIVES[n % 6]} ${NOUNS[(n * 5 + (n >> 3)) % 6]}`,
      category: CATEGORIES[n % 5] ?? '',
      description: `Piece with a ${ADJECTIVES[(n * 7) % 6]} edge.`,
      price: [5, 9.99, 10, 25.5, 100][(n * 3) % 5] ?? 1,
      stock: 1 + (n % 3),
    }
    const { id } = await shop.list(n % 4 === 0 ? bruno : odile, draft)
    const buyers = [critic, odile].slice(0, n % 3)
    for (const [k, person] of buyers.entries())
      await person.post(`/api/reviews/${id}/create-review`, { review: 'Seen.', stars: 1 + ((n + k) % 5) })
    if (n % 6 === 0) {
      await critic.post(`/api/cart_items/add/${id}`, { quantity: draft.stock })
      await critic.post('/api/orders/checkout')
    }
    if (n % 17 === 0) await odile.delete(`/api/products/${id}`)
  }
  everything = (await visitor.get('/api/products/?limit=100')).body.products
}, 180_000)
afterAll(() => shop.close())

type Query = Record<string, string>
const search = (query: Query) => `/api/products/?${new URLSearchParams(query)}`

/** Every page of a list; `before` gets the last listing shown, before each request. */
async function walk(query: Query, limit = 100, before = async (_last?: Listing) => {}): Promise<Listing[]> {
  const found: Listing[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    await before(found.at(-1))
    const { status, body } = await visitor.get(
      search({ ...query, limit: String(limit), ...(cursor ? { cursor } : {}) }),
    )
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.products)
    cursor = body.next_cursor
  }
  return found
}

/** As `weighted_rating`. */
const weighted = ({ rating, review_count: n }: Listing) =>
  rating === null ? 0 : Math.floor(1000 * ((15 + rating * n) / (5 + n)) + 1e-6)

/** The reference implementation: a scan that compares whole words. */
function oracle({ q, category, seller, min, max, in_stock, rating, sort }: Query): number[] {
  const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
  const queried = words(q ?? '')
  const hasWords = (text: string) => queried.every(word => words(text).includes(word))
  const matches = (listing: Listing) =>
    hasWords(`${listing.name} ${listing.category} ${listing.description} ${listing.seller}`) &&
    (category === undefined || listing.category === category) &&
    (seller === undefined || listing.seller.toLowerCase() === seller.toLowerCase()) &&
    (min === undefined || listing.price >= Number(min)) &&
    (max === undefined || listing.price <= Number(max)) &&
    (in_stock !== 'true' || listing.stock > 0) &&
    (rating === undefined || (listing.rating ?? 0) >= Number(rating))
  const newer = (a: Listing, b: Listing) => b.created_at.localeCompare(a.created_at) || b.id - a.id
  const orders: Record<string, (a: Listing, b: Listing) => number> = {
    newest: newer,
    relevance: (a, b) => Number(hasWords(b.name)) - Number(hasWords(a.name)) || newer(a, b),
    price_asc: (a, b) => a.price - b.price || a.id - b.id,
    price_desc: (a, b) => b.price - a.price || b.id - a.id,
    rating: (a, b) => weighted(b) - weighted(a) || b.review_count - a.review_count || b.id - a.id,
  }
  const order = orders[sort ?? (q === undefined ? 'newest' : 'relevance')]
  return everything
    .filter(matches)
    .sort(order)
    .map(({ id }) => id)
}

const values: Record<string, string[]> = {
  q: ['mug', 'blue', 'blue edge', 'Oak BOWL', 'living', 'zeppelin'],
  category: [...CATEGORIES],
  min: ['0', '9.99', '10', '25.51'],
  max: ['4.99', '10', '25.5', '999999.99'],
  in_stock: ['true', 'false'],
  rating: ['1', '3', '4', '5'],
  sort: ['relevance', 'newest', 'price_asc', 'price_desc', 'rating'],
}
const alone: Query[] = Object.entries(values).flatMap(([name, each]) =>
  each.map(value => ({ [name]: value })),
)
const pairs = alone.flatMap((one, index) =>
  alone.slice(index + 1).flatMap(other => {
    const both: Query = { ...one, ...other }
    const crossed = Number(both.min ?? 0) > Number(both.max ?? Infinity)
    return Object.keys(both).length === 2 && !crossed ? [both] : []
  }),
)
const ids = (listings: Listing[]) => listings.map(({ id }) => id)

test.each(alone.map(query => [JSON.stringify(query), query] as const))('%s alone', async (_, query) => {
  expect(ids(await walk(query))).toEqual(oracle(query))
  expect(ids(await walk(query, 7))).toEqual(oracle(query))
})

test('every two parameters together', async () => {
  expect(pairs.length).toBeGreaterThan(250)
  for (const query of pairs) expect(ids(await walk(query, 100)), JSON.stringify(query)).toEqual(oracle(query))
})

test('all parameters together, page by page', async () => {
  const some = Object.fromEntries(
    Object.entries(values).map(([name, each]) => [
      name,
      fc.option(fc.constantFrom(...each), { nil: undefined }),
    ]),
  )
  await fc.assert(
    fc.asyncProperty(fc.record(some), fc.integer({ min: 1, max: 30 }), async (chosen, limit) => {
      const query = JSON.parse(JSON.stringify(chosen)) as Query
      fc.pre(Number(query.min ?? 0) <= Number(query.max ?? Infinity))
      expect(ids(await walk(query, limit))).toEqual(oracle(query))
    }),
    { numRuns: 60 },
  )
})

test('one seller’s listings, ignoring the case of the username', async () => {
  const [odile, bruno] = makers
  for (const { user } of [odile!, bruno!]) {
    const seller = user.username
    expect(ids(await walk({ seller: seller.toUpperCase(), sort: 'price_asc' }))).toEqual(
      oracle({ seller, sort: 'price_asc' }),
    )
    expect(ids(await walk({ seller }, 5))).toEqual(oracle({ seller }))
  }
  expect(await walk({ seller: 'nobody-of-that-name' })).toEqual([])
})

test('the counts equal the lists, in all and for each category', async () => {
  for (const query of [{}, ...alone, ...pairs].filter(each => !('sort' in each))) {
    const { body } = await visitor.get(`/api/products/counts?${new URLSearchParams(query)}`)
    expect(body, JSON.stringify(query)).toMatchObject({ count: oracle(query).length, more: false })
    for (const { category, count } of body.categories)
      expect(count, JSON.stringify([query, category])).toBe(oracle({ ...query, category }).length)
  }
})

/** Listings with every sort key spread over them. */
async function passing(word: string) {
  const [, , critic] = makers
  const maker = await shop.signUp(word)
  const old = await times(48, async n => {
    const draft = { name: n % 3 === 0 ? word : 'Piece', description: word, price: 1 + ((n * 7) % 12) }
    const listing = await shop.list(maker, draft)
    if (n % 4 > 1)
      await critic!.post(`/api/reviews/${listing.id}/create-review`, { review: 'Seen.', stars: 1 + (n % 5) })
    return listing.id
  })
  return { maker, old }
}

test.each([
  ['newest', { q: 'heron' }],
  ['price_asc', { q: 'egret' }],
  ['price_desc', { q: 'plover' }],
  ['rating', { q: 'dunlin' }],
  ['relevance', { q: 'curlew' }],
  ['newest', { seller: 'whimbrel' }],
  ['price_asc', { seller: 'godwit' }],
  ['price_desc', { seller: 'knot' }],
  ['rating', { seller: 'turnstone' }],
] as const)('by %s, during changes, each remaining listing is shown exactly once', async (sort, choice) => {
  const [by, word] = Object.entries(choice)[0]!
  const { maker, old } = await passing(word)
  const query = { sort, ...(by === 'q' ? choice : { seller: maker.user.username }) }
  const deleted = new Set<number>()
  const writes: Promise<unknown>[] = []
  let pages = 0
  const remove = async (id: number) => {
    deleted.add(id)
    expect((await maker.delete(`/api/products/${id}`)).status).toBe(200)
  }
  const shown = ids(
    await walk(query, 3, async last => {
      // The next page begins after the last one shown, even if that is deleted.
      if (pages++ % 2 === 1 && last && old.includes(last.id) && !deleted.has(last.id)) await remove(last.id)
      // Runs while the page is read.
      const left = old.filter((id, n) => n % 2 === 0 && !deleted.has(id))
      const [next] = left.slice(writes.length % Math.max(left.length, 1))
      writes.push(shop.list(maker, { name: word, price: 1 + (writes.length % 12) }))
      if (next !== undefined) writes.push(remove(next))
    }),
  )
  await Promise.all(writes)
  const remaining = old.filter(id => !deleted.has(id))
  expect(Math.min(deleted.size, remaining.length)).toBeGreaterThan(8)
  expect(shown.filter((id, index) => shown.indexOf(id) !== index)).toEqual([])
  expect(shown.filter(id => remaining.includes(id)).sort()).toEqual(remaining.sort())
  for (const { id } of await walk(query)) await maker.delete(`/api/products/${id}`)
})
