import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let people: Person[]
let mug: number
beforeAll(async () => {
  shop = await openShop()
  people = await times(11, n => shop.signUp(`p${n}`))
  mug = (await shop.list(people[0]!)).id
  for (const [n, person] of people.entries())
    await person.post(`/api/reviews/${mug}/create-review`, { review: `Review ${n}`, stars: (n % 4) + 2 })
})
afterAll(() => shop.close())

interface Row {
  id: number
  stars: number
  cursor: string
}
const list = async (query = ''): Promise<Row[]> =>
  (await shop.visitor().get(`/api/reviews/${mug}/reviews${query}`)).body
const ids = (rows: Row[]) => rows.map(({ id }) => id)

/** Expected orders: ids rise with time. */
const orders: Record<string, (a: Row, b: Row) => number> = {
  newest: (a, b) => b.id - a.id,
  highest: (a, b) => b.stars - a.stars || b.id - a.id,
  lowest: (a, b) => a.stars - b.stars || b.id - a.id,
}

test('by default the newest reviews are returned', async () => {
  const all = await list()
  expect(all).toHaveLength(11)
  expect(ids(all)).toEqual(ids(all.toSorted(orders.newest)))
})

test('at most 100 reviews come at a time, and a Link header leads to the next page', async () => {
  const { id } = await shop.list(people[0]!)
  const names = `'reader-' || n, 'reader-' || n || '@example.com'`
  await shop.rows(`
    with author as (
      insert into users (username, email, first_name, last_name, password_hash)
      select ${names}, 'Rae', 'Reader', 'none' from generate_series(1, 205) as n returning id
    )
    insert into reviews (product_id, user_id, review, stars) select ${id}, id, 'Fine', 4 from author`)
  const found: Row[] = []
  const sizes: number[] = []
  let next: string | undefined = `/api/reviews/${id}/reviews`
  while (next !== undefined) {
    const { body, headers }: TestResponse = await shop.visitor().get(next)
    found.push(...body)
    sizes.push(body.length)
    next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
  }
  expect(sizes).toEqual([100, 100, 5])
  expect(ids(found)).toEqual(ids(found.toSorted(orders.newest)))
  expect(new Set(ids(found)).size).toBe(205)
})

test.each(Object.keys(orders))('sorted by %s, all at once and part by part', async sort => {
  const right = ids((await list()).toSorted(orders[sort]))
  expect(ids(await list(`?sort=${sort}`))).toEqual(right)
  for (const limit of [1, 3, 11]) {
    const found: Row[] = []
    for (let part = await list(`?sort=${sort}&limit=${limit}`); part.length > 0; ) {
      expect(part.length).toBeLessThanOrEqual(limit)
      found.push(...part)
      part = await list(`?sort=${sort}&limit=${limit}&cursor=${part.at(-1)?.cursor}`)
    }
    expect(ids(found)).toEqual(right)
  }
})

test.each([1, 2, 3, 4, 5])('only those with %i stars, in every order', async stars => {
  const right = (await list()).filter(row => row.stars === stars)
  for (const sort of Object.keys(orders))
    expect(ids(await list(`?stars=${stars}&sort=${sort}`))).toEqual(ids(right))
})

test('one review by its id, or by its author', async () => {
  const [last] = await list()
  expect(ids(await list(`?id=${last?.id}`))).toEqual([last?.id])
  expect(await list(`?author=${people[10]?.user.id}`)).toEqual([last])
  expect(await list('?author=999999999')).toEqual([])
})

test('invalid parameters are refused', async () => {
  const refusals: [string, string][] = [
    ['sort=best', 'Sort must be one of: newest, highest, lowest'],
    ['stars=0', 'Stars must be a whole number from 1 to 5'],
    ['stars=4.5', 'Stars must be a whole number from 1 to 5'],
    ['limit=0', 'Limit must be a whole number from 1 to 100'],
    ['cursor=abc', 'Cursor is not one of ours'],
    ['id=0', 'Id must be a whole number above 0'],
    ['author=%00', 'Id must be a whole number above 0'],
  ]
  for (const [query, message] of refusals)
    expectRefusal(await shop.visitor().get(`/api/reviews/${mug}/reviews?${query}`), 400, message)
})

test('the page of a piece shows its first reviews where its address has a cursor that is none', async () => {
  const page = await shop.visitor().get(`/products/${mug}?cursor=abc`)
  expect([page.status, [...page.body.matchAll(/>Review \d+</g)].length]).toEqual([200, 11])
})

test('counts the reviews of each number of stars', async () => {
  const histogram = async (id: number) => (await shop.visitor().get(`/api/reviews/${id}/histogram`)).body
  expect(await histogram(mug)).toEqual({ stars: [0, 3, 3, 3, 2] })
  expect(await histogram((await shop.list(people[0]!)).id)).toEqual({ stars: [0, 0, 0, 0, 0] })
  expectRefusal(await shop.visitor().get('/api/reviews/999999999/histogram'), 404, 'There is no such listing')
})

