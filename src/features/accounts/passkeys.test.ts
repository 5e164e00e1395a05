import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, addPasskey, LOCAL, logInWith } from '../../../test/support/authenticator.ts'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sweepChallenges } from './passkey-challenges.ts'
import type { Passkey } from './passkeys-contract.ts'
import { mayRemovePasskey } from './ways-in.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const LATE = 'This took too long, or was sent twice. Please try again'
const UNCHECKED = 'The passkey could not be checked. Please try again'
const BROKEN = 'The answer of the passkey is not complete. Please try again'
const COPIED = 'This passkey may have been copied, so it was refused. Log in another way and remove it'
const UNKNOWN =
  'This passkey is not known here. If you have removed it, log in with another one or your password'
const LAST = 'This passkey is the only way to log in to your account, so it stays'
const WRONG = 'The current password is not correct'

const passkeys = async (person: Person): Promise<Passkey[]> =>
  (await person.get('/api/auth/passkeys')).body.passkeys
const isIn = async (person: Person) => (await person.get('/api/auth/')).status === 200
const begin = (person: Person, proof: object = { current_password: person.password }) =>
  person.post('/api/auth/passkeys/challenge', proof, LOCAL)
const remove = (person: Person, id: number, proof: object = { current_password: person.password }) =>
  person.post(`/api/auth/passkeys/${id}/remove`, proof, LOCAL)
const confirmation = async (person: Person) =>
  (await person.post('/api/auth/passkeys/confirmation', undefined, LOCAL)).body
const loginChallenge = async (visitor: Person) =>
  (await visitor.post('/api/auth/login/passkey/challenge', undefined, LOCAL)).body

/** A user with a passkey. */
async function regular() {
  const ana = await shop.signUp('ana')
  const phone = new Authenticator()
  const { status, body } = await addPasskey(ana, phone, 'Phone')
  expect(status).toBe(201)
  return { ana, phone, passkey: body as Passkey }
}

