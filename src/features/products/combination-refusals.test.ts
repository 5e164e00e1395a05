import { beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { colours, large, sizes, small, varied } from '../../../test/support/listings.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  return () => open.close()
})

test.each([
  [
    'no combination',
    { variations: [sizes], combinations: [] },
    'Variations need a combination that is for sale',
  ],
  [
    'another option',
    { ...varied, combinations: [{ ...small, options: ['Huge'] }] },
    'Each combination must have one option',
  ],
  [
    'a combination twice',
    { ...varied, combinations: [small, small] },
    'Each combination must have one option',
  ],
  [
    'an option too many',
    { ...varied, combinations: [{ ...small, options: ['Small', 'Red'] }] },
    'Each combination must',
  ],
  [
    'three variations',
    { ...varied, variations: [sizes, colours, { title: 'Glaze', options: ['A'] }] },
    'at most 2 variations',
  ],
  ['one name twice', { ...varied, variations: [sizes, sizes] }, 'Variations must have different names'],
  [
    'an option twice',
    { ...varied, variations: [{ ...sizes, options: ['Small', 'Small'] }] },
    'Options must be a list',
  ],
  [
    'no price',
    { ...varied, combinations: [{ ...small, price: 0 }, large] },
    'Price must be a positive number',
  ],
  [
    'too much',
    { ...varied, combinations: [{ ...small, stock: 999_999 }, large] },
    'Stock cannot be more than 1,000,000',
  ],
])('%s is refused, and nothing is added', async (_, variations, message) => {
  const before = await shop.rows('select count(*) from products')
  const { status, body } = await ana.post('/api/products/', { ...aMug, variations })
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  expect(await shop.rows('select count(*) from products')).toEqual(before)
})

test.each(['· Small', 'Small ·', 'Small · blue'])('the option %s is refused', async option => {
  const variations = [{ ...sizes, options: [option] }]
  const body = { ...aMug, variations: { variations, combinations: [{ ...small, options: [option] }] } }
  const message = 'An option cannot begin or end with “·”, or have it between blanks'
  expectRefusal(await ana.post('/api/products/', body), 400, message)
})

test('a variation and a question cannot have the same name', async () => {
  const questions = [{ title: 'Size', required: false, max_length: 20 }]
  const message = 'A variation and a question must have different names'
  expectRefusal(await ana.post('/api/products/', { ...aMug, variations: varied, questions }), 400, message)
  const { id } = await shop.list(ana, { variations: varied })
  const change = { ...aMug, price: 12, stock: 5, stock_shown: 5, questions }
  expect((await ana.put(`/api/products/${id}`, change)).body.message).toBe(message)
})
