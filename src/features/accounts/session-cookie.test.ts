import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

const logIn = (person: Person, { user, password }: Person) =>
  person.post('/api/auth/login', { email: user.email, password })

test('logging out ends the session for good', async () => {
  const ana = await shop.signUp('ana')
  const old = ana.cookie
  const { status, body } = await ana.get('/api/auth/logout')
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Logged out' } })
  expect(ana.cookie).toBe('')
  ana.cookie = old
  expectRefusal(await ana.get('/api/auth/'), 401, 'Please log in')
})

test('logging out ends this session alone', async () => {
  const ana = await shop.signUp('ana')
  const phone = shop.visitor()
  await logIn(phone, ana)
  await ana.get('/api/auth/logout')
  expect((await phone.get('/api/auth/')).body).toEqual(ana.user)
})

test('logging out without a session is no error', async () => {
  expect((await shop.visitor().get('/api/auth/logout')).status).toBe(200)
})

test('every login has a new token, and ends the browser’s old session', async () => {
  const ana = await shop.signUp('ana')
  const first = ana.cookie
  await logIn(ana, ana)
  expect(ana.cookie).not.toBe(first)
  expect((await ana.get('/api/auth/')).body).toEqual(ana.user)
  ana.cookie = first
  expect((await ana.get('/api/auth/')).status).toBe(401)
})

test('a planted token is not adopted', async () => {
  const ana = await shop.signUp('ana')
  const planted = `session=${'A'.repeat(43)}`
  const browser = shop.visitor()
  browser.cookie = planted
  await logIn(browser, ana)
  expect(browser.cookie).not.toBe(planted)
  browser.cookie = planted
  expect((await browser.get('/api/auth/')).status).toBe(401)
})

test('signing up as another user in the same browser ends the first session', async () => {
  const ana = await shop.signUp('ana')
  const first = ana.cookie
  const fields = { email: `${ana.user.username}@b.example`, username: `b-${ana.user.username}`.slice(0, 30) }
  const { status } = await ana.post('/api/auth/signup', { ...ana.user, ...fields, password: 'secret-1' })
  expect(status).toBe(201)
  ana.cookie = first
  expect((await ana.get('/api/auth/')).status).toBe(401)
})

test('a session expires', async () => {
  const ana = await shop.signUp('ana')
  const past = new Date(Date.now() - 1000)
  await shop.db.updateTable('sessions').set({ expires_at: past }).where('user_id', '=', ana.user.id).execute()
  expect((await ana.get('/api/auth/')).status).toBe(401)
})

test('unknown tokens are refused', async () => {
  const eve = shop.visitor()
  for (const token of ['', 'x', '%E0%A4%A', '\u00ff', "' or 1=1 --", 'A'.repeat(5000), '[object Object]']) {
    const { status } = await eve.get('/api/auth/', { cookie: `session=${token}` })
    expect(status).toBe(401)
  }
})

const cookiesOf = ({ headers }: TestResponse) => [headers['set-cookie'] ?? []].flat().map(String)

test('the session cookie is HttpOnly and SameSite', async () => {
  const ana = await shop.signUp('ana')
  const [cookie = '', ...devices] = cookiesOf(await logIn(shop.visitor(), ana))
  expect(cookie).toMatch(/^session=[\w-]{43}; /)
  expect(cookie.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=2592000',
    'Path=/',
    'SameSite=Lax',
  ])
  // The device cookie is sent only to what logs in.
  expect(devices.map(device => device.split('; ').slice(1).sort())).toEqual(
    [
      ...['/api/auth/login', '/api/auth/signup', '/api/auth/password', '/api/auth/reset-password'],
      ...['/login', '/signup', '/settings/security', '/reset-password'],
    ].map(path => ['HttpOnly', 'Max-Age=31536000', `Path=${path}`, 'SameSite=Strict']),
  )
  for (const device of devices) expect(device).toMatch(/^device=[\w-]{43}; /)
})

test('a response that sets or clears the cookie is not cached', async () => {
  const ana = await shop.signUp('ana')
  expect((await ana.get('/api/auth/')).headers['set-cookie']).toBeUndefined()
  expect((await ana.get('/api/products/')).headers['set-cookie']).toBeUndefined()
  expect(String((await ana.get('/api/auth/logout')).headers['set-cookie'])).toMatch(
    /^session=; Max-Age=0; Path=\//,
  )
})

test('on https the cookie is Secure and bound to the host by its name', async () => {
  const secure = await openShop({ settings: { PUBLIC_URL: 'https://thrum.example' } })
  try {
    const ana = await secure.signUp('ana')
    expect(ana.cookie).toMatch(/^__Host-session=[\w-]{43}$/)
    const [cookie = '', device = ''] = cookiesOf(await logIn(secure.visitor(), ana))
    expect(device).toMatch(/^__Secure-device=.*; Secure(;|$)/)
    const flags = ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']
    expect(cookie.split('; ').slice(1).sort()).toEqual(flags)
    expect((await ana.get('/api/auth/')).body).toEqual(ana.user)
    ana.cookie = ana.cookie.replace('__Host-', '')
    expect((await ana.get('/api/auth/')).status).toBe(401)
  } finally {
    await secure.close()
  }
})

test('the logout link redirects home without scripts', async () => {
  const ana = await shop.signUp('ana')
  const { status, headers } = await ana.get('/api/auth/logout', { accept: 'text/html,application/xhtml+xml' })
  expect({ status, location: headers.location }).toEqual({ status: 303, location: '/' })
  expect((await ana.get('/api/auth/')).status).toBe(401)
})
