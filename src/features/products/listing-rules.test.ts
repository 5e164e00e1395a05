import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { textFieldsOf } from '../../../test/support/text-fields.ts'
import { RequiredFields } from './contract.ts'

let shop: TestShop
let ana: Person
let edited: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  edited = (await shop.list(ana)).id
})
afterAll(() => shop.close())

const TOO_LONG_NAME = 'Name cannot be more than 50 characters'
const TOO_LONG_DESCRIPTION = 'Description cannot be more than 255 characters'
const TOO_LONG_CATEGORY = 'Category cannot be more than 50 characters'
const UNKNOWN_CATEGORY =
  'Category must be one of: Home & Living, Clothing & Shoes, Jewelry & Accessories, Toys & Entertainment, Art & Collectibles'
const ALL_MISSING = [
  'Name is required',
  'Category is required',
  'Description is required',
  'Price is required',
  'Stock is required',
]

/** Adding and editing refuse these fields with the same errors. */
async function sell(fields: Record<string, unknown>) {
  const added = await ana.post('/api/products/', { ...aMug, ...fields })
  const changed = await ana.put(`/api/products/${edited}`, { ...aMug, ...fields })
  expect(changed.status).toBe(added.status === 201 ? 200 : added.status)
  if (added.status === 201)
    expect(changed.body).toMatchObject({ price: added.body.price, name: added.body.name })
  else expect(changed.body).toEqual(added.body)
  return added
}

test('every missing field has its message', async () => {
  for (const body of [undefined, null, {}]) {
    expectRefusal(await ana.post('/api/products/', body), 400, ...ALL_MISSING)
    expectRefusal(await ana.put(`/api/products/${edited}`, body), 400, ...ALL_MISSING)
  }
  const nulls = { name: null, category: null, description: null, price: null, stock: null }
  expectRefusal(await sell(nulls), 400, ...ALL_MISSING)
})

test('empty or blank texts count as missing', async () => {
  for (const text of ['', '  \t\n']) {
    expectRefusal(await sell({ name: text }), 400, 'Name is required')
    expectRefusal(await sell({ category: text }), 400, 'Category is required')
    expectRefusal(await sell({ description: text }), 400, 'Description is required')
  }
})

test('every broken rule is reported at once, the first one in the message', async () => {
  const fields = { name: 'x'.repeat(51), category: 'Pets', description: 'x'.repeat(256), price: 0, stock: -1 }
  const [price, stock] = ['Price must be a positive number', 'Stock must be a positive number']
  expectRefusal(await sell(fields), 400, TOO_LONG_NAME, UNKNOWN_CATEGORY, TOO_LONG_DESCRIPTION, price, stock)
})

test.each(
  Object.entries(textFieldsOf(RequiredFields)).map(
    ([field, { label, max }]) => [field, max, `${label} cannot be more than ${max} characters`] as const,
  ),
)('%s: at most %i characters, counted by code point', async (field, max, message) => {
  for (const character of ['x', 'ß', '語', '🧶']) {
    expect((await sell({ [field]: character.repeat(max - 1) })).status).toBe(201)
    expect((await sell({ [field]: character.repeat(max) })).body[field]).toBe(character.repeat(max))
    expectRefusal(await sell({ [field]: character.repeat(max + 1) }), 400, message)
  }
  expect((await sell({ [field]: 'x' })).status).toBe(201)
})

test('texts are trimmed', async () => {
  expect((await sell({ name: `  ${'x'.repeat(50)}\n` })).body.name).toBe('x'.repeat(50))
})

test('the category is one of the five', async () => {
  for (const category of [
    'Home & Living',
    'Clothing & Shoes',
    'Jewelry & Accessories',
    'Toys & Entertainment',
    'Art & Collectibles',
  ]) {
    expect((await sell({ category })).body.category).toBe(category)
  }
  for (const category of ['home & living', 'Home &amp; Living', 'x'.repeat(49), 'x'.repeat(50)]) {
    expectRefusal(await sell({ category }), 400, UNKNOWN_CATEGORY)
  }
  expectRefusal(await sell({ category: 'x'.repeat(51) }), 400, TOO_LONG_CATEGORY)
})

test.each([0.01, 0.29, 1, 1.1, 4.35, 19.99, 8_192.02, 999_999.99])(
  'price %d is stored exactly',
  async price => {
    expect((await sell({ price })).body.price).toBe(price)
  },
)

test.each([0, -0, -0.01, -1, -1e21])('price %d is not positive', async price => {
  expectRefusal(await sell({ price }), 400, 'Price must be a positive number')
})

test.each([1_000_000, 1_000_000.5, 1e21, Number.MAX_VALUE])('price %d is too high', async price => {
  expectRefusal(await sell({ price }), 400, 'Price cannot be more than 999,999.99')
})

test.each([0.001, 0.004, 1.005, 0.1 + 0.2, 999_999.985, 1e-21, 5e-324])(
  'price %d has too many decimals',
  async price => {
    expectRefusal(await sell({ price }), 400, 'Price cannot have more than two decimals')
  },
)

test.each([{ value: '24.50' }, { value: '' }, { value: true }, { value: [2] }, { value: { amount: 2 } }])(
  '$value is no number',
  async ({ value }) => {
    const messages = ['Price must be a number', 'Stock must be a number']
    expectRefusal(await sell({ price: value, stock: value }), 400, ...messages)
  },
)

test('an infinite number is refused', async () => {
  const payload = JSON.stringify({ ...aMug, price: 7 }).replace('7', '1e999')
  const headers = { 'content-type': 'application/json' }
  const response = await ana.send({ method: 'POST', url: '/api/products/', headers, payload })
  expectRefusal(response, 400, 'Price must be a number')
})

test.each([1, 2, 999_999, 1_000_000])('stock %d is accepted', async stock => {
  expect((await sell({ stock })).body.stock).toBe(stock)
})

test.each([
  [0, 'Stock must be a positive number'],
  [-1, 'Stock must be a positive number'],
  [1.5, 'Stock must be a whole number'],
  [0.5, 'Stock must be a whole number'],
  [1_000_001, 'Stock cannot be more than 1,000,000'],
  [1e21, 'Stock cannot be more than 1,000,000'],
])('stock %d is refused', async (stock, message) => {
  expectRefusal(await sell({ stock }), 400, message)
})

test('texts of another type count as missing', async () => {
  for (const value of [7, true, ['Mug'], { name: 'Mug' }]) {
    expectRefusal(
      await sell({ name: value, category: value, description: value }),
      400,
      ...ALL_MISSING.slice(0, 3),
    )
  }
})

test('characters that the database cannot store are refused with a message', async () => {
  for (const text of ['Mug\0', 'Mug \ud83e', '\udfff']) {
    expectRefusal(await sell({ name: text }), 400, 'Name contains characters that cannot be stored')
    expectRefusal(
      await sell({ description: text }),
      400,
      'Description contains characters that cannot be stored',
    )
  }
})

test('texts are stored character by character', async () => {
  const description = `</script><img src=x onerror=alert(1)> ' " \\ & é é 🧶 \u2028 \u202e {{x}} %s $1`
  expect((await sell({ description })).body.description).toBe(description)
})
