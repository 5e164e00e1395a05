import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, newcomer, times } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const IN_A_NETWORK = 2
const IN_ALL = 4

let shop: TestShop
beforeAll(async () => {
  const limits = { LIMIT_GUESSES: `${IN_A_NETWORK}`, LIMIT_ACCOUNT_GUESSES: `${IN_ALL}` }
  shop = await openShop({ settings: { LIMITS: 'on', TRUST_PROXY: '1', ...limits } })
})
afterAll(() => shop.close())

/** A login from a network. */
async function login(from: string, email: string, password = 'wrong-1', person = shop.visitor()) {
  return person.post('/api/auth/login', { email, password }, { 'x-forwarded-for': from })
}

/** A user with a known browser, logged out. */
async function regular(): Promise<Person> {
  const ana = await shop.signUp('ana')
  expect((await login('10.0.0.1', ana.user.email, ana.password, ana)).status).toBe(200)
  return ana
}

/** A stranger guesses from many networks until all are refused. */
async function attack(email: string): Promise<void> {
  for (let n = 0; n < IN_ALL / IN_A_NETWORK + 1; n++)
    await times(IN_A_NETWORK, () => login(`192.0.2.${n}`, email))
  expect((await login('192.0.2.99', email)).status).toBe(429)
}

test('a stranger cannot lock a user out of the user’s own network', async () => {
  const { user, password } = await regular()
  for (let n = 0; n <= IN_A_NETWORK; n++) await login('192.0.2.1', user.email)
  expect((await login('192.0.2.1', user.email, password)).status).toBe(429)
  expect((await login('10.0.0.2', user.email, password)).status).toBe(200)
})

test('a stranger with many networks cannot lock out a known browser', async () => {
  const ana = await regular()
  await ana.get('/api/auth/logout')
  await attack(ana.user.email)
  expect((await login('10.0.0.1', ana.user.email, ana.password)).status).toBe(429)
  expect((await login('10.0.0.1', ana.user.email, ana.password, ana)).status).toBe(200)
})

test('a known browser has the limit of a network', async () => {
  const { user, password, ...rest } = await regular()
  const ana = Object.assign(shop.visitor(), rest)
  const responses = await times(5, () => login('10.0.0.1', user.email, 'wrong-1', ana))
  expect(countStatuses(responses)).toEqual({ 401: IN_A_NETWORK, 429: 5 - IN_A_NETWORK })
  // Others are unaffected.
  expect((await login('10.0.0.1', user.email, password)).status).toBe(200)
})

test('a browser is known only to the accounts it has logged into', async () => {
  const [ana, ben] = [await regular(), await regular()]
  await attack(ben.user.email)
  expect((await login('10.0.0.1', ben.user.email, ben.password, ana)).status).toBe(429)
})

test('two users who share a browser are both known there', async () => {
  const [ana, ben] = [await regular(), await regular()]
  expect((await login('10.0.0.1', ben.user.email, ben.password, ana)).status).toBe(200)
  for (const { user } of [ana, ben]) await attack(user.email)
  expect((await login('10.0.0.1', ben.user.email, ben.password, ana)).status).toBe(200)
  expect((await login('10.0.0.1', ana.user.email, ana.password, ana)).status).toBe(200)
})

test('who signs up in a browser, or changes a password there, leaves it known to its other accounts', async () => {
  const ana = await regular()
  const ben = { ...newcomer('ben'), password: 'secret-1' }
  expect((await ana.post('/api/auth/signup', ben)).status).toBe(201)
  const change = { current_password: ben.password, new_password: 'secret-2' }
  expect((await ana.post('/api/auth/password', change)).status).toBe(200)
  await attack(ana.user.email)
  expect((await login('10.0.0.1', ana.user.email, ana.password, ana)).status).toBe(200)
})

test('a planted device cookie gives no further guesses', async () => {
  const [eve, ana] = [await regular(), await regular()]
  const planted = { ...eve.devices }
  ana.devices = { ...planted }
  expect((await login('10.0.0.1', ana.user.email, ana.password, ana)).status).toBe(200)
  await attack(ana.user.email)
  eve.devices = planted
  expect((await login('10.0.0.1', ana.user.email, ana.password, eve)).status).toBe(429)
})

test.each(['password', 'everywhere'])('a change of %s makes other browsers unknown', async cause => {
  const ana = await regular()
  const phone = shop.visitor()
  await login('10.0.0.1', ana.user.email, ana.password, phone)
  const change = { current_password: ana.password, new_password: 'secret-2' }
  if (cause === 'password') expect((await ana.post('/api/auth/password', change)).status).toBe(200)
  else expect((await ana.delete('/api/auth/sessions')).status).toBe(200)
  await attack(ana.user.email)
  const password = cause === 'password' ? 'secret-2' : ana.password
  expect((await login('10.0.0.1', ana.user.email, password, phone)).status).toBe(429)
  if (cause === 'password') expect((await login('10.0.0.1', ana.user.email, password, ana)).status).toBe(200)
})

test('a logged-in user changes the password despite failed logins elsewhere, and cannot guess it either', async () => {
  const ana = await regular()
  await attack(ana.user.email)
  const change = (current_password: string) =>
    ana.post('/api/auth/password', { current_password, new_password: 'secret-2' })
  expect((await change(ana.password)).status).toBe(200)
  const responses = await times(5, () => change('wrong-1'))
  expect(countStatuses(responses)).toEqual({ 400: IN_A_NETWORK, 429: 5 - IN_A_NETWORK })
})

test('right logins are not counted', async () => {
  const { user, password } = await shop.signUp('ana')
  for (let n = 0; n < 2 * IN_ALL; n++)
    expect((await login(`10.0.1.${n}`, user.email, password)).status).toBe(200)
})

test('an account knows at most twenty browsers, and stores only hashes of their cookies', async () => {
  const { user, password } = await shop.signUp('ana')
  const first = await login('10.0.2.1', user.email, password)
  for (let n = 1; n < 22; n++) await login('10.0.2.1', user.email, password)
  const rows = await shop.rows(
    `select encode(token_hash, 'escape') as hash from device_cookies where user_id = ${user.id}`,
  )
  expect(rows).toHaveLength(20)
  const [, cookie = ''] = /device=([\w-]{43})/.exec(String(first.headers['set-cookie'])) ?? []
  expect(cookie).not.toBe('')
  expect(JSON.stringify(rows)).not.toContain(cookie)
})
