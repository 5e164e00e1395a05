import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO } from '#accounts/contract.ts'
import { makers } from '../../demo/shop.ts'
import { demoUser } from '../support/demo-user.ts'
import { expectFields, expectRefusal } from '../support/expect.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

const GUESSES = 2

let shop: TestShop
beforeAll(async () => {
  const limits = { LIMITS: 'on', LIMIT_GUESSES: `${GUESSES}`, LIMIT_ACCOUNT_GUESSES: `${GUESSES}` }
  shop = await openShop({ settings: { DEMO: 'on', ...limits } })
}, 120_000)
afterAll(() => shop.close())

test('the demo login opens the demo account only while the setting is on', async () => {
  await demoUser(shop)
  const strict = await openShop()
  try {
    const [demo] = [{ ...makers[0], ...DEMO, username: 'demo' }]
    expect((await strict.visitor().post('/api/auth/signup', demo)).status).toBe(201)
    expectFields(await strict.visitor().post('/api/auth/login', DEMO), 401, {
      password: 'The email or password is not correct',
    })
  } finally {
    await strict.close()
  }
})

test('sessions of the demo account end once the shop opens without a demo', async () => {
  const first = await openShop({ signups: true })
  const ana = await first.signUp('ana')
  const demo = first.visitor()
  expect((await demo.post('/api/auth/signup', { ...makers[0], ...DEMO, username: 'demo' })).status).toBe(201)
  expect((await demo.get('/api/auth/')).status).toBe(200)
  const restarted = await openShop({ database: first.database })
  try {
    expect((await restarted.visitor().get('/api/auth/', { cookie: demo.cookie })).status).toBe(401)
    expect((await restarted.visitor().get('/api/auth/', { cookie: ana.cookie })).status).toBe(200)
  } finally {
    await restarted.close()
    await first.close()
  }
})

test('users of the demo account neither see, end nor lock out each other', async () => {
  const [first, second] = [await demoUser(shop), await demoUser(shop)]
  const sessions = async (person: Person) => (await person.get('/api/auth/sessions')).body.sessions
  expect(await sessions(second)).toMatchObject([{ current: true }])
  const [{ id }] = await sessions(first)
  const STAYS = 'The demo account is everybody’s: it stays as it is'
  expectRefusal(await second.delete(`/api/auth/sessions/${id}`), 403, STAYS)
  expectRefusal(await second.delete('/api/auth/sessions'), 403, STAYS)
  const change = { current_password: DEMO.password, new_password: 'secret-2' }
  expectRefusal(await second.post('/api/auth/password', change), 403, STAYS)
  expectRefusal(await second.post('/api/auth/passkeys/challenge', change), 403, STAYS)
  const address = { email: 'x@example.com', current_password: DEMO.password }
  expectRefusal(await second.post('/api/auth/email', address), 403, STAYS)
  for (const person of [first, second]) expect((await person.get('/api/auth/')).status).toBe(200)
})

test('the demo account cannot be locked', async () => {
  const login = (email: string, password: string) =>
    shop.visitor().post('/api/auth/login', { email, password })
  for (let n = 0; n < 4 * GUESSES; n++) expect((await login(DEMO.email, 'wrong-1')).status).toBe(401)
  const { status, headers } = await login(DEMO.email.toUpperCase(), DEMO.password)
  expect(status).toBe(200)
  expect(String(headers['set-cookie'])).not.toContain('device')
})

test('the pages offer the demo login only while the setting is on', async () => {
  const without = await openShop()
  try {
    for (const [{ visitor }, times] of [[shop, 1] as const, [without, 0] as const]) {
      const { body } = await visitor().get('/login')
      expect(body.split('Demo User').length - 1).toBe(times)
      expect((await visitor().get('/login?demo')).body.includes(`value="${DEMO.password}"`)).toBe(times > 0)
    }
  } finally {
    await without.close()
  }
})
