import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, addPasskey, logInWith } from '../../../test/support/authenticator.ts'
import { countStatuses, expectRefusal } from '../../../test/support/expect.ts'
import {
  begin,
  confirmation,
  isIn,
  passkeys,
  regular,
  UNCHECKED,
  UNKNOWN,
} from '../../../test/support/passkey-calls.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const COPIED = 'This passkey may have been copied, so it was refused. Log in another way and remove it'

test('a passkey is added, and logs in without e-mail and password', async () => {
  const { ana, phone, passkey } = await regular(shop)
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(passkey).toEqual({
    id: expect.any(Number),
    name: 'Phone',
    added_at: moment,
    used_at: null,
    synced: true,
  })
  const visitor = shop.visitor()
  const { status, body, headers } = await logInWith(phone, visitor)
  expect({ status, body }).toEqual({ status: 200, body: ana.user })
  expect(await isIn(visitor)).toBe(true)
  expect(await passkeys(ana)).toEqual([{ ...passkey, used_at: moment }])
  // The same session and device cookies as after a login with the password.
  const cookies = [headers['set-cookie'] ?? []].flat().map(cookie => String(cookie).replace(/=[\w-]{43}/, ''))
  const { headers: usual } = await shop
    .visitor()
    .post('/api/auth/login', { email: ana.user.email, password: ana.password })
  expect(cookies).toEqual(
    [usual['set-cookie'] ?? []].flat().map(each => String(each).replace(/=[\w-]{43}/, '')),
  )
})

test('a login with a passkey ends the browser’s old session, and names its device', async () => {
  const { ana, phone } = await regular(shop)
  const browser = shop.visitor()
  await logInWith(phone, browser)
  const old = browser.cookie
  await logInWith(phone, browser, {}, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0' })
  const { sessions } = (await browser.get('/api/auth/sessions')).body
  expect(sessions[0]).toMatchObject({ device: 'Firefox on Linux', current: true })
  browser.cookie = old
  expect(await isIn(browser)).toBe(false)
  expect(await isIn(ana)).toBe(true)
})

test('a login is refused from another origin or shop, without verification, with another key or handle', async () => {
  const { phone } = await regular(shop)
  const other = await regular(shop)
  const login = (otherwise: Parameters<Authenticator['sign']>[1]) =>
    logInWith(phone, shop.visitor(), otherwise)
  const [key] = phone.keys
  const forged = { ...key!, privateKey: other.phone.keys[0]!.privateKey }
  for (const otherwise of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { verified: false },
    { key: forged },
    { handle: other.phone.keys[0]!.handle },
  ])
    expectRefusal(await login(otherwise), 401, UNCHECKED)
  expectRefusal(await login({ key: { ...key!, id: 'bm90LWhlcmU' } }), 401, UNKNOWN)
  expect((await login({ counter: 50 })).status).toBe(200)
})

test('a counter that does not go up is refused: the passkey may be copied', async () => {
  const { ana, phone } = await regular(shop)
  expect((await logInWith(phone, shop.visitor(), { counter: 7 })).status).toBe(200)
  for (const counter of [7, 3, 0])
    expectRefusal(await logInWith(phone, shop.visitor(), { counter }), 401, COPIED)
  const stale = phone.sign(await confirmation(ana), { counter: 7 })
  expectRefusal(await begin(ana, { passkey: stale }), 400, COPIED)
  expect((await logInWith(phone, shop.visitor(), { counter: 8 })).status).toBe(200)
  // Most devices do not count.
  const synced = await regular(shop)
  for (let n = 0; n < 2; n++)
    expect((await logInWith(synced.phone, shop.visitor(), { counter: 0 })).status).toBe(200)
})

test('a known browser stays known to its other accounts', async () => {
  const ben = await shop.signUp('ben')
  const { phone } = await regular(shop)
  const browser = shop.visitor()
  const login = await browser.post('/api/auth/login', { email: ben.user.email, password: ben.password })
  const [, cookie = ''] = /(device=[\w-]{43})/.exec(String(login.headers['set-cookie'])) ?? []
  // As a browser sends it, to every path below the login.
  browser.devices = { '/api/auth/login/passkey': cookie }
  await logInWith(phone, browser)
  const rows = await shop.rows(
    'select count(*)::int as owners from device_cookies group by token_hash having count(*) = 2',
  )
  expect(rows).toEqual([{ owners: 2 }])
})

test('the address decides: PUBLIC_URL, and without it only localhost', async () => {
  const ask = async (own: TestShop, host: string) =>
    own.visitor().post('/api/auth/login/passkey/challenge', undefined, { host })
  const NOWHERE = 'Passkeys do not work at this address of the shop'
  for (const host of ['localhost', 'localhost:3000'])
    expect((await ask(shop, host)).body.rpId).toBe('localhost')
  for (const host of ['127.0.0.1:3000', 'shop.example', 'localhost.evil.example', '[::1]:3000'])
    expectRefusal(await ask(shop, host), 409, NOWHERE)
  for (const [url, id] of [
    ['https://shop.example', 'shop.example'],
    ['http://shop.localhost:3000', 'shop.localhost'],
    ['http://shop.example', undefined],
    ['https://192.0.2.7', undefined],
  ] as const) {
    const own = await openShop({ settings: { PUBLIC_URL: url } })
    try {
      const response = await ask(own, 'localhost:3000')
      if (id) expect(response.body.rpId).toBe(id)
      else expectRefusal(response, 409, NOWHERE)
    } finally {
      await own.close()
    }
  }
})

test('challenges and logins are limited by network, and wrong proofs as at a password change', async () => {
  const settings = { LIMITS: 'on', LIMIT_PASSKEYS: '3', LIMIT_LOGINS: '2', LIMIT_GUESSES: '2' }
  const limited = await openShop({ settings })
  try {
    const ana = await limited.signUp('ana')
    const wrong = () => begin(ana, { current_password: 'not-it' })
    expect(countStatuses([await wrong(), await wrong(), await wrong()])).toEqual({ 400: 2, 429: 1 })
    const ben = await limited.signUp('ben')
    const phone = new Authenticator()
    await addPasskey(ben, phone)
    const responses = []
    for (let n = 0; n < 4; n++) responses.push(await logInWith(phone, limited.visitor()))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429, 429])
    expect(responses[3]?.body.message).toMatch(/^Too many tries/)
  } finally {
    await limited.close()
  }
})
