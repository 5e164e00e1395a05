import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Authenticator, addPasskey, logInWith } from '../../../test/support/authenticator.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { isIn } from '../../../test/support/passkey-calls.ts'
import {
  check,
  lettersTo,
  linksOf,
  logIn,
  reset,
  tokenByLetter,
  tokenOf,
} from '../../../test/support/password-resets.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { COMMON_PASSWORD, UNUSABLE_LINK } from './contract.ts'

const CHANGED = 'Your password was changed'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  // The host of passkeys.
  const settings = { ...mail.settings, PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'debug', DEMO: 'off' }
  shop = await openShop({ settings, signups: true })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

test('a letter brings a link, with which a new password is set', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenByLetter(shop, mail, ana)
  const [letter] = lettersTo(mail, ana.user.email)
  expect(letter?.text).toContain(`http://localhost:3000/reset-password?token=${token}\n`)
  expect(letter?.html).toContain(`"http://localhost:3000/reset-password?token=${token}"`)
  expect(letter?.text).toMatch(/works once, for 60 minutes/)
  expect(letter?.text).toMatch(/If it was not you, you need not do anything/)
  expect(await check(shop, token)).toMatchObject({ status: 200 })
  expect(await reset(shop.visitor(), token)).toMatchObject({
    status: 200,
    body: { message: 'Password changed' },
  })
  expect([await logIn(shop, ana, ana.password), await logIn(shop, ana, 'secret-2')]).toEqual([401, 200])
  const [{ confirmed }] = await shop.rows(
    `select email_confirmed_at > now() - interval '1 minute' as confirmed from users where id = ${ana.user.id}`,
  )
  expect(confirmed).toBe(true)
})

test('a reset ends every session and deletes the other known browsers, and passkeys of a confirmed address stay', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const phone = shop.visitor()
  await phone.post('/api/auth/login', { email: ana.user.email, password: ana.password })
  const passkey = new Authenticator()
  expect((await addPasskey(ana, passkey)).status).toBe(201)
  await shop.rows(`update users set email_confirmed_at = now() where id = ${ana.user.id}`)
  const browser = shop.visitor()
  const response = await reset(browser, await tokenOf(shop, ana))
  expect(response).toMatchObject({ status: 200, body: { passkeys: 'stay' } })
  // It logs nobody in.
  expect(browser.cookie).toBe('')
  expect(await Promise.all([ana, phone, ben].map(isIn))).toEqual([false, false, true])
  // The browser that did it is remembered.
  expect(await shop.rows(`select from device_cookies where user_id = ${ana.user.id}`)).toHaveLength(1)
  expect((await logInWith(passkey, shop.visitor())).status).toBe(200)
  const told = () =>
    mail.letters.find(({ subject, recipients }) => subject === CHANGED && recipients[0] === ana.user.email)
  await expect.poll(() => told()?.text, soon).toContain('Passkeys still log in.')
  expect(told()?.text).toContain('http://localhost:3000/settings/security')
})

test('a reset that confirms the address removes the passkeys of who opened the account with it', async () => {
  const squatter = await shop.signUp('ana')
  const passkey = new Authenticator()
  expect((await addPasskey(squatter, passkey)).status).toBe(201)
  const token = await tokenByLetter(shop, mail, squatter)
  expect(await reset(shop.visitor(), token)).toMatchObject({ status: 200, body: { passkeys: 'removed' } })
  expect((await logInWith(passkey, shop.visitor())).status).toBe(401)
  // The next reset is of a confirmed address.
  const own = shop.visitor()
  await own.post('/api/auth/login', { email: squatter.user.email, password: 'secret-2' })
  own.password = 'secret-2'
  expect((await addPasskey(own)).status).toBe(201)
  expect((await reset(shop.visitor(), await tokenOf(shop, squatter), 'secret-3')).body.passkeys).toBe('stay')
})

test('a reset ends a change of the address that waits', async () => {
  const ana = await shop.signUp('ana')
  const email = 'elsewhere@example.com'
  expect((await ana.post('/api/auth/email', { email, current_password: ana.password })).status).toBe(200)
  // The letter of the signup may have a link as well by now.
  const changes = async () => (await linksOf(shop, ana)).filter(({ purpose }) => purpose === 'change')
  expect(await changes()).toMatchObject([{ email }])
  expect((await reset(shop.visitor(), await tokenOf(shop, ana))).status).toBe(200)
  expect(await changes()).toEqual([])
})

test('a reset in a browser that is logged in ends that session too', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { cookie } = ben
  expect((await reset(ben, await tokenOf(shop, ana))).status).toBe(200)
  expect(ben.cookie).toBe('')
  ben.cookie = cookie
  expect(await isIn(ben)).toBe(false)
})

test('a login with the old password during a reset is logged out', async () => {
  for (let round = 0; round < 5; round++) {
    const ana = await shop.signUp('ana')
    const token = await tokenOf(shop, ana)
    const browsers = [1, 2, 3, 4].map(() => shop.visitor())
    const logins = browsers.map(browser =>
      browser.post('/api/auth/login', { email: ana.user.email, password: ana.password }),
    )
    expect((await reset(shop.visitor(), token)).status).toBe(200)
    await Promise.all(logins)
    expect((await Promise.all(browsers.map(isIn))).includes(true)).toBe(false)
  }
})

test('the new password has the rules of the signup', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(shop, ana)
  const RULE = 'Password must be between 6 and 20 characters.'
  for (const password of ['12345', 'x'.repeat(21)])
    expectRefusal(await reset(shop.visitor(), token, password), 400, RULE)
  expectRefusal(await shop.visitor().post('/api/auth/reset-password', { token }), 400, 'Password is required')
  expect((await reset(shop.visitor(), token, ' sp ce ')).status).toBe(200)
  expect(await logIn(shop, ana, ' sp ce ')).toBe(200)
})

test('a common password is refused where the signup refuses it, and the link stays', async () => {
  const strict = await openShop({ settings: { COMMON_PASSWORDS: 'refuse' } })
  onTestFinished(() => strict.close())
  const ana = await strict.signUp('ana')
  const token = await tokenOf(strict, ana)
  expectRefusal(await reset(strict.visitor(), token, 'Password1'), 400, COMMON_PASSWORD)
  expect((await reset(strict.visitor(), token, 'secret-zyl-2')).status).toBe(200)
})

test('a deleted account has no links', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(shop, ana)
  await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'remove' })
  expectRefusal(await reset(shop.visitor(), token), 410, UNUSABLE_LINK)
})
