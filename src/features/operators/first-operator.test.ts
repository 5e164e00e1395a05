import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { nameOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { UNUSABLE_SETUP_LINK } from './contract.ts'
import { makeSetupLink } from './first-operator.ts'

let shop: TestShop
beforeEach(async () => {
  shop = await openShop()
})
afterEach(() => shop.close())

const link = async () => {
  const path = await makeSetupLink(shop.db)
  return path?.slice('/setup/'.length) ?? ''
}
const open = (person: Person, token: string) => person.post('/api/setup', { token })

test('whoever opens the link of a new shop is its first operator, and the log says so', async () => {
  const token = await link()
  expect(token).toMatch(/^[\w-]{43}$/)
  expectRefusal(await open(shop.visitor(), token), 401, 'Please log in')
  const olga = await shop.signUp('olga')
  expect((await olga.get('/api/operate/session')).status).toBe(404)
  expect((await open(olga, token)).status).toBe(200)
  expect((await olga.get('/api/operate/session')).body.confirmed).toBe(false)
  expect(await shop.rows('select action, operator_id, person_id from operator_log')).toEqual([
    { action: 'operator-added', operator_id: olga.user.id, person_id: olga.user.id },
  ])
  expect(await shop.rows('select token_hash from setup_links')).toEqual([])
  // There is no other link from now on.
  expect(await makeSetupLink(shop.db)).toBeUndefined()
  expectRefusal(await open(await shop.signUp('eve'), token), 410, UNUSABLE_SETUP_LINK)
})

test('the link is not stored, and a newer one ends it', async () => {
  const first = await link()
  const second = await link()
  const rows = await shop.rows(`select encode(token_hash, 'hex') as hash from setup_links`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(second)
  const olga = await shop.signUp('olga')
  expectRefusal(await open(olga, first), 410, UNUSABLE_SETUP_LINK)
  expectRefusal(await open(olga, 'x'.repeat(43)), 410, UNUSABLE_SETUP_LINK)
  expect((await open(olga, second)).status).toBe(200)
})

test('of several who open it at the same time, one is the first', async () => {
  const token = await link()
  const people = await Promise.all(['ana', 'ben', 'eve', 'olga'].map(name => shop.signUp(name)))
  const responses = await Promise.all(people.map(person => open(person, token)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
  expect(await shop.rows('select count(*)::int as operators from operators')).toEqual([{ operators: 1 }])
})

test('a link ends as soon as a command names an operator', async () => {
  const token = await link()
  await nameOperator(shop, 'otto')
  expectRefusal(await open(await shop.signUp('eve'), token), 410, UNUSABLE_SETUP_LINK)
})
