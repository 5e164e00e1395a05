import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Authenticator, addPasskey, logInWith } from '../../../test/support/authenticator.ts'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { COMMON_PASSWORD, DEMO, RESET_ASKED, UNUSABLE_LINK } from './contract.ts'
import { createLink, issueToken, type LinkPurpose } from './email-links.ts'
import { hashPassword } from './passwords.ts'

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

const ask = (email: string, at = shop) => at.visitor().post('/api/auth/forgotten-password', { email })
const check = (token: string, at = shop) => at.visitor().post('/api/auth/reset-password/check', { token })
const reset = (token: string, new_password = 'secret-2', person = shop.visitor()) =>
  person.post('/api/auth/reset-password', { token, new_password })
const logIn = async ({ user }: Person, password: string, at = shop) =>
  (await at.visitor().post('/api/auth/login', { email: user.email, password })).status
const isIn = async (person: Person) => (await person.get('/api/auth/')).status === 200

const lettersTo = (email: string) =>
  mail.letters.filter(
    ({ subject, recipients }) => subject === 'Set a new password' && recipients[0] === email,
  )
const TOKEN = /\/reset-password\?token=([\w-]{43})\b/
/** Asks for a link. @returns the token in the letter that arrives */
async function tokenBySmtp({ user: { email } }: Person): Promise<string> {
  const before = lettersTo(email).length
  expect(await ask(email)).toMatchObject({ status: 200, body: { message: RESET_ASKED } })
  await expect.poll(() => lettersTo(email).length, soon).toBe(before + 1)
  return TOKEN.exec(lettersTo(email).at(-1)?.text ?? '')?.[1] ?? ''
}

/** A token as in a letter, without the wait. */
async function tokenOf(
  { user }: Person,
  { purpose = 'reset' as LinkPurpose, minutes = 60, at = shop } = {},
): Promise<string> {
  const id = await createLink(at.db, { userId: user.id, purpose, email: user.email })
  return (await issueToken(at.db, id, minutes))?.token ?? ''
}
const linksOf = ({ user }: Person) => shop.rows(`select * from email_links where user_id = ${user.id}`)

test('a letter brings a link, with which a new password is set', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenBySmtp(ana)
  const [letter] = lettersTo(ana.user.email)
  expect(letter?.text).toContain(`http://localhost:3000/reset-password?token=${token}\n`)
  expect(letter?.html).toContain(`"http://localhost:3000/reset-password?token=${token}"`)
  expect(letter?.text).toMatch(/works once, for 60 minutes/)
  expect(letter?.text).toMatch(/If it was not you, you need not do anything/)
  expect(await check(token)).toMatchObject({ status: 200 })
  expect(await reset(token)).toMatchObject({ status: 200, body: { message: 'Password changed' } })
  expect([await logIn(ana, ana.password), await logIn(ana, 'secret-2')]).toEqual([401, 200])
  const [{ confirmed }] = await shop.rows(
    `select email_confirmed_at > now() - interval '1 minute' as confirmed from users where id = ${ana.user.id}`,
  )
  expect(confirmed).toBe(true)
})

test('a reset ends every session and forgets every browser, and passkeys stay', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const phone = shop.visitor()
  await phone.post('/api/auth/login', { email: ana.user.email, password: ana.password })
  const passkey = new Authenticator()
  expect((await addPasskey(ana, passkey)).status).toBe(201)
  const answer = await reset(await tokenOf(ana))
  expect(answer.status).toBe(200)
  // It logs nobody in.
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await Promise.all([ana, phone, ben].map(isIn))).toEqual([false, false, true])
  expect(await shop.rows(`select from device_cookies where user_id = ${ana.user.id}`)).toEqual([])
  expect((await logInWith(passkey, shop.visitor())).status).toBe(200)
})

