import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { letterPost } from '../../../test/support/fixtures.ts'
import { countStatuses, times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { MAX_PROFILES, PROFILE_CHANGED, savedAlready } from './contract.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const row = (destination: string, first: number, further = 0) => ({
  ...{ destination, first, further, days_min: 2, days_max: 6 },
})
const places = (...names: string[]) => names.map(place => ({ place, hours: '' }))
const profilesOf = async (person: Person) => (await person.get('/api/postage/')).body.profiles
const add = async (person: Person, input = {}) =>
  (await person.post('/api/postage/', { ...letterPost, ...input })).body
const postageOf = async (id: number) => (await shop.visitor().get(`/api/products/${id}/postage`)).body

test('a seller’s first listing brings a default profile, in which everything is by arrangement', async () => {
  const ben = await shop.signUp('ben')
  expect(await profilesOf(ben)).toEqual([])
  const { id } = await shop.list(ben)
  const places = [{ id: expect.any(Number), place: 'Pick-up or by arrangement', hours: '' }]
  expect(await profilesOf(ben)).toMatchObject([{ is_default: true, rates: [], pickup_places: places }])
  expect(await postageOf(id)).toEqual({
    ...{ postage_profile_id: null, made_to_order: false, handling_days: 3, from_country: null },
    ...{ rates: [], pickup_places: places },
  })
})

test('the first profile is the default, another becomes it, and the default cannot be deleted', async () => {
  const ben = await shop.signUp('ben')
  const [first, second] = [await add(ben), await add(ben, { name: 'Parcel' })]
  expect([first.is_default, second.is_default]).toEqual([true, false])
  expect((await ben.delete(`/api/postage/${first.id}`)).status).toBe(409)
  expect((await ben.put(`/api/postage/${second.id}/default`)).body.is_default).toBe(true)
  expect((await profilesOf(ben)).map(({ is_default }: { is_default: boolean }) => is_default)).toEqual([
    false,
    true,
  ])
  expect((await ben.delete(`/api/postage/${first.id}`)).status).toBe(200)
  expect(await profilesOf(ben)).toMatchObject([{ id: second.id }])
})

test('a change replaces all rows, and a pick-up place that stays keeps its id', async () => {
  const { id, version, pickup_places } = await add(ana)
  const changed = {
    ...{ name: 'By post', from_country: null },
    rates: [row('EU', 9.95, 2.5), row('PT', 0)],
    pickup_places: [{ place: 'Market hall', hours: 'Sundays' }],
  }
  const { status, body } = await ana.put(`/api/postage/${id}`, changed)
  expect(status).toBe(200)
  expect(body).toEqual({
    ...changed,
    ...{ id, version: version + 1, is_default: body.is_default, listings: 0 },
    pickup_places: [{ id: pickup_places[0].id, place: 'Market hall', hours: 'Sundays' }],
  })
  expect((await profilesOf(ana)).find((each: { id: number }) => each.id === id)).toEqual(body)
})

