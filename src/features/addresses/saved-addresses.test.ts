import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { anAddress } from '../../../test/support/fixtures.ts'
import { countStatuses, times } from '../../../test/support/person.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { MAX_ADDRESSES, savedAlready, TOO_MANY } from './contract.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const save = (person: Person, change: object = {}, key?: string) =>
  person.post('/api/addresses/', { ...anAddress, ...change }, key ? { 'idempotency-key': key } : {})
const saved = async (person: Person) => (await person.get('/api/addresses/')).body.addresses
/** Where the cart of a person is sent. */
const chosen = async ({ user }: Person) =>
  (await shop.rows(`select address_id from carts where user_id = ${user.id}`))[0]?.address_id ?? null

test('a saved address is listed, and the cart is sent there', async () => {
  const ana = await shop.signUp('ana')
  const { status, body } = await save(ana, { name: '  Ana Lund ' })
  expect([status, body]).toEqual([201, { ...anAddress, id: body.id }])
  expect(await chosen(ana)).toBe(body.id)
  const second = (await save(ana, { city: 'Hilltop' })).body
  expect(await saved(ana)).toEqual([body, second])
  expect(await chosen(ana)).toBe(second.id)
})

test('any script is kept as it was typed', async () => {
  const ana = await shop.signUp('ana')
  const there = { name: 'أحمد السيد', line1: '千代田1-1', city: 'Αθήνα', region: '東京都', country: 'JP' }
  await save(ana, there)
  expect(await saved(ana)).toMatchObject([there])
})

test('what is missing is named, and nothing is saved', async () => {
  const ana = await shop.signUp('ana')
  expectRefusal(
    await save(ana, { name: ' ', line1: '', city: undefined, country: 'XX' }),
    400,
    'Full name is required',
    'Street address is required',
    'City is required',
    'Country must be one of the list',
  )
  expect((await save(ana, { country: 'de' })).status).toBe(400)
  expect(await saved(ana)).toEqual([])
  expect(await chosen(ana)).toBeNull()
})

test('the same key again changes the first address, and adds none', async () => {
  const ana = await shop.signUp('ana')
  const first = (await save(ana, {}, 'attempt')).body
  const again = (await save(ana, { city: 'Hilltop' }, 'attempt')).body
  expect(await saved(ana)).toEqual([again])
  expect(again).toEqual({ ...first, city: 'Hilltop' })
  for (const other of [{ line1: '1 Other Street' }, { name: 'Olga Other' }])
    expectRefusal(await save(ana, other, 'attempt'), 422, savedAlready(first))
  expect(await saved(ana)).toEqual([again])
  // Keys of others are others.
  expect((await save(await shop.signUp('ben'), {}, 'attempt')).body.id).not.toBe(first.id)
  const responses = await times(5, () => save(ana, {}, 'double-click'))
  expect(countStatuses(responses)).toEqual({ 201: 5 })
  expect((await saved(ana)).length).toBe(2)
})

test('an address is changed, and the cart stays where it was sent', async () => {
  const ana = await shop.signUp('ana')
  const [first, second] = [(await save(ana)).body, (await save(ana)).body]
  const changed = { ...anAddress, line2: 'Second floor' }
  expect((await ana.put(`/api/addresses/${first.id}`, changed)).body).toEqual({ ...changed, id: first.id })
  expect(await saved(ana)).toEqual([{ ...changed, id: first.id }, second])
  expect(await chosen(ana)).toBe(second.id)
})

test('after the chosen address is deleted, the newest one that is left is chosen', async () => {
  const ana = await shop.signUp('ana')
  const ids: number[] = []
  for (const city of ['One', 'Two', 'Three']) ids.push((await save(ana, { city })).body.id)
  const [one, two, three] = ids
  const remove = (id: number | undefined) => ana.delete(`/api/addresses/${id}`)
  expect((await remove(one)).status).toBe(200)
  expect(await chosen(ana)).toBe(three)
  await remove(three)
  expect(await chosen(ana)).toBe(two)
  await remove(two)
  expect(await chosen(ana)).toBeNull()
  expectRefusal(await remove(two), 404, 'There is no such address')
})

test('addresses of others are unknown', async () => {
  const [ana, eve] = [await shop.signUp('ana'), await shop.signUp('eve')]
  const { id } = (await save(ana)).body
  expectRefusal(await eve.put(`/api/addresses/${id}`, anAddress), 404, 'There is no such address')
  expectRefusal(await eve.delete(`/api/addresses/${id}`), 404, 'There is no such address')
  expect(await saved(eve)).toEqual([])
  expect((await saved(ana)).length).toBe(1)
})

test('one has at most 20, also when many are saved at once', async () => {
  const ana = await shop.signUp('ana')
  const responses = await times(MAX_ADDRESSES + 5, () => save(ana))
  expect(countStatuses(responses)).toEqual({ 201: MAX_ADDRESSES, 409: 5 })
  expectRefusal(await save(ana), 409, TOO_MANY)
  expect((await saved(ana)).length).toBe(MAX_ADDRESSES)
})

test('an address for which there is no room any more is still in its form', async () => {
  const ana = await shop.signUp('ana')
  const { action, fields } = await openForm(ana, '/settings/addresses', 'name="line1"')
  await times(MAX_ADDRESSES, () => save(ana))
  const refused = await send(ana, { action, fields: { ...fields, ...anAddress, line1: 'Unsaved Lane 7' } })
  expect(refused.status).toBe(409)
  expect(refused.body).toContain(TOO_MANY)
  expect(refused.body).toContain('value="Unsaved Lane 7"')
})
