import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { sellerDetails } from '../../../test/support/fixtures.ts'
import { aMug, itsDetails } from '../../../test/support/listings.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { MISSING_RETIRED } from './safety.ts'

let shop: TestShop
let otto: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
beforeEach(async () => {
  await set(false)
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const set = (product_safety_required?: boolean) =>
  otto.put('/api/operate/settings', {
    ...{ who_may_sell: 'open', seller_details_required: false, reason: 'The meeting decided' },
    ...(product_safety_required === undefined ? {} : { product_safety_required }),
  })
const sell = (fields: object = {}, person = ana) => person.post('/api/products/', { ...aMug, ...fields })
const say = (fields: object = {}, person = ana) =>
  person.put('/api/selling/details', { ...sellerDetails, ...fields })
const lacking = async (person = ana) => (await person.get('/api/products/lacking-safety')).body
const { safety, manufacturer } = itsDetails
const NO_WARNINGS =
  'Please add warnings and safety information under “Product safety”, or say there that none are needed'
const NO_MAKER =
  'Please say who made it. If that is you, give your address and email in Settings, Seller details; if not, name them under “Product safety”'

test('to begin with a listing needs neither', async () => {
  expect((await otto.get('/api/operate/settings')).body.product_safety_required).toBe(false)
  expect((await sell()).status).toBe(201)
  expect(await lacking()).toEqual({ count: 0, first: [] })
})

test('where operators require it, a listing is added with warnings and with who made it', async () => {
  await set(true)
  expectRefusal(await sell(), 400, NO_WARNINGS, NO_MAKER)
  expectRefusal(await sell({ safety: ' \n ', manufacturer: '' }), 400, NO_WARNINGS, NO_MAKER)
  expectRefusal(await sell({ manufacturer }), 400, NO_WARNINGS)
  expectRefusal(await sell({ safety }), 400, NO_MAKER)
  const { status, body } = await sell({ safety, manufacturer })
  expect(status).toBe(201)
  expect((await shop.visitor().get(`/api/products/${body.id}/details`)).body).toMatchObject({
    safety,
    manufacturer,
  })
  // A setting that is left out stays.
  await set()
  expectRefusal(await sell({ safety }), 400, NO_MAKER)
})

test('a maker says both for all listings in their seller details', async () => {
  await set(true)
  const none = { is_trader: false, address: '', email: '', phone: '' }
  expect((await say({ ...none, safety: 'Hot.' })).status).toBe(200)
  expectRefusal(await sell(), 400, NO_MAKER)
  await say({ ...none, address: 'Long Street 5', email: '', safety: 'Hot.' })
  expectRefusal(await sell(), 400, NO_MAKER)
  await say()
  expectRefusal(await sell(), 400, NO_WARNINGS)
  await say({ safety: 'Hot.' })
  expect((await sell()).status).toBe(201)
})

test('whoever makes things outside of the European Union names who answers for them there', async () => {
  const refused =
    'Please name somebody in the European Union who answers for the safety of what you make: name, address and email'
  expectRefusal(await say({ outside_eu: true }), 400, refused)
  expect((await say({ outside_eu: true, responsible_person: 'EU Agents, Graz' })).status).toBe(200)
  expectRefusal(
    await say({ outside_eu: 'no' }),
    400,
    'Please say whether you make things outside of the European Union',
  )
})

test('a draft is published, and a retired piece brought back, with both alone', async () => {
  const { id } = (await sell()).body
  await ana.post(`/api/products/${id}/retire`)
  const fields = { ...aMug, price: '24.50', stock: '5' }
  const draft = (await ana.post('/api/drafts/', { fields })).body
  await ana.upload(`/api/drafts/${draft.id}/images`, pngOf(30, 20))
  await set(true)
  const publish = () => ana.post(`/api/drafts/${draft.id}/publish`)
  const restore = () => ana.post(`/api/products/${id}/restore`)
  expectRefusal(await publish(), 400, NO_WARNINGS, NO_MAKER)
  const inSettings = Object.values(MISSING_RETIRED)
  expectRefusal(await restore(), 400, ...inSettings)
  const many = await ana.post('/api/drafts/publish', { ids: [draft.id] })
  expect(many.body.refused).toMatchObject([{ id: draft.id, errors: [NO_WARNINGS, NO_MAKER] }])
  const preview = { change: 'restore', ids: [id] }
  const [row] = (await ana.post('/api/products/bulk/preview', preview)).body.rows
  expect(row).toMatchObject({ after: null, problem: inSettings[0] })
  const seen = { id, version: row.version, price: row.before.price, stock: row.before.stock }
  const bulk = await ana.post('/api/products/bulk', { change: 'restore', rows: [seen] })
  expect(bulk.body.results).toMatchObject([{ done: false, message: inSettings[0] }])
  await say({ safety: 'Hot.' })
  expect([(await publish()).status, (await restore()).status]).toEqual([201, 200])
})

test('what is for sale stays and can be changed; its maker reads what is missing', async () => {
  const ids = []
  for (let n = 0; n < 7; n++) ids.push((await sell({ name: `Mug ${n}` })).body.id)
  const whole = (await sell({ safety, manufacturer })).body.id
  await ana.post(`/api/products/${ids[6]}/retire`)
  await set(true)
  expect(await lacking()).toEqual({
    count: 6,
    first: ids.slice(0, 5).map((id, n) => ({ id, name: `Mug ${n}` })),
  })
  const [first] = ids
  expect((await ana.put(`/api/products/${first}`, { ...aMug, price: 3 })).status).toBe(200)
  expect((await shop.visitor().get(`/api/products/${first}`)).body.price).toBe(3)
  await ana.put(`/api/products/${first}`, { ...aMug, safety, manufacturer })
  expect((await lacking()).count).toBe(5)
  await say()
  expect((await lacking()).count).toBe(5)
  await say({ safety: 'Hot.' })
  expect(await lacking()).toEqual({ count: 0, first: [] })
  expect((await ana.get(`/api/products/${whole}`)).status).toBe(200)
  expect(await lacking(await shop.signUp('ben'))).toEqual({ count: 0, first: [] })
})

test('a listing that is being added while the setting changes is refused, or was there before', async () => {
  const [added] = await Promise.all([times(8, n => sell({ name: `Mug ${n}` })), set(true)])
  const there = added.filter(({ status }) => status === 201)
  expect(added.filter(({ status }) => status === 400)).toHaveLength(8 - there.length)
  expect((await lacking()).count).toBe(there.length)
  expect((await sell()).status).toBe(400)
})

test('the page of a listing says who made it and what to mind, its own words first', async () => {
  const page = async (id: number) => {
    const { body } = await shop.visitor().get(`/products/${id}`, { accept: 'text/html' })
    const [part = ''] = /<section[^>]*aria-labelledby="product-safety".*?<\/section>/s.exec(body) ?? []
    return part
  }
  const { id } = (await sell()).body
  expect(await page(id)).toBe('')
  await say({ safety: 'Hot <when> full.', responsible_person: 'EU Agents, Graz' })
  const general = await page(id)
  for (const text of [sellerDetails.name, sellerDetails.address, sellerDetails.email, 'EU Agents, Graz'])
    expect(general).toContain(text)
  expect(general).toContain('Hot &lt;when&gt; full.')
  await ana.put(`/api/products/${id}`, { ...aMug, safety, manufacturer })
  const own = await page(id)
  expect(own).toContain(safety)
  expect(own).toContain(manufacturer)
  for (const text of ['EU Agents', sellerDetails.email, 'Hot &lt;when']) expect(own).not.toContain(text)
})