test('a user finds their own review, a visitor none', async () => {
  const own = (person: Person) => person.get(`/api/reviews/${mug}/own`)
  expect((await own(people[3]!)).body).toMatchObject([{ review: 'Review 3' }])
  expect((await own(shop.visitor())).body).toEqual([])
  expect((await own(await shop.signUp('new'))).body).toEqual([])
  expectRefusal(await people[3]!.get('/api/reviews/999999999/own'), 404, 'There is no such listing')
})

test('a purchase is verified while the order is not cancelled, and only of that piece', async () => {
  const [maker, buyer, other] = [await shop.signUp(), await shop.signUp(), await shop.signUp()]
  const [bowl, vase] = [await shop.list(maker), await shop.list(maker)]
  const verified = async () =>
    (await shop.visitor().get(`/api/reviews/${bowl.id}/reviews`)).body.map(
      ({ user_id, verified }: { user_id: number; verified: boolean }) => [user_id, verified],
    )
  const order = async (person: Person, id: number) => {
    await person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    return (await person.post('/api/orders/checkout')).body.id
  }
  await order(other, vase.id)
  for (const person of [buyer, other])
    await person.post(`/api/reviews/${bowl.id}/create-review`, { review: 'Fine', stars: 4 })
  expect(await verified()).toEqual([
    [other.user.id, false],
    [buyer.user.id, false],
  ])
  const first = await order(buyer, bowl.id)
  expect(await verified()).toContainEqual([buyer.user.id, true])
  const second = await order(buyer, bowl.id)
  await buyer.delete(`/api/orders/${first}/delete-order`)
  expect(await verified()).toContainEqual([buyer.user.id, true])
  await buyer.delete(`/api/orders/${second}/delete-order`)
  expect(await verified()).toContainEqual([buyer.user.id, false])
})

test('a reviewer’s username is returned only if they sell something', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(await shop.signUp('seller'))
  const own = await shop.list(maker)
  for (const person of [maker, shopper])
    await person.post(`/api/reviews/${id}/create-review`, { review: 'Fine', stars: 4 })
  const shops = async () =>
    (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body.map((row: { shop: string }) => row.shop)
  expect(await shops()).toEqual([null, maker.user.username])
  await maker.delete(`/api/products/${own.id}`)
  expect(await shops()).toEqual([null, null])
})

test('the seller replies to a review, changes the reply and deletes it', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker)
  const input = { review: 'Chipped.', stars: 2 }
  const review = (await shopper.post(`/api/reviews/${id}/create-review`, input)).body
  expect(review).toMatchObject({ reply: null, replied_at: null })
  // Another review with its own reply, which stays as it is.
  const neighbour = await shop.list(maker)
  const other = (await shopper.post(`/api/reviews/${neighbour.id}/create-review`, input)).body
  await maker.put(`/api/reviews/${other.id}/reply`, { reply: 'Sorry.' })
  const url = `/api/reviews/${review.id}/reply`
  const firstReview = async () => (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body[0]
  for (const reply of ['  So sorry.\nA new one is on its way. ', 'x'.repeat(300), '🧶'.repeat(300)]) {
    const { status, body } = await maker.put(url, { reply })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...input, reply: reply.trim(), replied_at: expect.stringMatching(/Z$/) })
    expect(await firstReview()).toEqual(body)
  }
  for (const reply of ['', '  ', 'x'.repeat(301), undefined])
    expectRefusal(await maker.put(url, { reply }), 400, 'Replies must be between 1 and 300 characters')
  // The author may edit; the reply stays.
  await shopper.post(`/api/reviews/${id}/edit-review`, { review: 'The new one is whole.', stars: 5 })
  expect((await firstReview()).reply).toBe('🧶'.repeat(300))
  for (let round = 0; round < 2; round++)
    expect((await maker.delete(url)).body).toEqual({ message: 'Reply deleted' })
  expect(await firstReview()).toMatchObject({ reply: null, replied_at: null })
  expect((await shop.visitor().get(`/api/reviews/${neighbour.id}/reviews`)).body).toMatchObject([
    { reply: 'Sorry.' },
  ])
})

test('only the seller replies', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker)
  const review = (await shopper.post(`/api/reviews/${id}/create-review`, { review: 'Fine', stars: 4 })).body
  const url = `/api/reviews/${review.id}/reply`
  const foreign = 'Only the maker of a piece may answer its reviews'
  expectRefusal(await shopper.put(url, { reply: 'Mine' }), 403, foreign)
  expectRefusal(await shopper.delete(url), 403, foreign)
  expectRefusal(await shop.visitor().put(url, { reply: 'Mine' }), 401, 'Please log in')
  expectRefusal(await maker.put(`/api/reviews/${id}/reply`, { reply: 'No' }), 404, 'There is no such review')
  await maker.delete(`/api/products/${id}`)
  expectRefusal(await maker.put(url, { reply: 'Gone' }), 404, 'There is no such review')
})
