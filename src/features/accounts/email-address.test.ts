import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outboxEvents } from '#platform/mail/outbox.ts'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { newcomer } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sweepLinks } from './email-links.ts'

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

const GONE = 'This link is not valid any more: it has expired, or a newer letter has replaced it'
const other = () => newcomer('new').email

/** Waits for so many letters at an address, and returns them. */
async function lettersAt(address: string, count = 1) {
  const found = () => mail.letters.filter(({ recipients }) => recipients.includes(address))
  await expect.poll(() => found().length, soon).toBe(count)
  return found()
}
const tokenIn = (text: string | undefined) =>
  /^http:\/\/shop\.example\/confirm-email\?token=([\w-]{43})$/m.exec(text ?? '')?.[1] ?? ''
/** The token of the newest letter at an address, of so many. */
const tokenAt = async (address: string, count = 1) => tokenIn((await lettersAt(address, count)).at(-1)?.text)
const confirm = (token: unknown, person = shop.visitor()) => person.post('/api/auth/confirm-email', { token })
const stateOf = async (person: Person) => (await person.get('/api/auth/email')).body
const askChange = (person: Person, email: string, current_password = person.password) =>
  person.post('/api/auth/email', { email, current_password })
const logIn = async (email: string, { password }: Person) =>
  (await shop.visitor().post('/api/auth/login', { email, password })).status
const outcomeOf = ({ status, body }: { status: number; body: { outcome?: string } }) => [status, body.outcome]

/** Somebody who signs up, with their welcome letter. */
async function signUp(): Promise<{ person: Person; token: string }> {
  const person = shop.visitor()
  const { body } = await person.post('/api/auth/signup', { ...newcomer(), password: person.password })
  person.user = body
  return { person, token: await tokenAt(person.user.email) }
}

test('the welcome letter confirms the address, on any device', async () => {
  const { person, token } = await signUp()
  expect(await stateOf(person)).toEqual({ email: person.user.email, confirmed: false, new_email: null })
  expect(outcomeOf(await confirm(token))).toEqual([200, 'confirmed'])
  expect(await stateOf(person)).toEqual({ email: person.user.email, confirmed: true, new_email: null })
})

test('programs that open the link of a letter confirm nothing', async () => {
  const { person, token } = await signUp()
  for (const method of ['GET', 'HEAD'] as const)
    expect((await shop.visitor().send({ method, url: `/confirm-email?token=${token}` })).status).toBe(200)
  expect((await stateOf(person)).confirmed).toBe(false)
})

test('a link that was used says so, however often and by whom it is used', async () => {
  const { person, token } = await signUp()
  const stranger = await shop.signUp('stranger')
  expect(outcomeOf(await confirm(token, stranger))).toEqual([200, 'confirmed'])
  for (const again of [shop.visitor(), person, stranger])
    expect(outcomeOf(await confirm(token, again))).toEqual([200, 'already'])
  // It confirms the address that it was sent to, and no other.
  expect([(await stateOf(person)).confirmed, (await stateOf(stranger)).confirmed]).toEqual([true, false])
})

test('a welcome letter that an earlier version has queued confirms too', async () => {
  const ana = await shop.signUp('ana')
  await shop.rows(
    `insert into outbox (kind, subject, recipient) values ('welcome', ${ana.user.id}, ${ana.user.id})`,
  )
  outboxEvents.emit('queued')
  expect(outcomeOf(await confirm(await tokenAt(ana.user.email)))).toEqual([200, 'confirmed'])
})

test('another letter is sent again and again, and each of them confirms', async () => {
  const { person, token } = await signUp()
  expect((await person.post('/api/auth/confirmations')).status).toBe(200)
  const second = await tokenAt(person.user.email, 2)
  expect((await person.post('/api/auth/confirmations')).status).toBe(200)
  const third = await tokenAt(person.user.email, 3)
  expect(outcomeOf(await confirm(second))).toEqual([200, 'confirmed'])
  for (const each of [token, third]) expect(outcomeOf(await confirm(each))).toEqual([200, 'already'])
  expectRefusal(await person.post('/api/auth/confirmations'), 409, 'Your e-mail address is confirmed already')
})