test('a reset ends a change of the address that waits', async () => {
  const ana = await shop.signUp('ana')
  const email = 'elsewhere@example.com'
  expect((await ana.post('/api/auth/email', { email, current_password: ana.password })).status).toBe(200)
  expect(await linksOf(ana)).toMatchObject([{ purpose: 'change', email }])
  expect((await reset(await tokenOf(ana))).status).toBe(200)
  expect(await linksOf(ana)).toEqual([])
})

test('a reset in a browser that is logged in ends that session too', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const { cookie } = ben
  expect((await reset(await tokenOf(ana), 'secret-2', ben)).status).toBe(200)
  expect(ben.cookie).toBe('')
  ben.cookie = cookie
  expect(await isIn(ben)).toBe(false)
})

test('unknown addresses and the demo account get the same answer, and no letter', async () => {
  const ana = await shop.signUp('ana')
  const password_hash = await hashPassword(DEMO.password)
  const names = { username: 'demo-user', first_name: 'Demo', last_name: 'User' }
  await shop.db
    .insertInto('users')
    .values({ ...names, email: DEMO.email, password_hash })
    .execute()
  const answerTo = async (email: string) => {
    const { status, body, headers } = await ask(email)
    return { status, body, headers: { ...headers, date: '', 'x-request-id': '' } }
  }
  const last = async () => (await shop.rows('select user_id, email from email_links order by id desc'))[0]
  const answer = await answerTo(ana.user.email)
  expect(answer).toMatchObject({ status: 200, body: { message: RESET_ASKED } })
  expect(await last()).toEqual({ user_id: ana.user.id, email: ana.user.email })
  for (const email of ['nobody@example.com', DEMO.email, 'DEMO@example.com']) {
    expect(await answerTo(email)).toEqual(answer)
    // Of nobody, and without the address.
    expect(await last()).toEqual({ user_id: null, email: '' })
  }
  await expect.poll(() => lettersTo(ana.user.email).length, soon).toBe(1)
  const written = await shop.rows(
    `select recipient from outbox where kind = 'reset' order by created_at desc`,
  )
  expect(written[0]).toEqual({ recipient: ana.user.id })
  expect(mail.letters.flatMap(({ recipients }) => recipients)).not.toContain(DEMO.email)
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('the time of the answer does not tell whether an address has an account', async () => {
  const { user } = await shop.signUp('ana')
  const times = { known: [] as number[], unknown: [] as number[], hash: [] as number[] }
  for (let n = 0; n < 60; n++) {
    const both = ['known', 'unknown'] as const
    for (const kind of n % 2 === 0 ? both : both.toReversed())
      times[kind].push(await took(() => ask(kind === 'known' ? user.email : `nobody-${n}@example.com`)))
    if (n % 4 === 0) times.hash.push(await took(() => hashPassword('secret-2')))
  }
  // Hashing a password for one kind alone would be seen.
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(median(times.hash) / 4)
})

test('the address is found ignoring case, and must be one', async () => {
  const ana = await shop.signUp('ana')
  expect((await ask(` ${ana.user.email.toUpperCase()} `)).status).toBe(200)
  expect(await linksOf(ana)).toHaveLength(1)
  expectRefusal(await ask(''), 400, 'Email is required')
  expectRefusal(await ask('nobody'), 400, 'Please provide a valid email')
})

test('several links are good at once, and using one uses up all', async () => {
  const ana = await shop.signUp('ana')
  const tokens = [await tokenOf(ana), await tokenOf(ana)]
  for (const token of tokens) expect((await check(token)).status).toBe(200)
  expect((await reset(tokens[0] ?? '')).status).toBe(200)
  for (const token of tokens) {
    expectRefusal(await check(token), 410, UNUSABLE_LINK)
    expectRefusal(await reset(token, 'secret-3'), 410, UNUSABLE_LINK)
  }
  expect(await logIn(ana, 'secret-2')).toBe(200)
})

test('checking a link changes nothing', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  const before = await linksOf(ana)
  for (const answer of await times(3, () => check(token))) expect(answer.status).toBe(200)
  expect(await linksOf(ana)).toEqual(before)
  expect([await logIn(ana, ana.password), await isIn(ana)]).toEqual([200, true])
})

test.each([
  ['is unknown', async () => 'x'.repeat(43)],
  [
    'has expired',
    async (ana: Person) => {
      const token = await tokenOf(ana)
      await shop.rows(`update email_links set expires_at = now() where user_id = ${ana.user.id}`)
      return token
    },
  ],
  ['has another purpose', (ana: Person) => tokenOf(ana, { purpose: 'confirm' })],
  [
    'was sent to a former address',
    async (ana: Person) => {
      const token = await tokenOf(ana)
      await shop.rows(`update users set email = 'new-${ana.user.email}' where id = ${ana.user.id}`)
      return token
    },
  ],
  [
    'is older than the last change of the password',
    async (ana: Person) => {
      const token = await tokenOf(ana)
      const change = { current_password: ana.password, new_password: ana.password }
      expect((await ana.post('/api/auth/password', change)).status).toBe(200)
      return token
    },
  ],
] as const)('a link that %s is refused, and changes nothing', async (_, tokenFor) => {
  const ana = await shop.signUp('ana')
  const token = await tokenFor(ana)
  expectRefusal(await check(token), 410, UNUSABLE_LINK)
  expectRefusal(await reset(token), 410, UNUSABLE_LINK)
  expect(await isIn(ana)).toBe(true)
  const [{ email }] = await shop.rows(`select email from users where id = ${ana.user.id}`)
  expect((await shop.visitor().post('/api/auth/login', { email, password: ana.password })).status).toBe(200)
})

test('a mangled token is refused', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  const mangled = [
    '',
    token.slice(1),
    `${token}=`,
    ` ${token}`,
    token.slice(0, 42),
    `${token.slice(0, 42)}\0`,
    `\0${token}`,
    'x'.repeat(10_000),
    token.repeat(200),
    '🧶'.repeat(43),
  ]
  for (const wrong of mangled) {
    expectRefusal(await check(wrong), 400, UNUSABLE_LINK)
    expectRefusal(await reset(wrong), 400, UNUSABLE_LINK)
  }
  for (const wrong of [undefined, null, 7, [token], { token }])
    expectRefusal(
      await shop.visitor().post('/api/auth/reset-password/check', { token: wrong }),
      400,
      UNUSABLE_LINK,
    )
  const other = token.startsWith('A') ? 'B' : 'A'
  expectRefusal(await reset(other + token.slice(1)), 410, UNUSABLE_LINK)
  expect((await reset(token)).status).toBe(200)
})

