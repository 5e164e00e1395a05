import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { expect, onTestFinished, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { requestJobRun } from '../jobs/job-events.ts'
import { LETTERS } from './outbox.ts'

/** A shop that sends its letters to a server on this machine. */
async function openWithMail() {
  const mail = await openMailServer()
  const shop = await openShop({ settings: mail.settings })
  onTestFinished(async () => {
    await shop.close()
    await mail.stop().catch(() => {})
  })
  /** Writes a letter. */
  const write = () => shop.visitor().post('/api/auth/signup', newcomer)
  return { mail, shop, write, row: () => shop.rows('select * from outbox') }
}
/** Another letter, for which the shop looks at once. */
const wake = (shop: TestShop) =>
  shop.visitor().post('/api/auth/signup', { ...newcomer, email: 'b@example.com', username: 'another' })
const newcomer = {
  email: 'new@example.com',
  username: 'newcomer',
  first_name: 'Nora',
  last_name: 'Comer',
  password: 'secret-1',
}

test('a new account is welcomed', async () => {
  const { mail, write } = await openWithMail()
  expect((await write()).status).toBe(201)
  await expect.poll(() => mail.letters.length, soon).toBe(1)
  expect(mail.letters[0]).toMatchObject({ subject: 'Welcome to Thrum', recipients: ['new@example.com'] })
})

test.each([
  [
    'refuses for the moment',
    { refuse: { at: 'DATA', status: 451, words: 'Come back later' } },
    'Come back later',
  ],
  [
    'refuses the letter',
    { refuse: { at: 'DATA', status: 554, words: 'Looks like spam' } },
    'Looks like spam',
  ],
  ['drops in the middle', { drop: 'before' }, 'closed'],
  ['accepts and dies', { drop: 'after' }, 'closed'],
] as const)(
  'a server that %s: the letter is tried again in a minute, and the row says why',
  async (_, fault, words) => {
    const { mail, shop, write, row } = await openWithMail()
    Object.assign(mail, fault)
    await write()
    await expect.poll(async () => (await row())[0]?.last_error, soon).toContain(words)
    expect(await row()).toMatchObject([{ tries: 1, sent_at: null, failed_at: null }])
    const [{ wait }] = await shop.rows('select extract(epoch from due_at - now())::int as wait from outbox')
    expect(wait).toBeGreaterThan(40)
    expect(wait).toBeLessThanOrEqual(60)
  },
)

test('a recipient whom the server does not know fails at once', async () => {
  const { mail, write, row } = await openWithMail()
  mail.refuse = { at: 'RCPT', status: 550, words: 'No such mailbox' }
  await write()
  await expect.poll(async () => (await row())[0]?.failed_at, soon).toBeTruthy()
  expect(await row()).toMatchObject([
    { tries: 1, due_at: null, last_error: expect.stringContaining('No such mailbox') },
  ])
})

test('after six refusals a letter has failed', async () => {
  const { mail, shop, write, row } = await openWithMail()
  mail.refuse = { at: 'DATA', status: 451, words: 'Come back later' }
  await write()
  await expect.poll(async () => (await row())[0]?.last_error, soon).toBeTruthy()
  await shop.rows(`update outbox set tries = 5, due_at = now()`)
  await wake(shop)
  const failed = async () => (await row()).filter(({ failed_at }) => failed_at)
  await expect.poll(failed, soon).toMatchObject([{ tries: 6, due_at: null }])
})

test('a server that is out of reach uses up no try; afterwards the letter arrives', async () => {
  const { mail, shop, write, row } = await openWithMail()
  await mail.stop()
  expect((await write()).status).toBe(201)
  await expect.poll(async () => (await row())[0]?.last_error, soon).toContain('ECONNREFUSED')
  expect(await row()).toMatchObject([{ tries: 0, failed_at: null, sent_at: null }])
  await mail.start()
  const askAgain = async () => {
    await shop.rows('update outbox set due_at = now() where sent_at is null and tries = 0')
    requestJobRun(LETTERS)
    return mail.letters.length
  }
  await expect.poll(askAgain, { timeout: 30_000, interval: 1_000 }).toBe(1)
})

test('a letter that the database has no time for uses up no try', async () => {
  const { mail, shop, write, row } = await openWithMail()
  await mail.stop()
  await write()
  await expect.poll(async () => (await row())[0]?.last_error, soon).toContain('ECONNREFUSED')
  await mail.start()
  await shop.db.transaction().execute(async db => {
    await sql`lock table users in access exclusive mode`.execute(db)
    await shop.rows('update outbox set due_at = now()')
    requestJobRun(LETTERS)
    await expect.poll(async () => (await row())[0]?.last_error, { timeout: 20_000 }).toContain('lock timeout')
  })
  expect(await row()).toMatchObject([{ tries: 0, failed_at: null, sent_at: null }])
})

test('a server that hangs delays no request', async () => {
  const hanging = createServer(() => {})
  await new Promise<void>(listening => hanging.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void hanging.close())
  const { port } = hanging.address() as { port: number }
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'post@shop.example',
    PUBLIC_URL: 'http://shop.example',
  }
  const shop = await openShop({ settings })
  onTestFinished(() => shop.close())
  const began = performance.now()
  expect((await shop.visitor().post('/api/auth/signup', newcomer)).status).toBe(201)
  expect(performance.now() - began).toBeLessThan(5_000)
  const error = async () => (await shop.rows('select last_error from outbox'))[0]?.last_error
  await expect.poll(error, { timeout: 30_000 }).toMatch(/greeting|timeout/i)
})

test('without a mail server letters are files', async () => {
  const shop = await openShop()
  onTestFinished(() => shop.close())
  await shop.visitor().post('/api/auth/signup', newcomer)
  const folder = join(shop.dataDir, 'mail')
  const names = () => readdir(folder).catch(() => [])
  await expect.poll(async () => (await names()).filter(name => name.endsWith('.eml')).length, soon).toBe(1)
  const [name = ''] = await names()
  expect(name).toMatch(/-welcome-[0-9a-f-]{36}\.eml$/)
  const letter = await simpleParser(await readFile(join(folder, name)))
  expect(letter.text).toContain(shop.address.replace('127.0.0.1', 'localhost'))
})

test('sent and refused letters are counted', async () => {
  const mail = await openMailServer()
  const shop = await openShop({ settings: { ...mail.settings, METRICS_TOKEN: 'a'.repeat(16) } })
  onTestFinished(async () => {
    await shop.close()
    await mail.stop()
  })
  const counts = async () => {
    const { body } = await shop.visitor().get('/metrics', { authorization: `Bearer ${'a'.repeat(16)}` })
    return [/^shop_letters_sent_total (\d+)$/m, /^shop_letters_refused_total (\d+)$/m].map(line =>
      Number(line.exec(body)?.[1]),
    )
  }
  mail.refuse = { at: 'RCPT', status: 550, words: 'No such mailbox' }
  await shop.visitor().post('/api/auth/signup', newcomer)
  await expect.poll(counts, soon).toEqual([0, 1])
  mail.refuse = undefined
  await wake(shop)
  await expect.poll(counts, soon).toEqual([1, 1])
})
