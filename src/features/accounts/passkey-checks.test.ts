import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, LOCAL } from '../../../test/support/authenticator.ts'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import {
  begin,
  confirmation,
  LATE,
  loginChallenge,
  passkeys,
  regular,
  UNCHECKED,
} from '../../../test/support/passkey-calls.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { sweepChallenges } from './passkey-challenges.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const BROKEN = 'The answer of the passkey is not complete. Please try again'

test('options of a new passkey: a verified user, no attestation, no second passkey on a device', async () => {
  const { ana, phone } = await regular(shop)
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

test('a new passkey is refused with transports that are none', async () => {
  const { ana } = await regular(shop)
  const credential = new Authenticator().create((await begin(ana)).body)
  Object.assign(credential.response, { transports: ['usb\0'] })
  expectRefusal(await ana.post('/api/auth/passkeys', { name: 'Key', credential }, LOCAL), 400, BROKEN)
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
  const responses = await times(4, () => ana.post('/api/auth/passkeys', body, LOCAL))
  expect(countStatuses(responses)).toEqual({ 201: 1, 400: 3 })
  expectRefusal(responses.find(({ status }) => status === 400)!, 400, LATE)

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

test('a broken answer of a passkey is refused in one sentence, and uses no challenge up', async () => {
  const { ana, phone } = await regular(shop)
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

test('calls about passkeys from another site are refused', async () => {
  const { ana, passkey } = await regular(shop)
  const evil = { ...LOCAL, origin: 'https://evil.example' }
  const refusal = 'Requests from another site are not accepted'
  expectRefusal(await ana.post(`/api/auth/passkeys/${passkey.id}/remove`, {}, evil), 403, refusal)
  expectRefusal(await ana.put(`/api/auth/passkeys/${passkey.id}`, { name: 'x' }, evil), 403, refusal)
  expectRefusal(await ana.post('/api/auth/passkeys/challenge', {}, evil), 403, refusal)
  expectRefusal(await shop.visitor().post('/api/auth/login/passkey', {}, evil), 403, refusal)
})
