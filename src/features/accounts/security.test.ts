import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

async function logIn({ user, password }: Person, agent = FIREFOX, as = password): Promise<Person> {
  const device = shop.visitor()
  const { status } = await device.post(
    '/api/auth/login',
    { email: user.email, password: as },
    { 'user-agent': agent },
  )
  if (status !== 200) device.cookie = ''
  device.user = user
  device.password = as
  return device
}
const sessions = async (person: Person) => (await person.get('/api/auth/sessions')).body.sessions
const isIn = async (person: Person) => (await person.get('/api/auth/')).status === 200
const change = (person: Person, current_password: string, new_password: string) =>
  person.post('/api/auth/password', { current_password, new_password })

test('a user sees their sessions, the present one first, with device names', async () => {
  const ana = await shop.signUp('ana')
  // Not shown: those of others, and expired ones.
  await shop.signUp('ben')
  const expired = await logIn(ana)
  await shop.rows(
    `update sessions set expires_at = now() - interval '1 second' where id = ${(await sessions(expired))[0].id}`,
  )
  const laptop = await logIn(ana)
  const phone = await logIn(ana, IPHONE)
  const seen = await sessions(laptop)
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
  const one = { id: expect.any(Number), begun_at: moment, used_at: moment }
  expect(seen).toEqual([
    { ...one, device: 'Firefox on Linux', current: true },
    { ...one, device: 'Safari on an iPhone', current: false },
    { ...one, device: 'A browser', current: false },
  ])
  expect((await sessions(phone))[0]).toEqual({ ...seen[1], current: true })
  await shop.rows(`update sessions set used_at = used_at - interval '1 hour' where id = ${seen[1].id}`)
  const byUse = (await sessions(laptop)).map(({ id }: { id: number }) => id)
  expect(byUse).toEqual([seen[0].id, seen[2].id, seen[1].id])
})

test('ids of sessions cannot be used as tokens', async () => {
  const ana = await shop.signUp('ana')
  const [session] = await sessions(ana)
  const thief = shop.visitor()
  for (const value of [session.id, Buffer.from(String(session.id)).toString('base64url')]) {
    thief.cookie = `session=${value}`
    expect(await isIn(thief)).toBe(false)
  }
})

test('a user ends one of their own sessions, and no others', async () => {
  const ana = await shop.signUp('ana')
  const phone = await logIn(ana, IPHONE)
  const { id } = (await sessions(ana)).find(({ current }: { current: boolean }) => !current)
  const eve = await shop.signUp('eve')
  expectRefusal(await eve.delete(`/api/auth/sessions/${id}`), 404, 'There is no such session')
  expect(await isIn(phone)).toBe(true)
  expect((await ana.delete(`/api/auth/sessions/${id}`)).body).toEqual({ message: 'Logged out there' })
  expect([await isIn(phone), await isIn(ana)]).toEqual([false, true])
  expectRefusal(await ana.delete(`/api/auth/sessions/${id}`), 404, 'There is no such session')
})

test('logging out everywhere ends every session of the user, and no others', async () => {
  const ana = await shop.signUp('ana')
  const ben = await shop.signUp('ben')
  const devices = [ana, await logIn(ana), await logIn(ana, IPHONE)]
  const cookies = devices.map(({ cookie }) => cookie)
  expect((await ana.delete('/api/auth/sessions')).body).toEqual({ message: 'Logged out everywhere' })
  expect(ana.cookie).toBe('')
  devices.forEach((device, n) => {
    device.cookie = cookies[n] ?? ''
  })
  expect(await Promise.all(devices.map(isIn))).toEqual([false, false, false])
  expect(await isIn(ben)).toBe(true)
})