test('a form that was opened before another change replaces nothing', async () => {
  const { id, version } = await add(ana)
  const save = (name: string, expected: number) =>
    ana.put(`/api/postage/${id}`, { ...letterPost, name }, { 'expected-version': `${expected}` })
  expect((await save('By hand', version)).body).toMatchObject({ name: 'By hand', version: version + 1 })
  const stale = await save('By coach', version)
  expect([stale.status, stale.body.message]).toEqual([409, PROFILE_CHANGED])
  expect((await profilesOf(ana)).find((profile: { id: number }) => profile.id === id)?.name).toBe('By hand')
  const responses = await Promise.all(['One', 'Two', 'Three'].map(name => save(name, version + 1)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  await ana.delete(`/api/postage/${id}`)
})

test('a change that is repeated is no conflict, also where it has renamed a row before others', async () => {
  const rates = [row('PT', 5), row('ES', 4)]
  const { id, version, pickup_places } = await add(ana, { rates, pickup_places: places('Studio', 'Market') })
  const changed = {
    ...letterPost,
    rates: [row('FR', 5), row('ES', 4)],
    pickup_places: places('Workshop', 'Market').map((place, at) => ({ ...place, id: pickup_places[at].id })),
  }
  const save = () => ana.put(`/api/postage/${id}`, changed, { 'expected-version': `${version}` })
  expect((await save()).body.version).toBe(version + 1)
  expect(await save()).toMatchObject({ status: 200, body: { version: version + 1 } })
  await ana.delete(`/api/postage/${id}`)
})

test('a sending that is repeated adds one profile', async () => {
  const ben = await shop.signUp('ben')
  const responses = await times(5, () =>
    ben.post('/api/postage/', letterPost, { 'idempotency-key': 'one-sending' }),
  )
  expect(countStatuses(responses)).toEqual({ 201: 5 })
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  expect(await profilesOf(ben)).toHaveLength(1)
  // The answer was lost, and the form was edited before it was sent again.
  const edited = { ...letterPost, rates: [row('PT', 7)] }
  const again = await ben.post('/api/postage/', edited, { 'idempotency-key': 'one-sending' })
  expect(again).toMatchObject({ status: 201, body: { id: responses[0]?.body.id, rates: [{ first: 7 }] } })
  expect(await profilesOf(ben)).toEqual([again.body])
  // After Back without scripts, the form has another profile.
  const other = { ...letterPost, name: 'Large parcel' }
  const refused = await ben.post('/api/postage/', other, { 'idempotency-key': 'one-sending' })
  expectRefusal(refused, 422, savedAlready(letterPost.name))
  expect(await profilesOf(ben)).toEqual([again.body])
})

test('concurrent sendings never add more than twenty profiles', async () => {
  const ben = await shop.signUp('ben')
  const responses = await times(MAX_PROFILES + 4, () => ben.post('/api/postage/', letterPost))
  expect(countStatuses(responses)).toEqual({ 201: MAX_PROFILES, 409: 4 })
  expect(
    (await profilesOf(ben)).filter(({ is_default }: { is_default: boolean }) => is_default),
  ).toHaveLength(1)
})

const broken: [problem: string, input: object, message: string][] = [
  [
    'no row',
    { rates: [], pickup_places: [] },
    'Add a price or a pick-up place: nothing can be ordered otherwise',
  ],
  ['no name', { name: ' ' }, 'Name is required'],
  ['an unknown country', { rates: [row('ZZ', 1)] }, 'Choose where this is sent'],
  ['a country twice', { rates: [row('PT', 1), row('PT', 2)] }, 'Each country can have one price only'],
  [
    'a fraction of a cent',
    { rates: [row('PT', 1.005)] },
    'Price of the first piece cannot have more than two decimals',
  ],
  ['a negative price', { rates: [row('PT', 1, -1)] }, 'Price of each further piece cannot be less than 0'],
  [
    'days in the wrong order',
    { rates: [{ ...row('PT', 1), days_max: 1 }] },
    'The most days cannot be fewer than the least',
  ],
  [
    'too many days',
    { rates: [{ ...row('PT', 1), days_max: 91 }] },
    'Days must be whole numbers from 0 to 90',
  ],
  [
    'a place twice',
    { pickup_places: [letterPost.pickup_places[0], letterPost.pickup_places[0]] },
    'Each pick-up place can be named once only',
  ],
]
test.each(broken)('a profile with %s is refused, and changes nothing', async (_, input, message) => {
  const { id } = await add(ana)
  const before = await profilesOf(ana)
  for (const response of [
    await ana.post('/api/postage/', { ...letterPost, ...input }),
    await ana.put(`/api/postage/${id}`, { ...letterPost, ...input }),
  ])
    expect([response.status, response.body.message]).toEqual([400, message])
  expect(await profilesOf(ana)).toEqual(before)
  await ana.delete(`/api/postage/${id}`)
})
