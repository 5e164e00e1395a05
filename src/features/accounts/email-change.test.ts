import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askChange,
  confirm,
  emailOf,
  GONE,
  lettersAt,
  outcomeOf,
  signUpByLetter,
  tokenAt,
  tokenIn,
  unusedAddress,
} from '../../../test/support/confirmation-letters.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendAgain } from '../../../test/support/shop-with-mail.ts'
import { requirePassword } from './accounts.ts'
import { WRONG_PASSWORD } from './contract.ts'
import { askChange as writeChange } from './email-address.ts'
import { emailLetters } from './email-letters.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  shop = await openShop({ settings: mail.settings })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

const logIn = async (email: string, { password }: Person) =>
  (await shop.visitor().post('/api/auth/login', { email, password })).status

test('an address is changed when it is confirmed from there; the former one gets a letter before and after', async () => {
  const [ana, email] = [await shop.signUp('ana'), unusedAddress()]
  const former = ana.user.email
  expect((await askChange(ana, ` ${email} `)).body).toEqual({ message: `We have sent a letter to ${email}` })
  expect(await emailOf(ana)).toEqual({ email: former, confirmed: false, new_email: email })
  expect([await logIn(former, ana), await logIn(email, ana)]).toEqual([200, 401])
  const [asked] = await lettersAt(mail, former)
  expect(asked?.subject).toBe('Your e-mail address is to be changed')
  expect(asked?.text).toContain(email)
  expect(asked?.text).toContain('http://shop.example/settings/security')
  expect(tokenIn(asked?.text)).toBe('')

  await shop.rows(
    `insert into email_links (user_id, purpose, email) values (${ana.user.id}, 'reset', '${former}')`,
  )
  const token = await tokenAt(mail, email)
  const { status, body } = await confirm(shop.visitor(), token)
  expect([status, body]).toEqual([200, { email, outcome: 'changed' }])
  expect(await emailOf(ana)).toEqual({ email, confirmed: true, new_email: null })
  expect((await ana.get('/api/auth/')).body).toEqual({ ...ana.user, email })
  expect([await logIn(former, ana), await logIn(email, ana)]).toEqual([401, 200])
  const [, changed] = await lettersAt(mail, former, 2)
  expect(changed?.subject).toBe('Your e-mail address is changed')
  expect(changed?.text).toContain(email)
  expect(await lettersAt(mail, email)).toHaveLength(1)
  expect(
    await shop.rows(`select 1 from email_links where user_id = ${ana.user.id} and purpose = 'reset'`),
  ).toEqual([])
  expect(outcomeOf(await confirm(shop.visitor(), token))).toEqual([200, 'already'])
})

test('a letter that a change is asked for is not sent once it has happened', async () => {
  const [ana, email] = [await shop.signUp('ana'), unusedAddress()]
  await askChange(ana, email)
  const [{ id }] = await shop.rows(`select id from email_links where email = '${email}'`)
  const notice = () =>
    emailLetters['email-change-notice']!.write(shop.db, { subject: id, recipient: ana.user.id }, 'Thrum')
  expect(await notice()).toBeDefined()
  await confirm(shop.visitor(), await tokenAt(mail, email))
  expect(await notice()).toBeUndefined()
})

test('letters about a change know the former address, however late they are written', async () => {
  const [ana, email] = [await shop.signUp('ana'), unusedAddress()]
  await askChange(ana, email)
  await lettersAt(mail, ana.user.email)
  await confirm(shop.visitor(), await tokenAt(mail, email))
  await lettersAt(mail, ana.user.email, 2)
  await askChange(ana, unusedAddress())
  await lettersAt(mail, email, 2)
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  await sendAgain(shop, `recipient = ${ana.user.id} and kind like 'email-change%d'`)
  expect((await lettersAt(mail, ana.user.email, 3)).at(-1)?.subject).toBe('Your e-mail address is changed')
})

