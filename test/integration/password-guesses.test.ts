import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectFields, expectLimited, times } from '../support/expect.ts'
import { newcomer, PASSWORD } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ settings: { LIMITS: 'on', LIMIT_GUESSES: '3' } })
})
afterAll(() => shop.close())

const guess = (email: string, password = 'wrong-1', person = shop.visitor()) =>
  person.post('/api/auth/login', { email, password })

test('after too many wrong passwords an account refuses even the right one for a while', async () => {
  const ana = await shop.signUp('ana')
  for (let n = 0; n < 3; n++) expect((await guess(ana.user.email)).status).toBe(401)
  expectLimited(await guess(ana.user.email), 'fields', 15 * 60)
  expectLimited(await guess(ana.user.email, ana.password), 'fields', 15 * 60)
  expect((await ana.get('/api/auth/')).status).toBe(200)
})

test('guesses are counted per account, known or not', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  for (const email of [ana.user.email, 'nobody@example.com']) {
    for (let n = 0; n < 3; n++) {
      expectFields(await guess(email), 401, { password: 'The email or password is not correct' })
    }
    expectLimited(await guess(email), 'fields', 15 * 60)
  }
  expect((await guess(ben.user.email, ben.password)).status).toBe(200)
})

test('an e-mail in another case is the same account', async () => {
  const email = `ivo-${randomUUID().slice(0, 8)}@example.com`
  await shop.visitor().post('/api/auth/signup', { ...newcomer('ivo'), email, password: PASSWORD })
  for (const spelling of [email, email.toUpperCase(), ` ${email}`])
    expect((await guess(spelling)).status).toBe(401)
  // Some collations fold İ to i, and would find the same account.
  for (const spelling of [email, email.toUpperCase(), email.replace('i', 'İ')]) {
    expect((await guess(spelling, 'secret-1')).status).not.toBe(200)
  }
})

test('a right password resets the count', async () => {
  const ana = await shop.signUp('ana')
  for (let round = 0; round < 3; round++) {
    await guess(ana.user.email)
    await guess(ana.user.email)
    expect((await guess(ana.user.email, ana.password)).status).toBe(200)
  }
})

test('concurrent guesses are counted too', async () => {
  const ana = await shop.signUp('ana')
  expect(countStatuses(await times(20, () => guess(ana.user.email)))).toEqual({ 401: 3, 429: 17 })
})

test('the window ends, and the account opens again', async () => {
  const ana = await shop.signUp('ana')
  for (let n = 0; n < 3; n++) await guess(ana.user.email)
  expect((await guess(ana.user.email)).status).toBe(429)
  await shop.db
    .updateTable('rate_limits')
    .set({ window_start: new Date(Date.now() - 16 * 60_000) })
    .where('subject', 'like', `%${ana.user.email.toLowerCase()}%`)
    .execute()
  expect((await guess(ana.user.email, ana.password)).status).toBe(200)
})

test.each(['a\0b@example.com', `${'a'.repeat(50_000)}@b`, 'a\ud83e@b', `${'🧶'.repeat(253)}@`])(
  'an invalid or very long e-mail is no failure (%#)',
  async email => {
    expect([400, 401]).toContain((await guess(email)).status)
  },
)
