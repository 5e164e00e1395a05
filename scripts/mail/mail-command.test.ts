import { execFile } from 'node:child_process'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { letterKinds } from '../../src/letters.ts'
import { requestJobRun } from '../../src/platform/jobs/job-events.ts'
import { LETTERS } from '../../src/platform/mail/outbox.ts'
import { databaseUrlOf } from '../../test/support/database-url.ts'
import { soon } from '../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../test/support/mail-server.ts'
import { openShop, type TestShop } from '../../test/support/shop.ts'

const root = join(import.meta.dirname, '../..')

let mail: MailServer
let shop: TestShop
let folder: string
beforeAll(async () => {
  mail = await openMailServer()
  shop = await openShop({ settings: mail.settings })
  folder = await mkdtemp(join(tmpdir(), 'shop-mail-'))
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
  await rm(folder, { recursive: true })
})

/** Runs `npm run mail`. */
async function run(args: string[], settings: Record<string, string> = {}) {
  const { SMTP_URL, ...own } = process.env
  const env = { ...own, DATA_DIR: folder, DATABASE_URL: databaseUrlOf(shop), ...settings }
  const done = promisify(execFile)('npm', ['run', '--silent', 'mail', '--', ...args], { cwd: root, env })
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test('list shows pending and failed letters with the reason; retry makes them due, and they arrive', async () => {
  expect((await run(['list'])).stdout).toBe('Letters that wait: 0, that have failed: 0\n')
  mail.refuse = { at: 'RCPT', status: 550, words: 'No such mailbox' }
  const newcomer = { username: 'newcomer', first_name: 'Nora', last_name: 'Comer', password: 'secret-1' }
  const { body } = await shop.visitor().post('/api/auth/signup', { ...newcomer, email: 'new@example.com' })
  const failed = async () => (await shop.rows('select failed_at from outbox'))[0]?.failed_at
  await expect.poll(failed, soon).toBeTruthy()
  const { code, stdout } = await run(['list'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(`^\\S+Z welcome ${body.id} to user ${body.id}: FAILED, 1 tries\\. .*No such mailbox`),
  )
  expect(stdout).toContain('Letters that wait: 0, that have failed: 1\n')
  // Neither the address nor a name.
  expect(stdout.replaceAll(/No such mailbox.*/g, '')).not.toMatch(/Nora|Comer/)

  mail.refuse = undefined
  expect(await run(['retry'])).toEqual({ code: 0, stdout: 'Letters that are due again: 1\n', stderr: '' })
  // It waits, or is sent already.
  expect((await run(['list'])).stdout).toContain('that have failed: 0\n')
  requestJobRun(LETTERS)
  await expect.poll(() => mail.letters.length, soon).toBe(1)
  expect(mail.letters[0]?.recipients).toEqual(['new@example.com'])
  const sent = async () => (await run(['list'])).stdout
  await expect.poll(sent, soon).toBe('Letters that wait: 0, that have failed: 0\n')
})

test('list shows a hundred, those with an error and the newest, with the number of all', async () => {
  const { id } = (await shop.rows('select min(id) as id from users'))[0] as { id: number }
  await shop.rows(`insert into outbox (kind, subject, recipient, created_at, due_at)
    select 'waiting', n, ${id}, now() - n * interval '1 day', now() + interval '1 day' from generate_series(1, 101) as n`)
  await shop.rows(
    "update outbox set due_at = null, failed_at = now(), last_error = 'No' where kind = 'waiting' and subject = 101",
  )
  const lines = (await run(['list'])).stdout.trim().split('\n')
  expect(lines[0]).toBe('100 of 101, those with an error before others:')
  expect([lines[1], lines[2], lines[100]]).toEqual([
    expect.stringMatching(/Z waiting 101 to user \d+: FAILED/),
    expect.stringContaining('Z waiting 99 to user'),
    expect.stringContaining('Z waiting 1 to user'),
  ])
  // Those that wait on purpose are not counted.
  expect(lines.at(-1)).toBe('Letters that wait: 0, that have failed: 1')
  await shop.rows("delete from outbox where kind = 'waiting'")
})

test('test without a mail server writes a file, and opens no database', async () => {
  const { code, stdout } = await run(['test', 'someone@example.com'], { DATABASE_URL: '' })
  expect(code).toBe(0)
  const [, path = ''] =
    /There is no SMTP_URL: nothing was sent\. The letter is the file (.*)\n/.exec(stdout) ?? []
  expect(await readFile(path, 'utf8')).toContain('To: someone@example.com')
  await expect(access(join(folder, 'postgres'))).rejects.toThrow('ENOENT')
})

test.each([[['test']], [['test', 'nobody']], [['test', 'a@example.com, b@example.com']]])(
  '%j: to whom?',
  async args => {
    const { code, stderr } = await run(args)
    expect(code).toBe(1)
    expect(stderr).toBe('To whom? npm run mail -- test someone@example.com\n')
  },
)

test.each([[[]], [['constructor']], [['list', 'all']], [['list', 'too', 'much']]])(
  '%j: what it can do',
  async args => {
    const { code, stderr } = await run(args)
    expect(code).toBe(1)
    expect(stderr).toBe('npm run mail -- list, retry, test ADDRESS or preview [FOLDER]\n')
  },
)

test('preview into a file says so', async () => {
  const { code, stderr } = await run(['preview', import.meta.filename])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^E[A-Z]+: .*\n$/)
})

test('preview writes every kind of letter as page and text, and an index that shows all', async () => {
  const previews = join(folder, 'previews')
  const { code, stdout } = await run(['preview', previews])
  expect(code).toBe(0)
  const kinds = Object.keys(letterKinds)
  expect(stdout).toContain(`${kinds.length} letters are in ${previews}/index.html\n`)
  const files = kinds.flatMap(kind => [`${kind}.html`, `${kind}.txt`])
  expect((await readdir(previews)).sort()).toEqual([...files, 'index.html'].sort())
  const index = await readFile(join(previews, 'index.html'), 'utf8')
  for (const kind of kinds) expect(index).toContain(`<h2 id="${kind}">`)
  // Light and dark, whatever the browser has.
  for (const scheme of ['@media not all{', '@media all{'])
    expect(index.split(scheme), scheme).toHaveLength(2 * kinds.length + 1)
  expect(index).not.toContain('prefers-color-scheme')
  expect(await readFile(join(previews, 'welcome.txt'), 'utf8')).toMatch(/^Hello Ana,\n/)
})