test('the last use of a session is written once an hour', async () => {
  const ana = await shop.signUp('ana')
  const phone = await logIn(ana)
  const usedAt = async () => (await sessions(ana))[0].used_at
  const first = await usedAt()
  expect(await usedAt()).toBe(first)
  const ago = (minutes: number) =>
    shop.db
      .updateTable('sessions')
      .set({ used_at: new Date(Date.now() - minutes * 60_000) })
      .where('user_id', '=', ana.user.id)
      .execute()
  await ago(59)
  const before = await usedAt()
  expect(before < first).toBe(true)
  expect(await usedAt()).toBe(before)
  await ago(61)
  expect((await usedAt()) >= first).toBe(true)
  // Of the other session it is still an hour ago.
  const [own, other] = await sessions(ana)
  expect(other.used_at < own.used_at).toBe(true)
  expect((await sessions(phone))[0].used_at > other.used_at).toBe(true)
})

test('changing the password ends every other session and gives this one a new token', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const phone = await logIn(ana)
  const old = ana.cookie
  expect(await change(ana, ana.password, 'secret-2')).toMatchObject({
    status: 200,
    body: { message: 'Password changed' },
  })
  expect(ana.cookie).not.toBe(old)
  expect([await isIn(ana), await isIn(phone)]).toEqual([true, false])
  phone.cookie = old
  expect(await isIn(phone)).toBe(false)
  expect(await isIn(await logIn(ana))).toBe(false)
  expect(await isIn(await logIn(ana, FIREFOX, 'secret-2'))).toBe(true)
  expect(await isIn(await logIn(ben))).toBe(true)
  expect(await isIn(await logIn(ben, FIREFOX, 'secret-2'))).toBe(false)
})

test('the new password has the rules and messages of signup', async () => {
  const ana = await shop.signUp('ana')
  const RULE = 'Password must be between 6 and 20 characters.'
  for (const password of ['12345', 'x'.repeat(21), '🧶'.repeat(21)])
    expectRefusal(await change(ana, ana.password, password), 400, RULE)
  expectRefusal(
    await ana.post('/api/auth/password', {}),
    400,
    'Current password is required',
    'Password is required',
  )
  for (const password of [' sp ce ', '🧶'.repeat(20), 'x'.repeat(6)]) {
    expect((await change(ana, ana.password, password)).status).toBe(200)
    ana.password = password
    expect(await isIn(await logIn(ana))).toBe(true)
  }
})

test('without the current password nothing changes', async () => {
  const ana = await shop.signUp('ana')
  const phone = await logIn(ana)
  expectRefusal(await change(ana, 'not-it', 'secret-2'), 400, 'The current password is not correct')
  expect([await isIn(ana), await isIn(phone)]).toEqual([true, true])
  expect(await isIn(await logIn(ana))).toBe(true)
})

test('of concurrent changes one succeeds', async () => {
  const ana = await shop.signUp('ana')
  const devices = await times(6, () => logIn(ana))
  const responses = await Promise.all(
    devices.map((device, n) => change(device, ana.password, `secret-new-${n}`)),
  )
  // A later change is logged out by the first one.
  const { 200: changed, 400: wrong = 0, 401: out = 0 } = countStatuses(responses)
  expect([changed, wrong + out]).toEqual([1, 5])
  const winner = responses.findIndex(({ status }) => status === 200)
  expect(await Promise.all(devices.map(isIn))).toEqual(devices.map((_, n) => n === winner))
  expect(await isIn(await logIn(ana, FIREFOX, `secret-new-${winner}`))).toBe(true)
})

test('a login with the old password during its change is logged out', async () => {
  for (let round = 0; round < 5; round++) {
    const ana = await shop.signUp('ana')
    const logins = times(4, () => logIn(ana))
    await change(ana, ana.password, 'secret-2')
    expect((await Promise.all((await logins).map(isIn))).includes(true)).toBe(false)
    expect(await isIn(ana)).toBe(true)
  }
})

test('guesses of the current password are limited as at the login', async () => {
  const limited = await openShop({ settings: { LIMITS: 'on', LIMIT_GUESSES: '3' } })
  try {
    const ana = await limited.signUp('ana')
    const responses = []
    for (let n = 0; n < 4; n++) responses.push(await change(ana, `not-it-${n}`, 'secret-2'))
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 429])
    expect(Number(responses[3]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await change(ana, ana.password, 'secret-2')).status).toBe(429)
  } finally {
    await limited.close()
  }
})
