import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** A list, one listing per page. */
async function idsOf(query: Record<string, string>): Promise<number[]> {
  const ids: number[] = []
  let cursor = ''
  do {
    const parameters = new URLSearchParams({ ...query, limit: '1', ...(cursor && { cursor }) })
    const { body } = await shop.visitor().get(`/api/products/?${parameters}`)
    ids.push(...body.products.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
  } while (cursor)
  return ids
}

test('best rated first: four reviews of 4.8 before one of 5, and those without any last', async () => {
  const maker = await shop.signUp('raven')
  const rated = async (...stars: number[]) => {
    const { id } = await shop.list(maker, { name: 'Ranked' })
    for (const each of stars) {
      const critic = await shop.signUp('critic')
      await critic.post(`/api/reviews/${id}/create-review`, { review: 'Seen.', stars: each })
    }
    return id
  }
  const once = await rated(5)
  const bad = await rated(1, 2)
  const often = await rated(5, 5, 5, 4)
  const never = await rated()
  const seller = maker.user.username
  for (const query of [{ seller }, { seller, q: 'ranked' }] as Record<string, string>[])
    expect(await idsOf({ ...query, sort: 'rating' })).toEqual([often, once, bad, never])
})
