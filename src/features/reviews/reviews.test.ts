import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let mug: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
beforeEach(async () => {
  ben = await shop.signUp('ben')
  mug = (await shop.list(ana)).id
})
afterAll(() => shop.close())

const review = (fields = {}, person = ben) =>
  person.post(`/api/reviews/${mug}/create-review`, { review: 'Keeps the tea warm.', stars: 5, ...fields })
const edit = (id: number, fields = {}, person = ben) =>
  person.post(`/api/reviews/${id}/edit-review/`, { review: 'Chipped after a week.', stars: 2, ...fields })
const remove = (id: number, person = ben) => person.delete(`/api/reviews/${id}/delete-review`)
const urlOf = (id: number) => `/api/reviews/${id}/reviews`
const reviewsOf = async (id = mug) => (await shop.visitor().get(urlOf(id))).body

test('a review is returned, and public', async () => {
  const { status, body } = await review()
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    user_id: ben.user.id,
    product_id: mug,
    review: 'Keeps the tea warm.',
    stars: 5,
    first_name: ben.user.first_name,
    last_name: ben.user.last_name,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    verified: false,
    shop: null,
    reply: null,
    replied_at: null,
    cursor: expect.any(String),
  })
  expect(await reviewsOf()).toEqual([body])
})

test('every review has its author’s name and its date', async () => {
  const cleo = await shop.signUp('cleo')
  const written = [
    { author: ben, at: '2025-03-14T23:59:59.000Z' },
    { author: cleo, at: '2025-11-02T00:00:01.500Z' },
    { author: ana, at: '2026-01-31T12:30:00.250Z' },
  ]
  for (const { author, at } of written) {
    const { body } = await review({ review: `By ${author.name}` }, author)
    await shop.db
      .updateTable('reviews')
      .set({ created_at: new Date(at) })
      .where('id', '=', body.id)
      .execute()
  }
  const responses = await Promise.all([ana, ben, cleo, shop.visitor()].map(person => person.get(urlOf(mug))))
  for (const { body } of responses)
    expect(body).toMatchObject(
      written.toReversed().map(({ author, at }) => ({
        user_id: author.user.id,
        review: `By ${author.name}`,
        first_name: author.user.first_name,
        last_name: author.user.last_name,
        createdAt: at,
      })),
    )
})

test('a listing without reviews has an empty list', async () => {
  expect(await shop.visitor().get(`/api/reviews/${mug}/reviews`)).toMatchObject({ status: 200, body: [] })
})

test('reviews come newest first, without those of other listings', async () => {
  const { body: first } = await review()
  const { body: second } = await review({}, ana)
  const other = await shop.list(ana)
  await ben.post(`/api/reviews/${other.id}/create-review`, { review: 'Elsewhere', stars: 1 })
  expect(await reviewsOf()).toEqual([second, first])
})

test('ties: the later review comes first', async () => {
  const ids = [(await review()).body.id, (await review({}, ana)).body.id]
  await shop.db
    .updateTable('reviews')
    .set({ created_at: new Date('2026-01-01') })
    .where('id', 'in', ids)
    .execute()
  expect((await reviewsOf()).map((row: { id: number }) => row.id)).toEqual(ids.reverse())
})

test('the own review is edited by its id or by its listing’s', async () => {
  const { body: written } = await review()
  for (const [id, stars] of [[written.id, 2] as const, [mug, 3] as const]) {
    const { status, body } = await edit(id, { stars })
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...written, review: 'Chipped after a week.', stars, cursor: body.cursor },
    })
    expect(await reviewsOf()).toEqual([body])
  }
})

test('the own review is deleted by its id or by its listing’s', async () => {
  for (const by of ['id', 'product_id'] as const) {
    const { body: written } = await review()
    const { status, body } = await remove(written[by])
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Review deleted' } })
    expect(await reviewsOf()).toEqual([])
  }
})