test('the link of one user leaves the password of another as it is', async () => {
  const [ana, eve] = [await shop.signUp('ana'), await shop.signUp('eve')]
  const token = await tokenOf(eve)
  const claims = { token, new_password: 'secret-2', email: ana.user.email, user_id: ana.user.id }
  expect((await ana.post('/api/auth/reset-password', claims)).status).toBe(200)
  expect([await logIn(ana, ana.password), await logIn(eve, 'secret-2')]).toEqual([200, 200])
})

test.each(['one link', 'two links'])('of concurrent uses of %s, one wins', async which => {
  const ana = await shop.signUp('ana')
  const first = await tokenOf(ana)
  const second = which === 'one link' ? first : await tokenOf(ana)
  const answers = await times(6, n => reset(n % 2 ? second : first, `secret-new-${n}`))
  expect(countStatuses(answers)).toEqual({ 200: 1, 410: 5 })
  const winner = answers.findIndex(({ status }) => status === 200)
  const logins = await Promise.all(answers.map((_, n) => logIn(ana, `secret-new-${n}`)))
  expect(logins).toEqual(answers.map((_, n) => (n === winner ? 200 : 401)))
})

test('a login with the old password during a reset is logged out', async () => {
  for (let round = 0; round < 5; round++) {
    const ana = await shop.signUp('ana')
    const token = await tokenOf(ana)
    const browsers = [1, 2, 3, 4].map(() => shop.visitor())
    const logins = browsers.map(browser =>
      browser.post('/api/auth/login', { email: ana.user.email, password: ana.password }),
    )
    expect((await reset(token)).status).toBe(200)
    await Promise.all(logins)
    expect((await Promise.all(browsers.map(isIn))).includes(true)).toBe(false)
  }
})

