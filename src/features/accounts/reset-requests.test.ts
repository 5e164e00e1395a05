import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#platform/database/database.ts'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { ask, check, lastTokenTo, lettersTo, linksOf } from '../../../test/support/password-resets.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { DEMO, RESET_ASKED } from './contract.ts'
import { sweepLinks } from './email-links.ts'
import { requestReset } from './password-reset.ts'
import { hashPassword } from './passwords.ts'

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

test('unknown addresses and the demo account get the same answer, and no letter', async () => {
  const ana = await shop.signUp('ana')
  const password_hash = await hashPassword(DEMO.password)
  const names = { username: 'demo-user', first_name: 'Demo', last_name: 'User' }
  await shop.db
    .insertInto('users')
    .values({ ...names, email: DEMO.email, password_hash })
    .execute()
  const answerTo = async (email: string) => {
    const { status, body, headers } = await ask(shop, email)
    return { status, body, headers: { ...headers, date: '', 'x-request-id': '' } }
  }
  const last = async () => (await shop.rows('select user_id, email from email_links order by id desc'))[0]
  const response = await answerTo(ana.user.email)
  expect(response).toMatchObject({ status: 200, body: { message: RESET_ASKED } })
  expect(await last()).toEqual({ user_id: ana.user.id, email: ana.user.email })
  for (const email of ['nobody@example.com', DEMO.email, 'DEMO@example.com']) {
    expect(await answerTo(email)).toEqual(response)
    // Of nobody, and without the address.
    expect(await last()).toEqual({ user_id: null, email: '' })
  }
  await expect.poll(() => lettersTo(mail, ana.user.email).length, soon).toBe(1)
  // The letters of nobody are discarded.
  const written = () => shop.rows(`select recipient from outbox where kind = 'reset'`)
  await expect.poll(written, soon).toEqual([{ recipient: ana.user.id }])
  expect(mail.letters.flatMap(({ recipients }) => recipients)).not.toContain(DEMO.email)
})

test('a letter that the server refuses for hours arrives with a new link', async () => {
  const ana = await shop.signUp('ana')
  onTestFinished(() => {
    mail.refuse = undefined
  })
  mail.refuse = { at: 'DATA', status: 451, words: 'Come back later' }
  await ask(shop, ana.user.email)
  const refused = () =>
    shop.rows(
      `select 1 from outbox where recipient = ${ana.user.id} and kind = 'reset' and last_error is not null`,
    )
  await expect.poll(refused, soon).toHaveLength(1)
  mail.refuse = undefined
  await shop.rows(`update email_links set expires_at = now() where user_id = ${ana.user.id}`)
  await sweepLinks(shop.db)
  await shop.rows(`update outbox set due_at = now() where recipient = ${ana.user.id} and kind = 'reset'`)
  requestJobRun(LETTERS)
  await expect.poll(() => lettersTo(mail, ana.user.email).length, soon).toBe(1)
  expect((await check(shop, lastTokenTo(mail, ana.user.email))).status).toBe(200)
})

test('a request writes the same rows for any address', async () => {
  const { user } = await shop.signUp('ana')
  for (const email of [user.email, 'nobody@example.com', DEMO.email]) {
    const written = await transaction(shop.db, async db => {
      await requestReset(db, email)
      const { rows } = await sql`select
        (select count(*)::int from email_links where purpose = 'reset' and created_at >= now()) as links,
        (select count(*)::int from outbox where kind = 'reset' and created_at >= now()) as letters`.execute(
        db,
      )
      return rows
    })
    expect(written).toEqual([{ links: 1, letters: 1 }])
  }
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('the response time does not reveal whether an address has an account', async () => {
  const { user } = await shop.signUp('ana')
  const times = { known: [] as number[], unknown: [] as number[], hash: [] as number[] }
  for (let n = 0; n < 60; n++) {
    const both = ['known', 'unknown'] as const
    for (const kind of n % 2 === 0 ? both : both.toReversed())
      times[kind].push(await took(() => ask(shop, kind === 'known' ? user.email : `nobody-${n}@example.com`)))
    if (n % 4 === 0) times.hash.push(await took(() => hashPassword('secret-2')))
  }
  // Hashing a password for one kind alone would be seen.
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(median(times.hash) / 4)
})

test('the address is found ignoring case, and must be one', async () => {
  const ana = await shop.signUp('ana')
  expect((await ask(shop, ` ${ana.user.email.toUpperCase()} `)).status).toBe(200)
  expect(await linksOf(shop, ana)).toHaveLength(1)
  expectRefusal(await ask(shop, ''), 400, 'Email is required')
  expectRefusal(await ask(shop, 'nobody'), 400, 'Please provide a valid email')
})
