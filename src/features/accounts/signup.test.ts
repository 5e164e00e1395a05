import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectFields, times } from '../../../test/support/expect.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

const EMAIL = 'Please provide a valid email'
const USERNAME = 'Username must be between 3 and 30 characters'
const FIRST_NAME = 'First name must be between 3 and 30 characters'
const LAST_NAME = 'Last name must be between 3 and 30 characters'
const PASSWORD = 'Password must be between 6 and 20 characters.'

/** Valid fields that clash with nobody. */
function person() {
  const username = `ben-${randomUUID().slice(0, 8)}`
  return {
    email: `${username}@example.com`,
    username,
    first_name: 'Ben',
    last_name: 'Potter',
    password: 'secret-1',
  }
}
/** Signs up a new user with these fields replaced. */
const signUp = (fields: Record<string, unknown>) =>
  shop.visitor().post('/api/auth/signup', { ...person(), ...fields })
/** An unused text of so many characters that begins outside the basic plane. */
const unique = (length: number) => `🧶${randomUUID()}`.slice(0, length + 1).padEnd(length + 1, 'x')

test('every missing field has its message', async () => {
  const missing = {
    email: 'Email is required',
    first_name: 'First name is required',
    last_name: 'Last name is required',
    username: 'Username is required',
    password: 'Password is required',
  }
  expectFields(await shop.visitor().post('/api/auth/signup', {}), 400, missing)
  expectFields(await shop.visitor().post('/api/auth/signup'), 400, missing)
  expectFields(await shop.visitor().post('/api/auth/signup', null), 400, missing)
  const nulls = Object.fromEntries(Object.keys(missing).map(field => [field, null]))
  expectFields(await signUp(nulls), 400, missing)
})

test('every broken rule is reported at once, under its field', async () => {
  const fields = { email: 'nobody', first_name: 'Al', last_name: 'O.', username: 'ab', password: '12345' }
  const messages = {
    email: EMAIL,
    first_name: FIRST_NAME,
    last_name: LAST_NAME,
    username: USERNAME,
    password: PASSWORD,
  }
  expectFields(await signUp(fields), 400, messages)
})

test.each([
  ['username', 3, 30, USERNAME],
  ['first_name', 3, 30, FIRST_NAME],
  ['last_name', 3, 30, LAST_NAME],
  ['password', 6, 20, PASSWORD],
])('%s: %i to %i characters, counted by code point', async (field, least, most, message) => {
  expectFields(await signUp({ [field]: unique(least - 1) }), 400, { [field]: message })
  expect(await signUp({ [field]: unique(least) })).toMatchObject({ status: 201 })
  expect(await signUp({ [field]: unique(most) })).toMatchObject({ status: 201 })
  expectFields(await signUp({ [field]: unique(most + 1) }), 400, { [field]: message })
  expectFields(await signUp({ [field]: '' }), 400, { [field]: message })
})

test.each(['first_name', 'last_name', 'password'])('%s: balls of yarn count one each', async field => {
  const [least, most] = field === 'password' ? [6, 20] : [3, 30]
  expect((await signUp({ [field]: '🧶'.repeat(least - 1) })).status).toBe(400)
  expect((await signUp({ [field]: '🧶'.repeat(least) })).status).toBe(201)
  expect((await signUp({ [field]: '🧶'.repeat(most) })).status).toBe(201)
  expect((await signUp({ [field]: '🧶'.repeat(most + 1) })).status).toBe(400)
})

test('the e-mail contains an @ and at most 254 characters', async () => {
  expectFields(await signUp({ email: 'ana.example.com' }), 400, { email: EMAIL })
  expectFields(await signUp({ email: '  ' }), 400, { email: 'Email is required' })
  expect((await signUp({ email: '@' })).status).toBe(201)
  expect((await signUp({ email: `${'a'.repeat(252)}@b` })).status).toBe(201)
  expectFields(await signUp({ email: `${'a'.repeat(253)}@b` }), 400, { email: EMAIL })
})

test('blanks around names and e-mail are trimmed, those of a password are not', async () => {
  expectFields(await signUp({ username: '  ab  ', first_name: '\t Al \n' }), 400, {
    username: USERNAME,
    first_name: FIRST_NAME,
  })
  const fields = person()
  const { body } = await signUp({ ...fields, username: ` ${fields.username} `, password: '      ' })
  expect(body.username).toBe(fields.username)
  expect(
    (await shop.visitor().post('/api/auth/login', { email: fields.email, password: '      ' })).status,
  ).toBe(200)
  expect(
    (await shop.visitor().post('/api/auth/login', { email: fields.email, password: '       ' })).status,
  ).toBe(401)
})

test.each([7, true, ['abc'], { abc: 1 }])('%j is no text', async value => {
  expectFields(await signUp({ username: value, password: value }), 400, {
    username: 'Username is required',
    password: 'Password is required',
  })
})

test('characters that the database cannot store are refused with a message', async () => {
  for (const text of ['abc\0def', 'abcdef\ud83e']) {
    expectFields(await signUp({ username: text, password: text }), 400, {
      username: 'Username contains characters that cannot be stored',
      password: 'Password contains characters that cannot be stored',
    })
  }
})

test('e-mail and username are unique without regard to case, and both clashes are reported at once', async () => {
  const first = person()
  await signUp(first)
  const taken = { email: 'Email is already in use', username: 'Username is already in use' }
  expectFields(await signUp(first), 400, taken)
  expectFields(
    await signUp({ email: first.email.toUpperCase(), username: first.username.toUpperCase() }),
    400,
    taken,
  )
  expectFields(await signUp({ email: ` ${first.email} ` }), 400, { email: taken.email })
  expectFields(await signUp({ username: first.username }), 400, { username: taken.username })
  const other = await shop.signUp('other')
  expectFields(await signUp({ email: first.email, username: other.user.username }), 400, taken)
})

test('ignores case beyond ASCII', async () => {
  const email = `ÅNNA-Ж-${randomUUID().slice(0, 8)}@example.com`
  expect((await signUp({ email })).status).toBe(201)
  expectFields(await signUp({ email: email.toLowerCase() }), 400, { email: 'Email is already in use' })
  expect(
    (await shop.visitor().post('/api/auth/login', { email: email.toLowerCase(), password: 'secret-1' }))
      .status,
  ).toBe(200)
})

test('a refused signup makes no account and no session', async () => {
  const fields = person()
  const eve = shop.visitor()
  await eve.post('/api/auth/signup', { ...fields, last_name: 'X' })
  expect(eve.cookie).toBe('')
  expect((await eve.post('/api/auth/login', fields)).status).toBe(401)
})

test('twenty concurrent signups with one e-mail create one account', async () => {
  const { email } = person()
  const responses = await times(20, () => signUp({ email }))
  expect(countStatuses(responses)).toEqual({ 201: 1, 400: 19 })
  for (const response of responses.filter(({ status }) => status === 400)) {
    expectFields(response, 400, { email: 'Email is already in use' })
  }
})

test('unknown fields are ignored', async () => {
  const { status, body } = await signUp({
    id: 1,
    is_admin: true,
    password_hash: 'x',
    created_at: '2000-01-01',
  })
  expect(status).toBe(201)
  expect(Object.keys(body).sort()).toEqual(['email', 'first_name', 'id', 'last_name', 'username'])
  expect(body.id).not.toBe(1)
})

test('the form says what of it is public', async () => {
  expect((await shop.visitor().get('/signup')).body).toContain(
    'Public are your username, and your names with your reviews; with your pieces only if you choose so. Your email is not public.',
  )
})