test('the new password has the rules of the signup', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  const RULE = 'Password must be between 6 and 20 characters.'
  for (const password of ['12345', 'x'.repeat(21)]) expectRefusal(await reset(token, password), 400, RULE)
  expectRefusal(await shop.visitor().post('/api/auth/reset-password', { token }), 400, 'Password is required')
  expect((await reset(token, ' sp ce ')).status).toBe(200)
  expect(await logIn(ana, ' sp ce ')).toBe(200)
})

test('a common password is refused where the signup refuses it, and the link stays', async () => {
  const strict = await openShop({ settings: { COMMON_PASSWORDS: 'refuse' } })
  onTestFinished(() => strict.close())
  const ana = await strict.signUp('ana')
  const token = await tokenOf(ana, { at: strict })
  expectRefusal(await reset(token, 'Password1', strict.visitor()), 400, COMMON_PASSWORD)
  expect((await reset(token, 'secret-zyl-2', strict.visitor())).status).toBe(200)
})

test('neither the outbox nor the table of links holds a token', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenBySmtp(ana)
  const rows = await shop.rows(
    `select o::text as text from outbox as o union all
     select l::text || encode(l.token_hashes[1], 'escape') from email_links as l`,
  )
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await linksOf(ana))[0].token_hashes).toHaveLength(1)
})

test('a letter that is written again has another link, and both are good', async () => {
  const ana = await shop.signUp('ana')
  const first = await tokenBySmtp(ana)
  // As after a process that died while it was sending. The letter arrives before its row says so.
  const written = `kind = 'reset' and recipient = ${ana.user.id}`
  const sent = () => shop.rows(`select id from outbox where ${written} and sent_at is not null`)
  await expect.poll(sent, soon).toHaveLength(1)
  await shop.rows(`update outbox set sent_at = null, due_at = now() where ${written}`)
  await ask('nobody@example.com')
  await expect.poll(() => lettersTo(ana.user.email).length, soon).toBe(2)
  const second = TOKEN.exec(lettersTo(ana.user.email).at(-1)?.text ?? '')?.[1] ?? ''
  expect(second).not.toBe(first)
  for (const token of [first, second]) expect((await check(token)).status).toBe(200)
})

test('the log has no token, also after a failure', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  const page = `/reset-password?token=${token}`
  const broken = { 'content-type': 'application/json' }
  const everything = async () => {
    await ana.get(page)
    await ana.get(`/api/auth/reset-password/check?token=${token}`)
    await check(token)
    await shop.visitor().send({
      method: 'POST',
      url: '/api/auth/reset-password',
      headers: { ...broken, referer: `http://localhost:3000${page}` },
      payload: `{"token":"${token}"`,
    })
    await shop.visitor().send({ method: 'PUT', url: page })
  }
  await everything()
  await shop.rows('alter table email_links rename to gone')
  await everything()
  expect((await reset(token)).status).toBe(500)
  await shop.rows('alter table gone rename to email_links')
  expect((await reset(token)).status).toBe(200)
  const written = JSON.stringify(shop.log)
  expect(written).toContain('request failed')
  expect(written).toContain('password reset')
  expect(written).not.toContain(token)
})

test('a deleted account has no links', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'remove' })
  expectRefusal(await reset(token), 410, UNUSABLE_LINK)
})
