import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, times } from '../../../test/support/expect.ts'
import { wholeWindow } from '../../../test/support/scenario.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'
import { createLink, issueToken, type LinkPurpose } from './email-links.ts'

let shop: TestShop
beforeAll(async () => {
  const limits = {
    LIMIT_RESETS: '5',
    LIMIT_ACCOUNT_RESETS: '3',
    LIMIT_LINK_GUESSES: '2',
    LIMIT_GUESSES: '2',
    LIMIT_ACCOUNT_GUESSES: '4',
  }
  shop = await openShop({ settings: { LIMITS: 'on', TRUST_PROXY: '1', ...limits } })
})
afterAll(() => shop.close())
// The windows of an hour end with one of these.
beforeEach(() => wholeWindow('link_guesses', 10_000))

const from = (network: string) => ({ 'x-forwarded-for': network })
const ask = (network: string, email: string) =>
  shop.visitor().post('/api/auth/forgotten-password', { email }, from(network))
const check = (network: string, token: string) =>
  shop.visitor().post('/api/auth/reset-password/check', { token }, from(network))
const confirm = (network: string, token: string) =>
  shop.visitor().post('/api/auth/confirm-email', { token }, from(network))
const reset = (network: string, token: string) =>
  shop.visitor().post('/api/auth/reset-password', { token, new_password: 'secret-2' }, from(network))
const logIn = (network: string, { user }: Person, password: string) =>
  shop.visitor().post('/api/auth/login', { email: user.email, password }, from(network))

async function tokenOf({ user }: Person, purpose: LinkPurpose = 'reset'): Promise<string> {
  const id = await createLink(shop.db, { userId: user.id, purpose, email: user.email })
  return (await issueToken(shop.db, id, 60))?.token ?? ''
}
const UNKNOWN = 'x'.repeat(43)

function expectLimited({ status, headers }: TestResponse, seconds: number): void {
  expect(status).toBe(429)
  const wait = Number(headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(seconds)
}

test('requests for one address are limited in an hour, with an account or without', async () => {
  const { user } = await shop.signUp('ana')
  for (const [n, email] of [user.email, 'nobody@example.com'].entries()) {
    const all = await times(4, at => ask(`10.${n}.0.${at}`, at === 0 ? email.toUpperCase() : email))
    expect(countStatuses(all)).toEqual({ 200: 3, 429: 1 })
    expectLimited(await ask(`10.${n}.0.9`, email), 3600)
  }
  const [{ links }] = await shop.rows(
    `select count(*)::int as links from email_links where user_id = ${user.id}`,
  )
  expect(links).toBe(3)
})

test('requests of one network are limited in an hour', async () => {
  const responses = await times(5, n => ask('10.2.0.1', `somebody-${n}@example.com`))
  expect(countStatuses(responses)).toEqual({ 200: 5 })
  expectLimited(await ask('10.2.0.1', 'another@example.com'), 3600)
  expect((await ask('10.2.0.2', 'another@example.com')).status).toBe(200)
})

test('links that cannot be used are counted by network, good ones are not', async () => {
  const ana = await shop.signUp('ana')
  const token = await tokenOf(ana)
  for (let n = 0; n < 4; n++) expect((await check('10.3.0.1', token)).status).toBe(200)
  expect((await check('10.3.0.1', UNKNOWN)).status).toBe(410)
  expect((await reset('10.3.0.1', UNKNOWN)).status).toBe(410)
  expectLimited(await check('10.3.0.1', UNKNOWN), 900)
  expectLimited(await reset('10.3.0.1', token), 900)
  expect((await reset('10.3.0.2', token)).status).toBe(200)
})

test('links that confirm an address share this count', async () => {
  const token = await tokenOf(await shop.signUp('ana'), 'confirm')
  for (let n = 0; n < 4; n++) expect((await confirm('10.5.0.1', token)).status).toBe(200)
  expect((await confirm('10.5.0.1', UNKNOWN)).status).toBe(400)
  expect((await check('10.5.0.1', UNKNOWN)).status).toBe(410)
  expectLimited(await confirm('10.5.0.1', token), 900)
  expectLimited(await check('10.5.0.1', UNKNOWN), 900)
  expect((await confirm('10.5.0.2', token)).status).toBe(200)
})

test('after a reset one can log in at once, however many passwords were wrong before', async () => {
  const ana = await shop.signUp('ana')
  for (const network of ['10.4.0.1', '10.4.0.2'])
    for (let n = 0; n < 2; n++) expect((await logIn(network, ana, 'wrong-1')).status).toBe(401)
  // Of this network, and of all together.
  for (const network of ['10.4.0.1', '10.4.0.3']) expectLimited(await logIn(network, ana, ana.password), 900)
  expect((await reset('10.4.0.1', await tokenOf(ana))).status).toBe(200)
  for (const network of ['10.4.0.1', '10.4.0.3'])
    expect((await logIn(network, ana, 'secret-2')).status).toBe(200)
  // In another network the wrong ones still count.
  expectLimited(await logIn('10.4.0.2', ana, 'secret-2'), 900)
})
