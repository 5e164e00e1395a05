import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as products from '#products/products.ts'
import { addGeneratedListings } from '../../bench/generated.ts'
import { asShoppersAsk, byListingWords } from '../../bench/queries.ts'
import { measure } from '../../bench/recall.ts'
import { demo, listings, makers } from '../../demo/shop.ts'
import { openShop, type TestShop } from '../support/shop.ts'

// As `npm run search-quality`, without pictures and reviews.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  const ids = new Map<string, number>()
  for (const { username, email, first_name, last_name } of [...makers, demo]) {
    const row = { username, email, first_name, last_name, password_hash: inject('hash') }
    const { id } = await shop.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
    ids.set(username, id)
  }
  for (const { seller, name, category, description, price, stock } of listings)
    await products.add(shop.db, ids.get(seller)!, { name, category, description, price, stock })
  await addGeneratedListings(shop.connection, 2_000)
}, 60_000)
afterAll(() => shop.close())

test.each([
  ['by the words of a listing', byListingWords, 0.98],
  ['as shoppers ask', asShoppersAsk, 0.9],
])(
  'sixty queries %s reach the minimum recall',
  async (_, queries, minimum) => {
    expect(queries).toHaveLength(60)
    const { found, mean } = await measure(shop.db, queries)
    const poor = found.filter(({ recall }) => recall < 1).map(({ query, recall }) => [query[1], recall])
    expect(mean, JSON.stringify(poor)).toBeGreaterThanOrEqual(minimum)
  },
  60_000,
)