test('a passkey is added, and logs in without e-mail and password', async () => {
  const { ana, phone, passkey } = await regular()
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
  const { ana, phone } = await regular()
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

test('without a name a passkey has that of the browser', async () => {
  const ana = await shop.signUp('ana')
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
  const options = (await begin(ana)).body
  const credential = new Authenticator().create(options)
  const { body } = await ana.post('/api/auth/passkeys', { credential }, { ...LOCAL, ...agent })
  expect(body.name).toBe('Firefox on Linux')
})

test('what a browser is asked for: a verified user, no attestation, no second passkey on a device', async () => {
  const { ana, phone } = await regular()
  const { body } = await begin(ana)
  expect(body).toMatchObject({
    rp: { id: 'localhost' },
    user: { id: phone.keys[0]?.handle, name: ana.user.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ type: 'public-key', id: phone.keys[0]?.id, transports: ['internal'] }],
  })
  expect(await loginChallenge(shop.visitor())).toMatchObject({
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [],
  })
})

test('adding needs the current password, or a passkey that one has', async () => {
  const { ana, phone } = await regular()
  expectRefusal(await begin(ana, { current_password: 'not-it' }), 400, WRONG)
  expectRefusal(await begin(ana, {}), 400, 'Current password is required')
  expect((await begin(ana, { passkey: phone.sign(await confirmation(ana)) })).status).toBe(200)
  const eve = await shop.signUp('eve')
  expectRefusal(await begin(ana, { passkey: phone.sign(await confirmation(eve)) }), 400, LATE)
  const hers = await regular()
  const signed = hers.phone.sign(await confirmation(ana))
  expect((await begin(ana, { passkey: signed })).status).toBe(400)
  expect(await passkeys(ana)).toHaveLength(1)
})

test('a new passkey is refused with another challenge, origin, shop, user, or an unverified user', async () => {
  const ana = await shop.signUp('ana')
  const eve = await shop.signUp('eve')
  const add = async (otherwise: Parameters<Authenticator['create']>[1], person = ana) => {
    const credential = new Authenticator().create((await begin(ana)).body, otherwise)
    return person.post('/api/auth/passkeys', { name: 'Laptop', credential }, LOCAL)
  }
  expectRefusal(await add({ challenge: Buffer.alloc(32).toString('base64url') }), 400, LATE)
  expectRefusal(await add({}, eve), 400, LATE)
  expectRefusal(await add({ origin: 'http://localhost:3001' }), 400, UNCHECKED)
  expectRefusal(await add({ origin: 'https://evil.example' }), 400, UNCHECKED)
  expectRefusal(await add({ rpId: 'evil.example' }), 400, UNCHECKED)
  expectRefusal(await add({ type: 'webauthn.get' }), 400, UNCHECKED)
  expectRefusal(await add({ verified: false }), 400, UNCHECKED)
  expect([...(await passkeys(ana)), ...(await passkeys(eve))]).toEqual([])
})

test('a challenge counts once, for its purpose, and for five minutes', async () => {
  const ana = await shop.signUp('ana')
  const laptop = new Authenticator()
  const options = (await begin(ana)).body
  const body = { name: 'Laptop', credential: laptop.create(options) }
  const answers = await times(4, () => ana.post('/api/auth/passkeys', body, LOCAL))
  expect(countStatuses(answers)).toEqual({ 201: 1, 400: 3 })
  expectRefusal(answers.find(({ status }) => status === 400)!, 400, LATE)

  const asked = await loginChallenge(shop.visitor())
  const credential = laptop.sign(asked)
  const login = (sent: object) => shop.visitor().post('/api/auth/login/passkey', { credential: sent }, LOCAL)
  expect(countStatuses(await times(4, () => login(credential)))).toEqual({ 200: 1, 400: 3 })
  // One that was signed to confirm a change does not log in, nor the other way round.
  expectRefusal(await login(laptop.sign(await confirmation(ana))), 400, LATE)
  expectRefusal(await begin(ana, { passkey: laptop.sign(await loginChallenge(ana)) }), 400, LATE)

  const late = await loginChallenge(shop.visitor())
  await shop.rows("update passkey_challenges set expires_at = now() - interval '1 second'")
  expectRefusal(await login(laptop.sign(late)), 400, LATE)
  await sweepChallenges(shop.db)
  expect(await shop.rows('select 1 from passkey_challenges')).toEqual([])
})

test('a login is refused from another origin or shop, without verification, with another key or handle', async () => {
  const { phone } = await regular()
  const other = await regular()
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
  const { ana, phone } = await regular()
  expect((await logInWith(phone, shop.visitor(), { counter: 7 })).status).toBe(200)
  for (const counter of [7, 3, 0])
    expectRefusal(await logInWith(phone, shop.visitor(), { counter }), 401, COPIED)
  const stale = phone.sign(await confirmation(ana), { counter: 7 })
  expectRefusal(await begin(ana, { passkey: stale }), 400, COPIED)
  expect((await logInWith(phone, shop.visitor(), { counter: 8 })).status).toBe(200)
  // Most devices do not count.
  const synced = await regular()
  for (let n = 0; n < 2; n++)
    expect((await logInWith(synced.phone, shop.visitor(), { counter: 0 })).status).toBe(200)
})

test('a broken answer of a passkey is refused in one sentence, and uses no challenge up', async () => {
  const { ana, phone } = await regular()
  const good = phone.sign(await loginChallenge(shop.visitor()))
  const login = (credential: unknown) => shop.visitor().post('/api/auth/login/passkey', { credential }, LOCAL)
  for (const credential of [
    undefined,
    null,
    'x',
    [],
    {},
    { ...good, id: '' },
    { ...good, id: 'a b' },
    { ...good, id: 'x'.repeat(2_000) },
    { ...good, type: 'password' },
    { ...good, response: undefined },
    { ...good, response: { ...good.response, signature: 7 } },
    { ...good, response: { ...good.response, clientDataJSON: '!' } },
    { ...good, response: { ...good.response, clientDataJSON: Buffer.from('{').toString('base64url') } },
    { ...good, response: { ...good.response, clientDataJSON: Buffer.from('null').toString('base64url') } },
    {
      ...good,
      response: { ...good.response, clientDataJSON: Buffer.from('{"challenge":7}').toString('base64url') },
    },
  ])
    expectRefusal(await login(credential), 400, BROKEN)
  expect((await login(good)).status).toBe(200)
  const garbled = phone.sign(await loginChallenge(shop.visitor()))
  expectRefusal(
    await login({ ...garbled, response: { ...garbled.response, authenticatorData: 'AAAA' } }),
    401,
    UNCHECKED,
  )
  const options = (await begin(ana)).body
  const made = new Authenticator().create(options)
  const attestationObject = Buffer.from('not CBOR').toString('base64url')
  const credential = { ...made, response: { ...made.response, attestationObject } }
  expectRefusal(await ana.post('/api/auth/passkeys', { name: 'Laptop', credential }, LOCAL), 400, UNCHECKED)
  expect(await passkeys(ana)).toHaveLength(1)
})

test('a credential that is there already is refused, also for somebody else', async () => {
  const { phone } = await regular()
  const eve = await shop.signUp('eve')
  const [key] = phone.keys
  const made = new Authenticator()
  const options = (await begin(eve)).body
  const credential = made.create(options)
  await shop.rows(
    `update passkeys set credential_id = '${made.keys[0]!.id}' where credential_id = '${key!.id}'`,
  )
  expectRefusal(
    await eve.post('/api/auth/passkeys', { credential }, LOCAL),
    409,
    'This passkey is there already',
  )
  expect(await passkeys(eve)).toEqual([])
})

test('a passkey is renamed by its owner alone', async () => {
  const { ana, passkey } = await regular()
  const eve = await shop.signUp('eve')
  const rename = (person: Person, name: unknown) => person.put(`/api/auth/passkeys/${passkey.id}`, { name })
  expectRefusal(await rename(eve, 'Mine'), 404, 'There is no such passkey')
  expectRefusal(await rename(ana, ' '), 400, 'Name is required')
  expectRefusal(await rename(ana, 'x'.repeat(61)), 400, 'Name cannot be more than 60 characters')
  expect(await passkeys(ana)).toEqual([passkey])
  expect((await rename(ana, ' Blue phone 🧶 ')).body).toEqual({ ...passkey, name: 'Blue phone 🧶' })
})

test('a passkey is removed by its owner, with the password or a passkey', async () => {
  const { ana, phone, passkey } = await regular()
  const laptop = new Authenticator()
  const second = (await addPasskey(ana, laptop, 'Laptop')).body as Passkey
  const eve = await shop.signUp('eve')
  expectRefusal(await remove(eve, passkey.id), 404, 'There is no such passkey')
  expectRefusal(await remove(ana, passkey.id, { current_password: 'not-it' }), 400, WRONG)
  expectRefusal(await remove(ana, passkey.id, {}), 400, 'Current password is required')
  expect(await passkeys(ana)).toHaveLength(2)
  const signed = laptop.sign(await confirmation(ana))
  expect((await remove(ana, passkey.id, { passkey: signed })).body).toEqual({ message: 'Passkey removed' })
  expectRefusal(await logInWith(phone, shop.visitor()), 401, UNKNOWN)
  expect((await remove(ana, second.id)).status).toBe(200)
  expect(await passkeys(ana)).toEqual([])
  expect(await isIn(ana)).toBe(true)
})

test.each([
  [{ hasPassword: true, passkeys: 1 }, true],
  [{ hasPassword: true, passkeys: 0 }, true],
  [{ hasPassword: false, passkeys: 2 }, true],
  [{ hasPassword: false, passkeys: 1 }, false],
  [{ hasPassword: false, passkeys: 0 }, false],
])('with %j a passkey may be removed: %s', (ways, allowed) => {
  expect(mayRemovePasskey(ways)).toBe(allowed)
})

test('of an account without a password the last passkey stays, also in a race', async () => {
  const own = await openShop()
  try {
    const ana = await own.signUp('ana')
    const [phone, laptop] = [new Authenticator(), new Authenticator()]
    const ids = [(await addPasskey(ana, phone)).body.id, (await addPasskey(ana, laptop)).body.id] as number[]
    const proofs: object[] = []
    for (const each of [phone, laptop]) proofs.push(each.sign(await confirmation(ana)))
    // As a later version may allow.
    await own.rows('alter table users alter column password_hash drop not null')
    await own.rows(`update users set password_hash = null where id = ${ana.user.id}`)
    const answers = await Promise.all(ids.map((id, n) => remove(ana, id, { passkey: proofs[n] })))
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 })
    const [left] = await passkeys(ana)
    const holder = left?.id === ids[0] ? phone : laptop
    const again = await remove(ana, left!.id, { passkey: holder.sign(await confirmation(ana)) })
    expectRefusal(again, 409, LAST)
    expectRefusal(await remove(ana, left!.id, { current_password: ana.password }), 400, WRONG)
    expect(await passkeys(ana)).toEqual([expect.objectContaining({ id: left!.id })])
  } finally {
    await own.close()
  }
})

