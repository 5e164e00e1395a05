import { expect, test } from 'vitest'
import { leave } from '../../../test/support/account-deletion.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { newcomer } from '../../../test/support/person.ts'
import type { Person } from '../../../test/support/shop.ts'
import { ShopNames, say } from '../../../test/support/shop-names.ts'

const own = new ShopNames()
const { named, expectTaken } = own

test('a name cannot look like somebody else’s username, only like the own one', async () => {
  const ana = await own.shop.signUp('ana')
  const alike = ana.user.username.toUpperCase().replaceAll('-', ' ')
  await expectTaken(alike)
  expect((await say(ana, { name: alike })).status).toBe(200)
})

test('a former username is held against shop names that look like it, after a deletion too', async () => {
  const ana = await own.shop.signUp('ana')
  const { username, first_name, last_name } = ana.user
  const alike = username.toUpperCase().replaceAll('-', ' ')
  const renamed = { username: newcomer('anew').username, first_name, last_name }
  expect((await ana.put('/api/account/names', renamed)).status).toBe(200)
  await expectTaken(alike)
  // It still leads to its user, who can have it back.
  expect((await say(ana, { name: alike })).status).toBe(200)
  expect((await ana.put('/api/account/names', { username, first_name, last_name })).status).toBe(200)
  expect((await leave(ana)).status).toBe(200)
  await expectTaken(alike)
  for (const table of ['former_usernames', 'former_shop_names'])
    await own.shop.rows(`update ${table} set held_until = now()`)
  await named(alike)
})

test('the shop names of a deleted account are held for a year, by hashes alone', async () => {
  const ana = await named('Bramble Loom')
  expect((await say(ana, { name: 'Thistle Loom' })).status).toBe(200)
  expect((await leave(ana)).status).toBe(200)
  for (const alike of ['Bramble Loom', 'THISTLE-L00M']) await expectTaken(alike)
  const newcomers = { ...newcomer('loom'), username: 'bramble-loom', password: 'secret-1' }
  const signed = await own.shop.visitor().post('/api/auth/signup', newcomers)
  expect([signed.status, signed.body.username]).toEqual([400, 'Username is already in use'])
  expect((await own.shop.visitor().get('/shops/bramble-loom', { accept: 'text/html' })).status).toBe(404)
  await own.shop.rows('update former_shop_names set held_until = now()')
  await named('Bramble Loom')
})

test('nobody signs up, or changes their username, to a name that looks like a shop’s', async () => {
  const ana = await named('Hazel Hollow')
  const signed = await own.shop
    .visitor()
    .post('/api/auth/signup', { ...newcomer(), username: 'hazel_h0llow', password: 'secret-1' })
  expect([signed.status, signed.body.username]).toEqual([400, 'Username is already in use'])
  const other = await own.shop.signUp('other')
  const { first_name, last_name } = other.user
  const change = (person: Person) =>
    person.put('/api/account/names', { first_name, last_name, username: 'hazelhollow' })
  expect((await change(other)).status).toBe(400)
  expect((await change(ana)).status).toBe(200)
})

test('a name cannot be, or have in it, the name of the marketplace', async () => {
  const ana = await own.shop.signUp('ana')
  for (const name of ['Thrum', 'THRUM support', 'The-Thrurn-Team'])
    expectRefusal(await say(ana, { name }), 409, 'Shop name cannot be, or look like, Thrum')
  expect((await say(ana, { name: 'Thrumbeard Knits' })).status).toBe(200)
  // A username is shown in the same places.
  const refusal = 'Username cannot be, or look like, Thrum'
  const account = { ...newcomer(), username: 'Thrurn support', password: 'secret-1' }
  const signed = await own.shop.visitor().post('/api/auth/signup', account)
  expect([signed.status, signed.body.username]).toEqual([400, refusal])
  const { first_name, last_name } = ana.user
  const names = { first_name, last_name, username: 'thrum-team' }
  expectRefusal(await ana.put('/api/account/names', names), 400, refusal)
  // Nothing looks like a name without letters.
  await own.shop.rows(`update brand set name = '1832'`)
  expect((await ana.put('/api/account/names', { ...names, username: 'ana 1900' })).status).toBe(200)
  await own.shop.rows('update brand set name = null')
})

test('of concurrent claims of one look one succeeds', async () => {
  const makers = await Promise.all(Array.from({ length: 6 }, () => own.shop.signUp('maker')))
  const claims = await Promise.all(
    makers.map((maker, n) => say(maker, { name: n % 2 ? 'Juniper Jar' : 'JUNlPER-JAR' })),
  )
  expect(claims.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

test('of a username and a shop name of one look, chosen at once, one succeeds', async () => {
  for (const name of ['Alder Attic', 'Birch Barrow', 'Cedar Cellar', 'Damson Den']) {
    const [ana, ben] = [await own.shop.signUp('ana'), await own.shop.signUp('ben')]
    const { first_name, last_name } = ben.user
    const responses = await Promise.all([
      say(ana, { name }),
      ben.put('/api/account/names', { first_name, last_name, username: name.replace(' ', '-') }),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})
