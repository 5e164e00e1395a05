import { beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { LISTING_BYTES } from './variations-contract.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  const open = await openShop()
  shop = open
  ana = await shop.signUp('ana')
  return () => open.close()
})

/** A text of so many characters of four bytes. */
const long = (length: number, n: number) => `${'🧶'.repeat(length - 3)}${String(n).padStart(3, '0')}`
const optionsOf = (count: number, from: number) => Array.from({ length: count }, (_, n) => long(40, from + n))
const [sizes, colours] = [optionsOf(20, 0), optionsOf(20, 100)]
/** A listing whose texts are as long as they can be. */
const largest = {
  ...aMug,
  story: '🧶'.repeat(5000),
  variations: {
    variations: [
      { title: 'Size', options: sizes },
      { title: 'Colour', options: colours },
    ],
    combinations: sizes.flatMap((size, s) =>
      colours.map((colour, c) => ({
        ...{ options: [size, colour], price: 999_999.99, stock: 1000, stock_shown: 0 },
        sku: long(32, s * 20 + c),
      })),
    ),
  },
}
const bytes = Buffer.byteLength(JSON.stringify(largest))

test('a listing with the longest texts in all combinations is added and changed', async () => {
  expect(bytes).toBeGreaterThan(200 * 1024)
  const added = await ana.post('/api/products/', largest)
  expect([added.status, added.body.stock]).toEqual([201, 400_000])
  const { id } = added.body
  const changed = await ana.put(`/api/products/${id}`, { ...largest, name: 'Other' })
  // Nothing of the stock was shown, so it is added to.
  expect(changed.body).toMatchObject({ name: 'Other', stock: 800_000 })
})

test('a larger body is refused, and one over 64 kB of somebody who is not logged in', async () => {
  const more = { ...largest, story: 'x'.repeat(LISTING_BYTES) }
  expectRefusal(await ana.post('/api/products/', more), 413, 'The request is too large')
  expectRefusal(await shop.visitor().post('/api/products/', largest), 401, 'Please log in')
})

test('an unfinished listing of many combinations is saved as a draft', async () => {
  const fields: Record<string, string> = { name: 'Rug' }
  for (let n = 1; n <= 400; n++) {
    fields[`combination_${n}`] = long(83, n)
    Object.assign(fields, {
      [`combination_${n}_price`]: '12.50',
      [`combination_${n}_stock`]: '3',
      [`combination_${n}_shown`]: '3',
      [`combination_${n}_sku`]: `MUG-${n}`,
      [`combination_${n}_photo`]: '12',
    })
  }
  expect(Buffer.byteLength(JSON.stringify(fields))).toBeGreaterThan(64 * 1024)
  const { status, body } = await ana.post('/api/drafts/', { fields })
  expect([status, body.fields]).toEqual([201, fields])
  expect((await ana.get('/api/drafts/')).body.drafts[0].fields).toEqual(fields)
  expect((await ana.put(`/api/drafts/${body.id}`, { fields: { ...fields, name: 'Mat' } })).body.version).toBe(
    2,
  )
})

test('it is copied as a draft, which is shown', async () => {
  const { id } = (await ana.post('/api/products/', { ...largest, name: 'Twin' })).body
  expect((await ana.post(`/api/products/${id}/draft`)).status).toBe(201)
  const { body } = await ana.get('/api/drafts/?limit=1')
  expect(body.drafts[0].fields.name).toBe('Twin')
})
