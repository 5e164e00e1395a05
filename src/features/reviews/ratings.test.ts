import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { meanRating } from '#products/mean-rating.ts'
import { times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let people: Person[]
let mug: number
beforeAll(async () => {
  shop = await openShop()
  people = await times(12, n => shop.signUp(`p${n}`))
})
beforeEach(async () => {
  mug = (await shop.list(people[0]!)).id
})
afterAll(() => shop.close())

const create = (n: number, stars: number) =>
  people[n]!.post(`/api/reviews/${mug}/create-review`, { review: 'Fine', stars })
const edit = (n: number, stars: number) =>
  people[n]!.post(`/api/reviews/${mug}/edit-review`, { review: 'Fine', stars })
const remove = (n: number) => people[n]!.delete(`/api/reviews/${mug}/delete-review`)
const rating = async () => {
  const { body } = await shop.visitor().get(`/api/products/${mug}`)
  return [body.rating, body.review_count]
}

test('the page of a listing has the same mean as its card', () => {
  // 87 stars in 20 reviews, 4.35.
  expect(meanRating(87, 20)).toBe(4.4)
  expect(meanRating(1, 1)).toBe(1)
})

test('the rating is the mean of the stars with one decimal, and follows every change', async () => {
  expect(await rating()).toEqual([null, 0])
  await create(0, 5)
  expect(await rating()).toEqual([5, 1])
  await create(1, 4)
  expect(await rating()).toEqual([4.5, 2])
  await create(2, 4)
  expect(await rating()).toEqual([4.3, 3])
  await edit(2, 1)
  expect(await rating()).toEqual([3.3, 3])
  await remove(0)
  expect(await rating()).toEqual([2.5, 2])
  await remove(1)
  await remove(2)
  expect(await rating()).toEqual([null, 0])
})

test('refused reviews do not count', async () => {
  await create(0, 5)
  await create(0, 1)
  await create(1, 6)
  await edit(1, 1)
  expect(await rating()).toEqual([5, 1])
})

test('concurrent reviews are all counted', async () => {
  await times(12, n => create(n, (n % 5) + 1))
  expect(await rating()).toEqual([2.8, 12])
  await Promise.all([...people.keys()].map(n => (n < 6 ? remove(n) : edit(n, 5))))
  expect(await rating()).toEqual([5, 6])
})

test('after concurrent changes, the sums are those of the reviews', async () => {
  const listings = [mug, (await shop.list(people[0]!)).id]
  const review = (stars: number) => ({ review: 'Fine', stars })
  const verbs = [
    (n: number, id: number, stars: number) =>
      people[n]!.post(`/api/reviews/${id}/create-review`, review(stars)),
    (n: number, id: number, stars: number) =>
      people[n]!.post(`/api/reviews/${id}/edit-review`, review(stars)),
    (n: number, id: number) => people[n]!.delete(`/api/reviews/${id}/delete-review`),
  ]
  // Twelve users do three things at once to the same two listings, eight times.
  for (let round = 0; round < 8; round++) {
    const responses = await times(72, n => {
      const [person, id, verb] = [n % 12, listings[Math.floor(n / 36)]!, verbs[(n + round) % 3]!]
      return verb(person, id, ((n * 7 + round) % 5) + 1)
    })
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
    for (const id of listings) {
      const reviews = (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body as { stars: number }[]
      const stars = reviews.reduce((sum, review) => sum + review.stars, 0)
      const stored = await shop.db
        .selectFrom('ratings')
        .selectAll()
        .where('product_id', '=', id)
        .executeTakeFirst()
      expect([stored?.reviews ?? 0, stored?.stars ?? 0]).toEqual([reviews.length, stars])
      const counts = [1, 2, 3, 4, 5].map(n => reviews.filter(review => review.stars === n).length)
      expect((await shop.visitor().get(`/api/reviews/${id}/histogram`)).body).toEqual({ stars: counts })
    }
  }
})
