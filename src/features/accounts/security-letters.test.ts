import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Authenticator, addPasskey, LOCAL, logInWith } from '../../../test/support/authenticator.ts'
import { soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'
import { DEMO } from './contract.ts'
import { createLink, issueToken } from './email-links.ts'
import { sweepEvents } from './security-events.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const WHEN = /When: \w+ \d+, 20\d\d at \d\d:\d\d UTC/

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  const settings = { ...mail.settings, PUBLIC_URL: 'http://localhost:3000' }
  shop = await openShop({ settings, signups: true })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})
beforeEach(() => void mail.letters.splice(0))

/** Letters to somebody, but the welcome. */
const lettersTo = ({ user }: Person) =>
  mail.letters.filter(
    ({ recipients, subject }) => recipients[0] === user.email && !subject?.startsWith('Welcome'),
  )
const subjectsTo = (person: Person) => lettersTo(person).map(({ subject }) => subject)
/** Waits until all letters are sent. */
const settled = () =>
  expect
    .poll(async () => shop.rows('select kind, last_error from outbox where due_at is not null'), soon)
    .toEqual([])
const logIn = (browser: Person, { user, password }: Person, agent = FIREFOX): Promise<TestResponse> =>
  browser.post('/api/auth/login', { email: user.email, password }, { 'user-agent': agent })
const NEW_DEVICE = 'A new device has logged in to your account'

test('a login from an unknown browser sends one letter', async () => {
  const ana = await shop.signUp('ana')
  const phone = shop.visitor()
  for (let n = 0; n < 3; n++) expect((await logIn(phone, ana)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE])
  const [letter] = lettersTo(ana)
  expect(letter?.text).toContain('From: Firefox on Linux')
  expect(letter?.text).toMatch(WHEN)
  expect(letter?.text).toContain('http://localhost:3000/settings/security')
  // No network address.
  expect(letter?.raw).not.toContain('127.0.0.1')
})

test('a signup, a login in the same browser and a failed login send no letter', async () => {
  const ana = await shop.signUp('ana')
  await ana.get('/api/auth/logout')
  expect((await logIn(ana, ana)).status).toBe(200)
  ana.password = 'wrong-1'
  expect((await logIn(shop.visitor(), ana)).status).toBe(401)
  await settled()
  expect(subjectsTo(ana)).toEqual([])
})

test('a browser that two people use sends one letter to each', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const shared = shop.visitor()
  for (const person of [ana, ben, ana, ben]) expect((await logIn(shared, person)).status).toBe(200)
  await settled()
  expect([subjectsTo(ana), subjectsTo(ben)]).toEqual([[NEW_DEVICE], [NEW_DEVICE]])
})

test('a login that is repeated because its response was lost sends one letter', async () => {
  const ana = await shop.signUp('ana')
  const phone = shop.visitor()
  expect((await logIn(phone, ana)).status).toBe(200)
  const before = { ...phone.devices }
  for (let round = 0; round < 3; round++) {
    phone.devices = { ...before }
    expect((await logIn(phone, ana)).status).toBe(200)
  }
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE])
  // Later the old cookie is that of a stranger.
  await shop.rows("update device_cookies set expires_at = expires_at - interval '11 minutes'")
  phone.devices = { ...before }
  expect((await logIn(phone, ana)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE, NEW_DEVICE])
})

test("after logging out everywhere the first login sends a letter, because it may be a stranger's", async () => {
  const ana = await shop.signUp('ana')
  await ana.delete('/api/auth/sessions')
  expect((await logIn(shop.visitor(), ana)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE])
})