test('the last change counts, and a cancelled one does not', async () => {
  const ana = await shop.signUp('ana')
  const [first, second] = [unusedAddress(), unusedAddress()]
  await askChange(ana, first)
  const token = await tokenAt(mail, first)
  await askChange(ana, second)
  const last = await tokenAt(mail, second)
  expectRefusal(await confirm(shop.visitor(), token), 400, GONE)
  expect((await emailOf(ana)).new_email).toBe(second)
  expect((await ana.delete('/api/auth/email/change')).status).toBe(200)
  expectRefusal(await confirm(shop.visitor(), last), 400, GONE)
  expect(await emailOf(ana)).toEqual({ email: ana.user.email, confirmed: false, new_email: null })
  // There is none.
  expect((await ana.delete('/api/auth/email/change')).status).toBe(200)
})

test('a pending change ends with the password that requested it', async () => {
  const [ana, email] = [await shop.signUp('ana'), unusedAddress()]
  await askChange(ana, email)
  const token = await tokenAt(mail, email)
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  expectRefusal(await confirm(shop.visitor(), token), 400, GONE)
  expect((await emailOf(ana)).new_email).toBe(null)
})

test('a letter to a former address confirms no later one', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  const email = unusedAddress()
  await askChange(person, email)
  await confirm(shop.visitor(), await tokenAt(mail, email))
  await shop.rows(`update users set email_confirmed_at = null where id = ${person.user.id}`)
  expectRefusal(await confirm(shop.visitor(), token), 400, GONE)
  expect((await emailOf(person)).confirmed).toBe(false)
  // Nor does a used one say anything of it.
  const { person: ben, token: used } = await signUpByLetter(shop, mail)
  await confirm(shop.visitor(), used)
  const later = unusedAddress()
  await askChange(ben, later)
  await confirm(shop.visitor(), await tokenAt(mail, later))
  expectRefusal(await confirm(shop.visitor(), used), 400, GONE)
})

test('a change that was asked for with the old password does not outlive a new one', async () => {
  const ana = await shop.signUp('ana')
  const verified = await requirePassword(shop.db, ana.user.id, ana.password)
  // Its password was right; before it is written, the password is changed.
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-77' })
  const asked = writeChange(shop.db, ana.user.id, 'intruder@example.com', verified)
  await expect(asked).rejects.toMatchObject({ status: 400, message: WRONG_PASSWORD })
  expect(
    await shop.rows(`select 1 from email_links where user_id = ${ana.user.id} and purpose = 'change'`),
  ).toEqual([])
})

test('of concurrent requests for a change the newest is pending', async () => {
  const ana = await shop.signUp('ana')
  const addresses = Array.from({ length: 4 }, unusedAddress)
  await Promise.all(addresses.map(address => askChange(ana, address)))
  const waiting = await shop.rows(`select email from email_links where user_id = ${ana.user.id}`)
  expect(waiting).toEqual([{ email: (await emailOf(ana)).new_email }])
})

test('a browser that is known stays known after a change', async () => {
  const strict = await openShop({ settings: { ...mail.settings, LIMITS: 'on', LIMIT_GUESSES: '2' } })
  try {
    const [ana, email] = [await strict.signUp('ana'), unusedAddress()]
    const login = { email: ana.user.email, password: ana.password }
    expect((await ana.post('/api/auth/login', login)).status).toBe(200)
    await askChange(ana, email)
    const token = await tokenAt(mail, email)
    expect((await strict.visitor().post('/api/auth/confirm-email', { token })).status).toBe(200)
    // Somebody guesses from the same network.
    for (let n = 0; n < 3; n++)
      await strict.visitor().post('/api/auth/login', { email, password: `not-it-${n}` })
    expect((await strict.visitor().post('/api/auth/login', { ...login, email })).status).toBe(429)
    expect((await ana.post('/api/auth/login', { ...login, email })).status).toBe(200)
  } finally {
    await strict.close()
  }
})
