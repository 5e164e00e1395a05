import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import {
  askChange,
  confirm,
  emailOf,
  GONE,
  lettersAt,
  outcomeOf,
  signUpByLetter,
  tokenAt,
  unusedAddress,
} from '../../../test/support/confirmation-letters.ts'
import { expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
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

test('the welcome letter confirms the address, on any device', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  expect(await emailOf(person)).toEqual({ email: person.user.email, confirmed: false, new_email: null })
  expect(outcomeOf(await confirm(shop.visitor(), token))).toEqual([200, 'confirmed'])
  expect(await emailOf(person)).toEqual({ email: person.user.email, confirmed: true, new_email: null })
})

test('programs that open the link of a letter confirm nothing', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  for (const method of ['GET', 'HEAD'] as const)
    expect((await shop.visitor().send({ method, url: `/confirm-email?token=${token}` })).status).toBe(200)
  expect((await emailOf(person)).confirmed).toBe(false)
})

test('the page of a link is in no cache, and its address in no Referer', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  for (const reader of [shop.visitor(), person])
    for (let visits = 0; visits < 3; visits++) {
      const { headers } = await reader.get(`/confirm-email?token=${token}`)
      expect(headers).toMatchObject({
        'cache-control': 'private, no-cache',
        'referrer-policy': 'strict-origin',
      })
      expect(headers.etag).toBe(undefined)
    }
})

test('a used link is reported as used, however often and by whom it is opened', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  const stranger = await shop.signUp('stranger')
  expect(outcomeOf(await confirm(stranger, token))).toEqual([200, 'confirmed'])
  for (const again of [shop.visitor(), person, stranger])
    expect(outcomeOf(await confirm(again, token))).toEqual([200, 'already'])
  // It confirms the address that it was sent to, and no other.
  expect([(await emailOf(person)).confirmed, (await emailOf(stranger)).confirmed]).toEqual([true, false])
})

test('a welcome letter that an earlier version has queued confirms too', async () => {
  const ana = await shop.signUp('ana')
  await shop.rows(
    `insert into outbox (kind, subject, recipient) values ('welcome', ${ana.user.id}, ${ana.user.id})`,
  )
  requestJobRun(LETTERS)
  expect(outcomeOf(await confirm(shop.visitor(), await tokenAt(mail, ana.user.email)))).toEqual([
    200,
    'confirmed',
  ])
})

test('another letter is sent again and again, and each of them confirms', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  expect((await person.post('/api/auth/confirmations')).status).toBe(200)
  const second = await tokenAt(mail, person.user.email, 2)
  expect((await person.post('/api/auth/confirmations')).status).toBe(200)
  const third = await tokenAt(mail, person.user.email, 3)
  expect(outcomeOf(await confirm(shop.visitor(), second))).toEqual([200, 'confirmed'])
  for (const each of [token, third])
    expect(outcomeOf(await confirm(shop.visitor(), each))).toEqual([200, 'already'])
  expectRefusal(await person.post('/api/auth/confirmations'), 409, 'Your e-mail address is confirmed already')
})

test('an expired, unknown or mangled token confirms nothing', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  const nothing = ['', 'x', '\0', `${token}\0`, 'x'.repeat(10_000), token.slice(1), `${token}=`, ' ', null, 7]
  for (const wrong of [...nothing, [token], { token }, undefined, 'A'.repeat(43)])
    expectRefusal(await confirm(shop.visitor(), wrong), 400, GONE)
  await shop.rows(`update email_links set expires_at = now() where user_id = ${person.user.id}`)
  expectRefusal(await confirm(shop.visitor(), token), 400, GONE)
  expect((await emailOf(person)).confirmed).toBe(false)
})

test('links are valid for a week, those of a change for a day', async () => {
  const { person } = await signUpByLetter(shop, mail)
  await askChange(person, unusedAddress())
  await lettersAt(mail, person.user.email, 2)
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
  const { person, token } = await signUpByLetter(shop, mail)
  const [row] = await shop.rows(`select * from email_links where user_id = ${person.user.id}`)
  expect(row.token_hashes).toEqual([createHash('sha256').update(token).digest()])
  expect(JSON.stringify(await shop.rows('select * from email_links, outbox'))).not.toContain(token)
  for (const text of [row.token_hashes[0].toString('base64url'), row.token_hashes[0].toString('hex')])
    expectRefusal(await confirm(shop.visitor(), text), 400, GONE)
})

test('a link that is used many times at once does its work once', async () => {
  const { person, token } = await signUpByLetter(shop, mail)
  const outcomes = async (token: string) =>
    (await times(6, () => confirm(shop.visitor(), token))).map(({ body }) => body.outcome).sort()
  expect(await outcomes(token)).toEqual([...Array(5).fill('already'), 'confirmed'])
  const email = unusedAddress()
  await askChange(person, email)
  expect(await outcomes(await tokenAt(mail, email))).toEqual([...Array(5).fill('already'), 'changed'])
  // The welcome, the notice and the end.
  await lettersAt(mail, person.user.email, 3)
})

test('links are swept a week after they were made or used, and never while they are valid', async () => {
  const ana = await shop.signUp('ana')
  await shop.rows(`
    insert into email_links (user_id, purpose, email, created_at, token_hashes, expires_at, used_at)
    select ${ana.user.id}, 'confirm', name || '@example.com', now() + created, hashes, now() + expires, now() + used
    from (values
      ('unwritten', interval '-6 days', '{}'::bytea[], null::interval, null::interval),
      ('forgotten', interval '-8 days', '{}', null, null),
      ('valid', interval '-8 days', '{"\\\\x01"}', interval '1 minute', null),
      ('written', interval '-6 days', '{"\\\\x02"}', interval '-5 days', null),
      ('expired', interval '-8 days', '{"\\\\x05"}', interval '-7 days', null),
      ('used', interval '-13 days', '{"\\\\x03"}', interval '-6 days', interval '-6 days'),
      ('done', interval '-15 days', '{"\\\\x04"}', interval '-8 days', interval '-8 days')
    ) as link (name, created, hashes, expires, used)`)
  await sweepLinks(shop.db)
  const left = await shop.rows(`select email from email_links where user_id = ${ana.user.id} order by email`)
  expect(left.map(({ email }) => email.split('@')[0])).toEqual(['unwritten', 'used', 'valid', 'written'])
})
