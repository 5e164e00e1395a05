import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('each new reply to a review has one letter, a changed one has none', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker)
  const review = (await shopper.post(`/api/reviews/${id}/create-review`, { review: 'Chipped.', stars: 2 }))
    .body
  const url = `/api/reviews/${review.id}/reply`
  const queued = async () =>
    (await shop.rows(`select id from outbox where kind = 'reply' and subject = ${review.id}`)).map(
      ({ id }) => id,
    )
  expect((await maker.put(url, { reply: 'Sorry.' })).status).toBe(200)
  const [first] = await queued()
  expect(first).toBeDefined()
  // Its author has read it, and later it is swept.
  await shop.rows(`delete from outbox where id = '${first}'`)
  expect((await maker.put(url, { reply: 'So sorry.' })).status).toBe(200)
  expect(await queued()).toEqual([])
  for (let round = 0; round < 2; round++) {
    expect((await maker.delete(url)).status).toBe(200)
    expect(await queued()).toEqual([])
    expect((await maker.put(url, { reply: 'A new one is on its way.' })).status).toBe(200)
    expect((await queued()).length).toBe(1)
  }
})