test('an expired, unknown or mangled token confirms nothing', async () => {
  const { person, token } = await signUp()
  const nothing = ['', 'x', '\0', `${token}\0`, 'x'.repeat(10_000), token.slice(1), `${token}=`, ' ', null, 7]
  for (const wrong of [...nothing, [token], { token }, undefined, 'A'.repeat(43)])
    expectRefusal(await confirm(wrong), 400, GONE)
  await shop.rows(`update email_links set expires_at = now() where user_id = ${person.user.id}`)
  expectRefusal(await confirm(token), 400, GONE)
  expect((await stateOf(person)).confirmed).toBe(false)
})

test('links are valid for a week, those of a change for a day', async () => {
  const { person } = await signUp()
  await askChange(person, other())
  await lettersAt(person.user.email, 2)
  const hours = `round(extract(epoch from expires_at - now()) / 3600)::int as hours`
  const issued = () =>
    shop.rows(
      `select purpose, ${hours} from email_links where user_id = ${person.user.id} and expires_at is not null order by id`,
    )
  await expect.poll(issued, soon).toEqual([
    { purpose: 'confirm', hours: 7 * 24 },
    { purpose: 'change', hours: 24 },
  ])
})

test('a copy of the database confirms nothing: it has hashes of the tokens', async () => {
  const { person, token } = await signUp()
  const [row] = await shop.rows(`select * from email_links where user_id = ${person.user.id}`)
  expect(row.token_hashes).toEqual([createHash('sha256').update(token).digest()])
  expect(JSON.stringify(await shop.rows('select * from email_links, outbox'))).not.toContain(token)
  for (const text of [row.token_hashes[0].toString('base64url'), row.token_hashes[0].toString('hex')])
    expectRefusal(await confirm(text), 400, GONE)
})

test('an address is changed when somebody confirms it there; the former one is told before and after', async () => {
  const [ana, email] = [await shop.signUp('ana'), other()]
  const former = ana.user.email
  expect((await askChange(ana, ` ${email} `)).body).toEqual({ message: `We have sent a letter to ${email}` })
  expect(await stateOf(ana)).toEqual({ email: former, confirmed: false, new_email: email })
  expect([await logIn(former, ana), await logIn(email, ana)]).toEqual([200, 401])
  const [asked] = await lettersAt(former)
  expect(asked?.subject).toBe('Your e-mail address is to be changed')
  expect(asked?.text).toContain(email)
  expect(asked?.text).toContain('http://shop.example/settings/security')
  expect(tokenIn(asked?.text)).toBe('')

  await shop.rows(
    `insert into email_links (user_id, purpose, email) values (${ana.user.id}, 'reset', '${former}')`,
  )
  const token = await tokenAt(email)
  const { status, body } = await confirm(token)
  expect([status, body]).toEqual([200, { email, outcome: 'changed' }])
  expect(await stateOf(ana)).toEqual({ email, confirmed: true, new_email: null })
  expect((await ana.get('/api/auth/')).body).toEqual({ ...ana.user, email })
  expect([await logIn(former, ana), await logIn(email, ana)]).toEqual([401, 200])
  const [, changed] = await lettersAt(former, 2)
  expect(changed?.subject).toBe('Your e-mail address is changed')
  expect(changed?.text).toContain(email)
  expect(await lettersAt(email)).toHaveLength(1)
  expect(
    await shop.rows(`select 1 from email_links where user_id = ${ana.user.id} and purpose = 'reset'`),
  ).toEqual([])
  expect(outcomeOf(await confirm(token))).toEqual([200, 'already'])
})

test('letters about a change know the former address, however late they are written', async () => {
  const [ana, email] = [await shop.signUp('ana'), other()]
  await askChange(ana, email)
  await lettersAt(ana.user.email)
  await confirm(await tokenAt(email))
  await lettersAt(ana.user.email, 2)
  await askChange(ana, other())
  await lettersAt(email, 2)
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  await shop.rows(
    `update outbox set due_at = now(), sent_at = null where recipient = ${ana.user.id} and kind like 'email-change%d'`,
  )
  outboxEvents.emit('queued')
  expect((await lettersAt(ana.user.email, 3)).at(-1)?.subject).toBe('Your e-mail address is changed')
})