test('an account has at most twenty passkeys, also in a race', async () => {
  const { ana } = await regular()
  await shop.rows(`insert into passkeys (user_id, credential_id, public_key, user_handle, backed_up, name)
    select ${ana.user.id}, 'filler-' || n || '-${ana.user.id}', '', '', false, 'Key' from generate_series(1, 18) as n`)
  const answers = await times(3, () => addPasskey(ana))
  expect(countStatuses(answers)).toEqual({ 201: 1, 409: 2 })
  expect(await passkeys(ana)).toHaveLength(20)
})

test('a password change leaves passkeys, and an ended session none of its challenges', async () => {
  const { ana, phone } = await regular()
  const credential = new Authenticator().create((await begin(ana)).body)
  const thief = Object.assign(shop.visitor(), { cookie: ana.cookie, user: ana.user })
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  expectRefusal(await thief.post('/api/auth/passkeys', { credential }, LOCAL), 401, 'Please log in')
  expect((await logInWith(phone, shop.visitor())).status).toBe(200)
})

test('a known browser stays known to its other accounts', async () => {
  const ben = await shop.signUp('ben')
  const { phone } = await regular()
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
      const answer = await ask(own, 'localhost:3000')
      if (id) expect(answer.body.rpId).toBe(id)
      else expectRefusal(answer, 409, NOWHERE)
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
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await logInWith(phone, limited.visitor()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429])
    expect(answers[3]?.body.message).toMatch(/^Too many tries/)
  } finally {
    await limited.close()
  }
})

test('another site can do none of it', async () => {
  const { ana, passkey } = await regular()
  const evil = { ...LOCAL, origin: 'https://evil.example' }
  const refusal = 'Requests from another site are not accepted'
  expectRefusal(await ana.post(`/api/auth/passkeys/${passkey.id}/remove`, {}, evil), 403, refusal)
  expectRefusal(await ana.put(`/api/auth/passkeys/${passkey.id}`, { name: 'x' }, evil), 403, refusal)
  expectRefusal(await ana.post('/api/auth/passkeys/challenge', {}, evil), 403, refusal)
  expectRefusal(await shop.visitor().post('/api/auth/login/passkey', {}, evil), 403, refusal)
})
