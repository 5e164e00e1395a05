import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFields, expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

const WRONG = { password: 'The email or password is not correct' }

test('signing up logs in, and the session returns the user', async () => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.get('/api/auth/')
  expect(status).toBe(200)
  expect(body).toEqual(ana.user)
  expect(Object.keys(body).sort()).toEqual(['email', 'first_name', 'id', 'last_name', 'username'])
})

test('a visitor has no session: 401 in the documented shape', async () => {
  expectRefusal(await shop.visitor().get('/api/auth/'), 401, 'Please log in')
})

test('logging in returns the user', async () => {
  const ana = await shop.signUp('ana')
  const again = shop.visitor()
  const { status, body } = await again.post('/api/auth/login', {
    email: ana.user.email,
    password: ana.password,
  })
  expect({ status, body }).toEqual({ status: 200, body: ana.user })
  expect((await again.get('/api/auth/')).body).toEqual(ana.user)
})

test('the e-mail of a login ignores case and blanks around it', async () => {
  const ana = await shop.signUp('ana')
  for (const email of [ana.user.email.toUpperCase(), `  ${ana.user.email} `]) {
    const { status } = await shop.visitor().post('/api/auth/login', { email, password: ana.password })
    expect(status).toBe(200)
  }
})

test('the password of a login is not trimmed', async () => {
  const ana = await shop.signUp('ana')
  for (const password of ['SECRET-1', 'secret-1 ', ' secret-1', 'secret-', 'secret-12', 'secret-1\0']) {
    expectFields(
      await shop.visitor().post('/api/auth/login', { email: ana.user.email, password }),
      401,
      WRONG,
    )
  }
})

test('login needs both fields', async () => {
  const eve = shop.visitor()
  const [email, password] = ['Email is required', 'Password is required']
  expectFields(await eve.post('/api/auth/login', {}), 400, { email, password })
  expectFields(await eve.post('/api/auth/login', { email: ' ', password: '' }), 400, { email, password })
  expectFields(await eve.post('/api/auth/login', { email: true, password: ['secret-1'] }), 400, {
    email,
    password,
  })
  expectFields(await eve.post('/api/auth/login', { email: 'a@b' }), 400, { password })
  expectFields(await eve.post('/api/auth/login', { password: 'secret-1' }), 400, { email })
})

test('login does not reveal whether the e-mail exists', async () => {
  const ana = await shop.signUp('ana')
  const known = await shop.visitor().post('/api/auth/login', { email: ana.user.email, password: 'wrong-1' })
  const unknown = await shop
    .visitor()
    .post('/api/auth/login', { email: 'nobody@example.com', password: 'wrong-1' })
  expectFields(known, 401, WRONG)
  expectFields(unknown, 401, WRONG)
  expect(unknown.headers['set-cookie']).toBeUndefined()
  expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(known.headers).sort())
})

test('a login with an unknown e-mail takes about as long as one with a wrong password', async () => {
  const ana = await shop.signUp('ana')
  const spent: Record<string, number[]> = { known: [], unknown: [] }
  for (let round = 0; round < 15; round++) {
    for (const [which, email] of [
      ['known', ana.user.email] as const,
      ['unknown', `x${round}@example.com`] as const,
    ]) {
      const began = performance.now()
      await shop.visitor().post('/api/auth/login', { email, password: 'wrong-1' })
      spent[which]?.push(performance.now() - began)
    }
  }
  const median = (which: string) => spent[which]?.sort((a, b) => a - b)[7] ?? 0
  expect(median('unknown') / median('known')).toBeGreaterThan(0.5)
  expect(median('unknown') / median('known')).toBeLessThan(2)
})

test('a dump of the database holds neither passwords nor tokens', async () => {
  const ana = await shop.signUp('ana')
  const { password_hash } = await shop.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', ana.user.id)
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^argon2id\$[\w-]{22}\$[\w-]{43}$/)
  const sessions = await shop.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', ana.user.id)
    .execute()
  expect(sessions).toHaveLength(1)
  const token = ana.cookie.replace('session=', '')
  const thief = shop.visitor()
  for (const text of [
    sessions[0]?.token_hash.toString('base64url'),
    sessions[0]?.token_hash.toString('hex'),
  ]) {
    expect(text).not.toBe(token)
    thief.cookie = `session=${text}`
    expect((await thief.get('/api/auth/')).status).toBe(401)
  }
})

test('the same password has a different hash for every user', async () => {
  const people = [await shop.signUp('ana'), await shop.signUp('ben')]
  const ids = people.map(person => person.user.id)
  const rows = await shop.db.selectFrom('users').select('password_hash').where('id', 'in', ids).execute()
  expect(new Set(rows.map(row => row.password_hash)).size).toBe(2)
})