test('after a reset only an unknown browser sends a letter', async () => {
  const ana = await shop.signUp('ana')
  const [own, other] = [shop.visitor(), shop.visitor()]
  const id = await createLink(shop.db, { userId: ana.user.id, purpose: 'reset', email: ana.user.email })
  const { token = '' } = (await issueToken(shop.db, id, 60)) ?? {}
  ana.password = 'secret-2'
  const reset = await own.post('/api/auth/reset-password', { token, new_password: ana.password })
  expect(reset.status).toBe(200)
  expect((await logIn(own, ana)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toEqual(['Your password was changed'])
  expect((await logIn(other, ana)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toContain(NEW_DEVICE)
})

test('the letter comes too if that session has ended at once', async () => {
  const ana = await shop.signUp('ana')
  const thief = shop.visitor()
  await logIn(thief, ana)
  await thief.get('/api/auth/logout')
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE])
  expect(lettersTo(ana)[0]?.text).toContain('Firefox on Linux')
})

test('concurrent logins of new browsers send a letter each', async () => {
  const ana = await shop.signUp('ana')
  await times(4, () => logIn(shop.visitor(), ana))
  await settled()
  expect(subjectsTo(ana)).toEqual([NEW_DEVICE, NEW_DEVICE, NEW_DEVICE, NEW_DEVICE])
})

test('a changed password sends a letter, and so does a reset one', async () => {
  const ana = await shop.signUp('ana')
  const change = { current_password: ana.password, new_password: 'secret-2' }
  expect((await ana.post('/api/auth/password', { ...change, current_password: 'wrong-1' })).status).toBe(400)
  const agent = { 'user-agent': FIREFOX }
  expect((await ana.post('/api/auth/password', change, agent)).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toEqual(['Your password was changed'])
  expect(lettersTo(ana)[0]?.text).toContain('From: Firefox on Linux')
  expect(lettersTo(ana)[0]?.text).toMatch(WHEN)
  expect(lettersTo(ana)[0]?.text).toContain('http://localhost:3000/forgot-password')

  const id = await createLink(shop.db, { userId: ana.user.id, purpose: 'reset', email: ana.user.email })
  const { token = '' } = (await issueToken(shop.db, id, 60)) ?? {}
  const uses = await times(3, n =>
    shop.visitor().post('/api/auth/reset-password', { token, new_password: `secret-${n + 3}` }),
  )
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
  await settled()
  expect(subjectsTo(ana)).toEqual(['Your password was changed', 'Your password was changed'])
})

test('an added passkey sends a letter with its name, and so does a removed one', async () => {
  const ana = await shop.signUp('ana')
  await shop.rows(`update users set email_confirmed_at = now() where id = ${ana.user.id}`)
  const phone = new Authenticator()
  const { body: passkey } = await addPasskey(ana, phone, 'Blue <b>phone</b>', { 'user-agent': FIREFOX })
  const stranger = Object.assign(shop.visitor(), { cookie: ana.cookie, password: 'wrong-1' })
  expect((await addPasskey(stranger)).status).toBe(400)
  const remove = () =>
    ana.post(`/api/auth/passkeys/${passkey.id}/remove`, { current_password: ana.password }, LOCAL)
  expect((await remove()).status).toBe(200)
  expect((await remove()).status).toBe(404)
  await settled()
  expect(subjectsTo(ana).toSorted()).toEqual([
    'A passkey was added to your account',
    'A passkey was removed from your account',
  ])
  for (const { text, html } of lettersTo(ana)) {
    expect(text).toContain('The passkey “Blue <b>phone</b>” was')
    expect(html).not.toContain('<b>')
    expect(text).toMatch(WHEN)
  }
})

test('a login with a passkey sends the same letter as one with a password', async () => {
  const ana = await shop.signUp('ana')
  const phone = new Authenticator()
  await addPasskey(ana, phone)
  expect((await logInWith(phone, shop.visitor())).status).toBe(200)
  await settled()
  expect(subjectsTo(ana)).toContain(NEW_DEVICE)
})

test('the demo account, which everybody shares, gets no letters', async () => {
  const open = await openShop({ settings: { DEMO: 'on' } })
  onTestFinished(() => open.close())
  for (const browser of [open.visitor(), open.visitor()])
    expect((await browser.post('/api/auth/login', DEMO)).status).toBe(200)
  expect(await open.rows('select * from security_events')).toEqual([])
})

test('events are deleted after a month, and with their account', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  for (const person of [ana, ben]) await logIn(shop.visitor(), person)
  const events = () =>
    shop.rows(`select user_id from security_events where user_id in (${ana.user.id}, ${ben.user.id})`)
  await shop.rows(
    `update security_events set created_at = now() - interval '31 days' where user_id = ${ana.user.id}`,
  )
  await sweepEvents(shop.db)
  expect(await events()).toEqual([{ user_id: ben.user.id }])
  await ben.post('/api/account/deletion', { current_password: ben.password, reviews: 'remove' })
  expect(await events()).toEqual([])
})
