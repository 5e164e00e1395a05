import { afterAll, beforeAll, expect, test } from 'vitest'
import { SUSPENDED } from '#accounts/suspension.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const preview = (which: object) => ana.post('/api/products/bulk/preview', { change: 'retire', ...which })

test.each<[object, string]>([
  [{ change: 'price_set', amount: 0 }, 'Price must be a positive number'],
  [{ change: 'price_set' }, 'Price is required'],
  [{ change: 'price_set', amount: 1.005 }, 'Price cannot have more than two decimals'],
  [{ change: 'price_percent', amount: -100 }, 'Percent must be from -99 to 1,000, and not 0'],
  [{ change: 'price_percent', amount: 0.001 }, 'Percent cannot have more than two decimals'],
  [{ change: 'price_amount', amount: 0 }, 'Amount must be from -999,999.99 to 999,999.99, and not 0'],
  [{ change: 'stock_set', amount: 1.5 }, 'Stock must be a whole number'],
  [{ change: 'stock_add', amount: 0 }, 'Pieces to add must be a whole number from 1 to 1,000,000'],
  [{ change: 'retire', amount: 3 }, 'This change takes no amount'],
  [{ change: 'tags_add', tags: [] }, 'Tags are required'],
  [{ change: 'section' }, 'Section is required'],
  [{ change: 'rename' }, expect.stringMatching('Change must be one of') as never],
])('refused with its reason: %o', async (change, message) => {
  const { id } = await shop.list(ana, { price: 20, stock: 5 })
  expectRefusal(await ana.post('/api/products/bulk/preview', { ...change, ids: [id] }), 400, message)
  const rows = [{ id, version: 1, price: 20, stock: 5 }]
  expectRefusal(await ana.post('/api/products/bulk', { ...change, rows }), 400, message)
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ price: 20, stock: 5, version: 1 })
})

test('an unknown filter is refused: it would match every piece', async () => {
  const message = 'Matching may have a name and sold_out, and nothing else'
  expectRefusal(await preview({ matching: { title: 'mug' } }), 400, message)
})

test('no piece, or too many, are refused', async () => {
  const many = Array.from({ length: 501 }, (_, n) => n + 1)
  const refusal = 'At most 500 pieces can be changed at once'
  expectRefusal(await preview({}), 400, 'Choose at least one piece')
  expectRefusal(await preview({ ids: [] }), 400, 'Choose at least one piece')
  expectRefusal(await preview({ ids: many }), 400, refusal)
  const rows = many.map(id => ({ id, version: 1, price: 20, stock: 5 }))
  expectRefusal(await ana.post('/api/products/bulk', { change: 'retire', rows }), 400, refusal)
  expectRefusal(
    await shop.visitor().post('/api/products/bulk', { change: 'retire', rows: [] }),
    401,
    'Please log in',
  )
})

test('the preview of "Bring back" says what stays retired, as the change does', async () => {
  const otto = await openOperator(shop)
  const mila = await shop.signUp('mila')
  const ids: number[] = []
  for (const name of ['Mug', 'Bowl']) ids.push((await shop.list(mila, { name })).id)
  for (const id of ids) await mila.post(`/api/products/${id}/retire`)
  const because = { reason: 'A copy', rule: '' }
  expect((await otto.post(`/api/operate/listings/${ids[0]}/hide`, because)).status).toBe(200)
  const both = async () => {
    const { rows } = (await mila.post('/api/products/bulk/preview', { change: 'restore', ids })).body
    const seen = rows.map(({ id, version }: { id: number; version: number }) => ({
      id,
      version,
      price: 1,
      stock: 1,
    }))
    const { results } = (await mila.post('/api/products/bulk', { change: 'restore', rows: seen })).body
    const refusals = results.map(({ done, message }: { done: boolean; message: string }) =>
      done ? null : message,
    )
    expect(rows.map(({ problem }: { problem: string | null }) => problem)).toEqual(refusals)
    return refusals
  }
  await otto.post(`/api/operate/people/${mila.user.id}/suspend`, because)
  expect(await both()).toEqual([SUSPENDED, SUSPENDED])
  await otto.post(`/api/operate/people/${mila.user.id}/restore`, because)
  expect(await both()).toEqual([expect.stringContaining('have hidden this piece'), null])
})
