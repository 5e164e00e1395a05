import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { isIn } from '../../../test/support/passkey-calls.ts'
import {
  check,
  lastTokenTo,
  lettersTo,
  linksOf,
  logIn,
  reset,
  tokenByLetter,
  tokenOf,
} from '../../../test/support/password-resets.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendAgain } from '../../../test/support/shop-with-mail.ts'
import { UNUSABLE_LINK } from './contract.ts'
import { createLink, issueToken } from './email-links.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  const settings = { ...mail.settings, PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'debug', DEMO: 'off' }
  shop = await openShop({ settings, signups: true })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

test('several links are good at once, and using one uses up all', async () => {
  const ana = await shop.signUp('ana')
  const tokens = [await tokenOf(shop, ana), await tokenOf(shop, ana)]
  for (const token of tokens) expect((await check(shop, token)).status).toBe(200)
  expect((await reset(shop.visitor(), tokens[0] ?? '')).status).toBe(200)
  for (const token of tokens) {
    expectRefusal(await check(shop, token), 410, UNUSABLE_LINK)
    expectRefusal(await reset(shop.visitor(), token, 'secret-3'), 410, UNUSABLE_LINK)
  }
  expect(await logIn(shop, ana, 'secret-2')).toBe(200)
})

test('checking a link changes nothing', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(shop, ana)
  const before = await linksOf(shop, ana)
  for (const response of await times(3, () => check(shop, token))) expect(response.status).toBe(200)
  expect(await linksOf(shop, ana)).toEqual(before)
  expect([await logIn(shop, ana, ana.password), await isIn(ana)]).toEqual([200, true])
})

test.each([
  ['is unknown', async () => 'x'.repeat(43)],
  [
    'has expired',
    async (ana: Person) => {
      const token = await tokenOf(shop, ana)
      await shop.rows(`update email_links set expires_at = now() where user_id = ${ana.user.id}`)
      return token
    },
  ],
  ['has another purpose', (ana: Person) => tokenOf(shop, ana, { purpose: 'confirm' })],
  [
    'was sent to a former address',
    async (ana: Person) => {
      const token = await tokenOf(shop, ana)
      await shop.rows(`update users set email = 'new-${ana.user.email}' where id = ${ana.user.id}`)
      return token
    },
  ],
  [
    'is older than the last change of the password',
    async (ana: Person) => {
      const token = await tokenOf(shop, ana)
      const change = { current_password: ana.password, new_password: ana.password }
      expect((await ana.post('/api/auth/password', change)).status).toBe(200)
      return token
    },
  ],
] as const)('a link that %s is refused, and changes nothing', async (_, tokenFor) => {
  const ana = await shop.signUp('ana')
  const token = await tokenFor(ana)
  expectRefusal(await check(shop, token), 410, UNUSABLE_LINK)
  expectRefusal(await reset(shop.visitor(), token), 410, UNUSABLE_LINK)
  expect(await isIn(ana)).toBe(true)
  const [{ email }] = await shop.rows(`select email from users where id = ${ana.user.id}`)
  expect((await shop.visitor().post('/api/auth/login', { email, password: ana.password })).status).toBe(200)
})

test('a mangled token is refused', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(shop, ana)
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
    expectRefusal(await check(shop, wrong), 400, UNUSABLE_LINK)
    expectRefusal(await reset(shop.visitor(), wrong), 400, UNUSABLE_LINK)
  }
  for (const wrong of [undefined, null, 7, [token], { token }])
    expectRefusal(
      await shop.visitor().post('/api/auth/reset-password/check', { token: wrong }),
      400,
      UNUSABLE_LINK,
    )
  const other = token.startsWith('A') ? 'B' : 'A'
  expectRefusal(await reset(shop.visitor(), other + token.slice(1)), 410, UNUSABLE_LINK)
  expect((await reset(shop.visitor(), token)).status).toBe(200)
})

test('the link of one user leaves the password of another as it is', async () => {
  const [ana, eve] = [await shop.signUp('ana'), await shop.signUp('eve')]
  const token = await tokenOf(shop, eve)
  const claims = { token, new_password: 'secret-2', email: ana.user.email, user_id: ana.user.id }
  expect((await ana.post('/api/auth/reset-password', claims)).status).toBe(200)
  expect([await logIn(shop, ana, ana.password), await logIn(shop, eve, 'secret-2')]).toEqual([200, 200])
})

test.each(['one link', 'two links'])('of concurrent uses of %s, one wins', async which => {
  const ana = await shop.signUp('ana')
  const first = await tokenOf(shop, ana)
  const second = which === 'one link' ? first : await tokenOf(shop, ana)
  const responses = await times(6, n => reset(shop.visitor(), n % 2 ? second : first, `secret-new-${n}`))
  expect(countStatuses(responses)).toEqual({ 200: 1, 410: 5 })
  const winner = responses.findIndex(({ status }) => status === 200)
  const logins = await Promise.all(responses.map((_, n) => logIn(shop, ana, `secret-new-${n}`)))
  expect(logins).toEqual(responses.map((_, n) => (n === winner ? 200 : 401)))
})

test('a letter that is written again has another link, and both are good', async () => {
  const ana = await shop.signUp('ana')
  const first = await tokenByLetter(shop, mail, ana)
  await sendAgain(shop, `kind = 'reset' and recipient = ${ana.user.id}`)
  await expect.poll(() => lettersTo(mail, ana.user.email).length, soon).toBe(2)
  const second = lastTokenTo(mail, ana.user.email)
  expect(second).not.toBe(first)
  for (const token of [first, second]) expect((await check(shop, token)).status).toBe(200)
})

test('a letter that is written again does not prolong the link of the first one', async () => {
  const { user } = await shop.signUp('ana')
  const id = await createLink(shop.db, { userId: user.id, purpose: 'reset', email: user.email })
  const issue = async () => (await issueToken(shop.db, id, 60))?.token ?? ''
  const first = await issue()
  await shop.rows(`update email_links set expires_at = expires_at - interval '59 minutes' where id = ${id}`)
  const second = await issue()
  await shop.rows(
    `update email_links set expires_at = expires_at - interval '2 minutes' where user_id = ${user.id}`,
  )
  expectRefusal(await check(shop, first), 410, UNUSABLE_LINK)
  expect((await check(shop, second)).status).toBe(200)
})

test('neither the outbox nor the table of links holds a token', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenByLetter(shop, mail, ana)
  const rows = await shop.rows(
    `select o::text as text from outbox as o union all
     select l::text || encode(l.token_hashes[1], 'escape') from email_links as l`,
  )
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await linksOf(shop, ana))[0].token_hashes).toHaveLength(1)
})

test('the log has no token, also after a failure', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(shop, ana)
  const page = `/reset-password?token=${token}`
  const broken = { 'content-type': 'application/json' }
  const everything = async () => {
    await ana.get(page)
    await ana.get(`/api/auth/reset-password/check?token=${token}`)
    await check(shop, token)
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
  expect((await reset(shop.visitor(), token)).status).toBe(500)
  await shop.rows('alter table gone rename to email_links')
  expect((await reset(shop.visitor(), token)).status).toBe(200)
  const written = JSON.stringify(shop.log)
  expect(written).toContain('request failed')
  expect(written).toContain('password reset')
  expect(written).not.toContain(token)
})
