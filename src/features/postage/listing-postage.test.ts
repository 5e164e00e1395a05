import { afterAll, beforeAll, expect, test } from 'vitest'
import { letterPost } from '../../../test/support/fixtures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  // Her default.
  await add()
})
afterAll(() => shop.close())

const everywhere = { destination: '*', first: 30, further: 20, days_min: 2, days_max: 6 }
const add = async (input = {}) => (await ana.post('/api/postage/', { ...letterPost, ...input })).body
const postageOf = async (id: number) => (await shop.visitor().get(`/api/products/${id}/postage`)).body

test('a listing names a profile of its seller, and falls back to the default when that is deleted', async () => {
  const { id: profile } = await add({ name: 'Large pieces', rates: [everywhere] })
  const handling = { postage_profile_id: profile, made_to_order: true, handling_days: 20 }
  const { id, version } = await shop.list(ana, handling)
  expect(await postageOf(id)).toMatchObject({ ...handling, rates: [everywhere] })
  const { name, category, description, price, stock } = (await ana.get(`/api/products/${id}`)).body
  const same = { name, category, description, price, stock }
  // Clients that know nothing of postage change nothing of it.
  await ana.put(`/api/products/${id}`, same)
  expect(await postageOf(id)).toMatchObject(handling)
  expect((await ana.get(`/api/products/${id}`)).body.version).toBe(version)
  expect((await ana.put(`/api/products/${id}`, { ...same, handling_days: 21 })).body.version).toBe(
    version + 1,
  )
  // Based on the version before, with other days: refused.
  const stale = await ana.put(
    `/api/products/${id}`,
    { ...same, handling_days: 7 },
    { 'expected-version': `${version}` },
  )
  expect(stale.status).toBe(409)
  await ana.delete(`/api/postage/${profile}`)
  expect(await postageOf(id)).toMatchObject({
    postage_profile_id: null,
    handling_days: 21,
    made_to_order: true,
  })
})

test('another’s profile is not accepted for a listing', async () => {
  const ben = await shop.signUp('ben')
  const { id: profile } = await add()
  const { id } = await shop.list(ben)
  const { name, category, description, price, stock } = (await ben.get(`/api/products/${id}`)).body
  const input = { name, category, description, price, stock, postage_profile_id: profile }
  for (const response of [
    await ben.post('/api/products/', input),
    await ben.put(`/api/products/${id}`, input),
  ]) {
    expect(response.status).toBe(400)
    expect(response.body.message).toBe('There is no such postage profile of yours; choose another one')
  }
  expect(await postageOf(id)).toMatchObject({ postage_profile_id: null })
  await ana.delete(`/api/postage/${profile}`)
})

test.each([0, 181, 1.5])('%s days until it is ready are refused', async handling_days => {
  const response = await ana.post('/api/products/', { ...(await shop.list(ana)), handling_days })
  expect([response.status, response.body.message]).toEqual([
    400,
    'Days until it is ready must be a whole number from 1 to 180',
  ])
})