test('the last change counts, and a cancelled one does not', async () => {
  const ana = await shop.signUp('ana')
  const [first, second] = [other(), other()]
  await askChange(ana, first)
  const token = await tokenAt(first)
  await askChange(ana, second)
  const last = await tokenAt(second)
  expectRefusal(await confirm(token), 400, GONE)
  expect((await stateOf(ana)).new_email).toBe(second)
  expect((await ana.delete('/api/auth/email/change')).status).toBe(200)
  expectRefusal(await confirm(last), 400, GONE)
  expect(await stateOf(ana)).toEqual({ email: ana.user.email, confirmed: false, new_email: null })
  // There is none.
  expect((await ana.delete('/api/auth/email/change')).status).toBe(200)
})

test('a change that waits ends with the password that asked for it', async () => {
  const [ana, email] = [await shop.signUp('ana'), other()]
  await askChange(ana, email)
  const token = await tokenAt(email)
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  expectRefusal(await confirm(token), 400, GONE)
  expect((await stateOf(ana)).new_email).toBe(null)
})

test('a letter to a former address confirms no later one', async () => {
  const { person, token } = await signUp()
  const email = other()
  await askChange(person, email)
  await confirm(await tokenAt(email))
  await shop.rows(`update users set email_confirmed_at = null where id = ${person.user.id}`)
  expectRefusal(await confirm(token), 400, GONE)
  expect((await stateOf(person)).confirmed).toBe(false)
  // Nor does a used one say anything of it.
  const { person: ben, token: used } = await signUp()
  await confirm(used)
  const later = other()
  await askChange(ben, later)
  await confirm(await tokenAt(later))
  expectRefusal(await confirm(used), 400, GONE)
})

test('only an address that nobody has can be asked for, by the rules of the signup', async () => {
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
  expectRefusal(await askChange(ana, other(), 'not-it'), 400, 'The current password is not correct')
  expect(await shop.rows(`select 1 from outbox where recipient = ${ana.user.id}`)).toEqual([])
  // One's own in other letters is another address for some servers.
  const upper = ana.user.email.replace(/^.*@/, part => part.toUpperCase())
  expect((await askChange(ana, upper)).status).toBe(200)
  await confirm(await tokenAt(upper))
  expect((await stateOf(ana)).email).toBe(upper)
})

test('an address that somebody else has taken meanwhile changes nothing', async () => {
  const [ana, email] = [await shop.signUp('ana'), other()]
  await askChange(ana, email)
  const token = await tokenAt(email)
  await shop.visitor().post('/api/auth/signup', { ...newcomer(), email, password: 'secret-1' })
  expectRefusal(
    await confirm(token),
    409,
    'Somebody has opened an account with this e-mail address meanwhile. Yours keeps the one it has',
  )
  expect(await stateOf(ana)).toMatchObject({ email: ana.user.email, confirmed: false })
  const kinds = await shop.rows(`select kind from outbox where recipient = ${ana.user.id} order by kind`)
  expect(kinds.map(({ kind }) => kind)).toEqual(['email-change', 'email-change-notice'])
})

test('of two accounts that confirm the same address at once, one gets it', async () => {
  for (let round = 0; round < 3; round++) {
    const [people, email] = [[await shop.signUp('ana'), await shop.signUp('ben')], other()]
    for (const person of people) await askChange(person, email)
    const tokens = (await lettersAt(email, 2)).map(({ text }) => tokenIn(text))
    const answers = await Promise.all(tokens.map(token => confirm(token)))
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 1 })
  }
})

