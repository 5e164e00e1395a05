import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATEGORIES } from '#products/categories.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let visitor: Person
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  const maker = await shop.signUp('maker')
  for (const price of [10, 20]) await shop.list(maker, { price })
})
afterAll(() => shop.close())

const search = (query: object) => `/api/products/?${new URLSearchParams({ ...query })}`

test.each([
  [{ min: '10', max: '9.99' }, 'Minimum price cannot exceed maximum price'],
  [{ min: 'ten' }, 'Minimum price must be an amount from 0 to 999,999.99'],
  [{ max: '-1' }, 'Maximum price must be an amount from 0 to 999,999.99'],
  [{ max: '1.999' }, 'Maximum price must be an amount from 0 to 999,999.99'],
  [{ max: '1e3' }, 'Maximum price must be an amount from 0 to 999,999.99'],
  [{ in_stock: 'yes' }, 'In stock must be true or false'],
  [{ rating: '6' }, 'Rating must be a whole number from 1 to 5'],
  [{ rating: '4.5' }, 'Rating must be a whole number from 1 to 5'],
  [{ sort: 'paid' }, 'Sort must be one of: relevance, newest, price_asc, price_desc, rating'],
  [{ category: 'Food' }, `Category must be one of: ${CATEGORIES.join(', ')}`],
  [{ q: ' ' }, 'Search for at least one character'],
  [{ q: 'x'.repeat(101) }, 'Search cannot be more than 100 characters'],
  [{ q: 'a\0b' }, 'Search contains characters that cannot be stored'],
  [{ cursor: 'x' }, 'Cursor is not one of ours'],
])('%o is refused: %s', async (query, message) => {
  expectRefusal(await visitor.get(search(query)), 400, message)
})

test('a cursor of another order is refused', async () => {
  const { body } = await visitor.get(search({ sort: 'price_asc', limit: '1' }))
  expect(body.next_cursor).toEqual(expect.any(String))
  const response = await visitor.get(search({ sort: 'rating', cursor: body.next_cursor }))
  expectRefusal(response, 400, 'Cursor is not one of ours')
})
