import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test.each([
  [[5, 5, 5, 4], '4.8', 4, 1],
  [[5, 5, 5, 5, 3], '4.6', 4, 1],
  [[4, 4, 5], '4.3', 4, 1],
  [[4, 4, 4, 4, 5], '4.2', 4, 0],
  [[5, 5], '5', 5, 0],
])('the mean of %j is drawn as its label says: %s', async (given, mean, whole, halves) => {
  const { id } = await shop.list(await shop.signUp('maker'))
  for (const stars of given) {
    const critic = await shop.signUp('critic')
    await critic.post(`/api/reviews/${id}/create-review`, { review: 'Seen.', stars })
  }
  const { body } = await shop.visitor().get(`/products/${id}`)
  const [summary = ''] = /<p class="rating-average">.*?<\/p>/.exec(body) ?? []
  expect(summary).toContain(`aria-label="${mean} out of 5 stars"`)
  const drawn = (shape: string) => summary.split(shape).length - 1
  expect([drawn('class="star"'), drawn('class="half"')]).toEqual([whole, halves])
})