test('a link that is used many times at once does its work once', async () => {
  const { person, token } = await signUp()
  const outcomes = async (token: string) =>
    (await times(6, () => confirm(token))).map(({ body }) => body.outcome).sort()
  expect(await outcomes(token)).toEqual([...Array(5).fill('already'), 'confirmed'])
  const email = other()
  await askChange(person, email)
  expect(await outcomes(await tokenAt(email))).toEqual([...Array(5).fill('already'), 'changed'])
  // The welcome, the notice and the end.
  await lettersAt(person.user.email, 3)
})

test('of changes that are asked for at once the newest waits', async () => {
  const ana = await shop.signUp('ana')
  const addresses = Array.from({ length: 4 }, other)
  await Promise.all(addresses.map(address => askChange(ana, address)))
  const waiting = await shop.rows(`select email from email_links where user_id = ${ana.user.id}`)
  expect(waiting).toEqual([{ email: (await stateOf(ana)).new_email }])
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
  for (const { user } of people) await lettersAt(user.email)
  for (const { recipients, headers, subject, text } of mail.letters.slice(before)) {
    expect(recipients).toHaveLength(1)
    expect(recipients[0]).not.toBe('evil@example.org')
    expect(headers.has('bcc')).toBe(false)
    // What was typed is a quotation.
    expect(text?.split('\n').filter(line => line.startsWith('Get rich'))).toEqual([])
    expect(subject).toMatch(/^(Your e-mail address is to be changed|Please confirm your new e-mail address)$/)
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
    expect((await askChange(ana, other())).status).toBe(429)
    expect((await ana.post('/api/auth/confirmations')).status).toBe(429)
    expect((await ben.post('/api/auth/confirmations')).status).toBe(200)
    expect((await ben.post('/api/auth/confirmations')).status).toBe(429)
    const guesses = []
    for (let n = 0; n < 4; n++) guesses.push((await askChange(eve, other(), `not-it-${n}`)).status)
    expect(guesses).toEqual([400, 400, 400, 429])
  } finally {
    await strict.close()
  }
})

test('a browser that is known stays known after a change', async () => {
  const strict = await openShop({ settings: { ...mail.settings, LIMITS: 'on', LIMIT_GUESSES: '2' } })
  try {
    const [ana, email] = [await strict.signUp('ana'), other()]
    const login = { email: ana.user.email, password: ana.password }
    expect((await ana.post('/api/auth/login', login)).status).toBe(200)
    await askChange(ana, email)
    const token = await tokenAt(email)
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

test('the demo account keeps its address', async () => {
  const demo = await shop.signUp('demo')
  await shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  const STAYS = 'The demo account is everybody’s: it stays as it is'
  expectRefusal(await askChange(demo, other()), 403, STAYS)
  expectRefusal(await demo.post('/api/auth/confirmations'), 403, STAYS)
  expectRefusal(await demo.delete('/api/auth/email/change'), 403, STAYS)
  expect((await stateOf(demo)).confirmed).toBe(false)
})

test('links are swept when they have expired, and a week after their use', async () => {
  const ana = await shop.signUp('ana')
  await shop.rows(`
    insert into email_links (user_id, purpose, email, created_at, token_hashes, expires_at, used_at)
    select ${ana.user.id}, 'confirm', name || '@example.com', now() + created, hashes, now() + expires, now() + used
    from (values
      ('unwritten', interval '-6 days', '{}'::bytea[], null::interval, null::interval),
      ('forgotten', interval '-8 days', '{}', null, null),
      ('valid', interval '-8 days', '{"\\\\x01"}', interval '1 minute', null),
      ('expired', interval '-1 days', '{"\\\\x02"}', interval '-1 minute', null),
      ('used', interval '-13 days', '{"\\\\x03"}', interval '-6 days', interval '-6 days'),
      ('done', interval '-15 days', '{"\\\\x04"}', interval '-8 days', interval '-8 days')
    ) as link (name, created, hashes, expires, used)`)
  await sweepLinks(shop.db)
  const left = await shop.rows(`select email from email_links where user_id = ${ana.user.id} order by email`)
  expect(left.map(({ email }) => email.split('@')[0])).toEqual(['unwritten', 'used', 'valid'])
})