test('a listing’s id means the own review among many', async () => {
  const [{ body: bens }, { body: anas }] = [await review(), await review({}, ana)]
  await edit(mug, { review: 'By Ana' }, ana)
  expect(await reviewsOf()).toMatchObject([{ id: anas.id, review: 'By Ana' }, bens])
  await remove(mug, ana)
  expect(await reviewsOf()).toEqual([bens])
})

test('a second review of a listing is refused, and the first stays', async () => {
  const { body: first } = await review()
  expectRefusal(
    await review({ review: 'Again', stars: 1 }),
    409,
    'You can only leave one review per product.',
  )
  expect(await reviewsOf()).toEqual([first])
  await remove(first.id)
  expect((await review()).status).toBe(201)
})

test('of twenty concurrent reviews one is stored', async () => {
  const responses = await times(20, n => review({ review: `Try ${n}` }))
  expect(countStatuses(responses)).toEqual({ 201: 1, 409: 19 })
  for (const response of responses.filter(({ status }) => status === 409)) {
    expectRefusal(response, 409, 'You can only leave one review per product.')
  }
  expect(await reviewsOf()).toEqual([responses.find(response => response.status === 201)?.body])
})

test('of twenty concurrent deletions one succeeds', async () => {
  await review()
  expect(countStatuses(await times(20, () => remove(mug)))).toEqual({ 200: 1, 404: 19 })
})

test('a visitor reads, and needs a login for the rest', async () => {
  const { body: written } = await review()
  const visitor = shop.visitor()
  expectRefusal(await review({}, visitor), 401, 'You must be logged in to leave a review.')
  expectRefusal(await edit(written.id, {}, visitor), 401, 'You must be logged in to edit a review.')
  expectRefusal(await remove(written.id, visitor), 401, 'You must be logged in to delete a review.')
  expect(await reviewsOf()).toEqual([written])
})

test('only its author changes a review', async () => {
  const { body: written } = await review()
  expectRefusal(await edit(written.id, {}, ana), 403, 'This is not your review')
  expectRefusal(await remove(written.id, ana), 403, 'This is not your review')
  expectRefusal(await edit(mug, {}, ana), 404, 'You do not have a review to edit')
  expectRefusal(await remove(mug, ana), 404, 'You do not have a review to delete')
  expect(await reviewsOf()).toEqual([written])
})

test('without a review there is none to edit or delete', async () => {
  for (const id of [mug, ben.user.id, 999_999_999]) {
    expectRefusal(await edit(id), 404, 'You do not have a review to edit')
    expectRefusal(await remove(id), 404, 'You do not have a review to delete')
  }
})

test('a deleted listing has no reviews and takes none', async () => {
  const { body: written } = await review()
  await ana.delete(`/api/products/${mug}`)
  for (const id of [mug, written.id]) {
    expectRefusal(await edit(id), 404, 'You do not have a review to edit')
    expectRefusal(await remove(id), 404, 'You do not have a review to delete')
  }
  for (const id of [mug, ana.user.id, 999_999_999]) {
    expectRefusal(await ben.get(`/api/reviews/${id}/reviews`), 404, 'There is no such listing')
    const response = await ana.post(`/api/reviews/${id}/create-review`, { review: 'Late', stars: 1 })
    expectRefusal(response, 404, 'There is no such listing')
  }
})

test('unknown fields are ignored', async () => {
  const claims = {
    id: 1,
    user_id: ana.user.id,
    product_id: 1,
    first_name: 'Eve',
    createdAt: '2000-01-01',
    created_at: 0,
  }
  const { body: written } = await review(claims)
  expect(written).toMatchObject({ user_id: ben.user.id, product_id: mug, first_name: ben.user.first_name })
  expect([written.id, written.createdAt]).not.toContain(1)
  expect(written.createdAt > '2026').toBe(true)
  const { cursor: _, ...unchanged } = written
  expect((await edit(mug, claims)).body).toMatchObject({
    ...unchanged,
    review: 'Chipped after a week.',
    stars: 2,
  })
})
