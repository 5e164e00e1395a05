import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askChange,
  confirm,
  emailOf,
  lettersAt,
  tokenAt,
  tokenIn,
  unusedAddress,
} from '../../../test/support/confirmation-letters.ts'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { newcomer } from '../../../test/support/person.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

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

test('addresses that try to add a header or a recipient get nothing through', async () => {
  const nasty = [
    'a@example.com, evil@example.org',
    'a@example.com\r\nRCPT TO:<evil@example.org>',
    'b@example.com>\r\nBcc: evil@example.org',
    'Nora <evil@example.org>',
    'c@example.com> <evil@example.org',
    '"evil@example.org"@example.com',
    'd@example.com\r\n\r\nGet rich',
  ]
  const before = mail.letters.length
  const people = await times(nasty.length, n => shop.signUp(`p${n}`))
  for (const [n, person] of people.entries())
    expect((await askChange(person, nasty[n] ?? '')).status).toBe(200)
  const ids = people.map(({ user }) => user.id).join()
  const tried = `select count(*)::int as open from outbox where recipient in (${ids}) and tries = 0`
  await expect.poll(async () => (await shop.rows(tried))[0].open, soon).toBe(0)
  for (const { user } of people) await lettersAt(mail, user.email)
  for (const { recipients, headers, subject, text } of mail.letters.slice(before)) {
    expect(recipients).toHaveLength(1)
    expect(recipients[0]).not.toBe('evil@example.org')
    expect(headers.has('bcc')).toBe(false)
    // What was typed is a quotation.
    expect(text?.split('\n').filter(line => line.startsWith('Get rich'))).toEqual([])
    expect(subject).toMatch(/^(Your e-mail address is to be changed|Please confirm your new e-mail address)$/)
  }
})

test('only an address without an account is accepted, by the rules of the signup', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  for (const taken of [ben.user.email, ben.user.email.toUpperCase()])
    expectRefusal(await askChange(ana, taken), 400, 'Email is already in use')
  expectRefusal(await askChange(ana, ana.user.email), 400, 'This is your e-mail address already')
  expectRefusal(await askChange(ana, 'nobody'), 400, 'Please provide a valid email')
  expectRefusal(await askChange(ana, `${'x'.repeat(250)}@a.bc`), 400, 'Please provide a valid email')
  expectRefusal(
    await askChange(ana, 'a\0@example.com'),
    400,
    'Email contains characters that cannot be stored',
  )
  expectRefusal(
    await ana.post('/api/auth/email', {}),
    400,
    'Email is required',
    'Current password is required',
  )
  expectRefusal(await askChange(ana, unusedAddress(), 'not-it'), 400, 'The current password is not correct')
  expect(await shop.rows(`select 1 from outbox where recipient = ${ana.user.id}`)).toEqual([])
  // One's own in other letters is another address for some servers.
  const upper = ana.user.email.replace(/^.*@/, part => part.toUpperCase())
  expect((await askChange(ana, upper)).status).toBe(200)
  await confirm(shop.visitor(), await tokenAt(mail, upper))
  expect((await emailOf(ana)).email).toBe(upper)
})

test('an address that somebody else has taken meanwhile changes nothing', async () => {
  const [ana, email] = [await shop.signUp('ana'), unusedAddress()]
  await askChange(ana, email)
  const token = await tokenAt(mail, email)
  await shop.visitor().post('/api/auth/signup', { ...newcomer(), email, password: 'secret-1' })
  expectRefusal(
    await confirm(shop.visitor(), token),
    409,
    'Somebody has opened an account with this e-mail address meanwhile. Yours keeps the one it has',
  )
  expect(await emailOf(ana)).toMatchObject({ email: ana.user.email, confirmed: false })
  const kinds = await shop.rows(`select kind from outbox where recipient = ${ana.user.id} order by kind`)
  expect(kinds.map(({ kind }) => kind)).toEqual(['email-change', 'email-change-notice'])
})

test('of two accounts that confirm the same address at once, one gets it', async () => {
  for (let round = 0; round < 3; round++) {
    const [people, email] = [[await shop.signUp('ana'), await shop.signUp('ben')], unusedAddress()]
    for (const person of people) await askChange(person, email)
    const tokens = (await lettersAt(mail, email, 2)).map(({ text }) => tokenIn(text))
    const responses = await Promise.all(tokens.map(token => confirm(shop.visitor(), token)))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 1 })
  }
})

test('letters are limited for a person and for a network, and guesses as at the login', async () => {
  const limits = { LIMIT_CONFIRMATIONS: '2', LIMIT_NETWORK_CONFIRMATIONS: '3', LIMIT_GUESSES: '3' }
  const strict = await openShop({ settings: { LIMITS: 'on', ...limits } })
  try {
    const [ana, ben, eve] = [
      await strict.signUp('ana'),
      await strict.signUp('ben'),
      await strict.signUp('eve'),
    ]
    // What is refused is counted too: it says who has an account.
    expect((await askChange(ana, ben.user.email)).status).toBe(400)
    expect((await ana.post('/api/auth/confirmations')).status).toBe(200)
    expect((await askChange(ana, unusedAddress())).status).toBe(429)
    expect((await ana.post('/api/auth/confirmations')).status).toBe(429)
    expect((await ben.post('/api/auth/confirmations')).status).toBe(200)
    expect((await ben.post('/api/auth/confirmations')).status).toBe(429)
    const guesses = []
    for (let n = 0; n < 4; n++) guesses.push((await askChange(eve, unusedAddress(), `not-it-${n}`)).status)
    expect(guesses).toEqual([400, 400, 400, 429])
  } finally {
    await strict.close()
  }
})

test('the demo account keeps its address', async () => {
  const demo = await shop.signUp('demo')
  await shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  const STAYS = 'The demo account is everybody’s: it stays as it is'
  expectRefusal(await askChange(demo, unusedAddress()), 403, STAYS)
  expectRefusal(await demo.post('/api/auth/confirmations'), 403, STAYS)
  expectRefusal(await demo.delete('/api/auth/email/change'), 403, STAYS)
  expect((await emailOf(demo)).confirmed).toBe(false)
})
