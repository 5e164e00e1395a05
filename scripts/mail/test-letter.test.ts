import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultBrand } from '#brand'
import { readConfig } from '../../src/config.ts'
import { serveDns } from '../../test/support/dns-server.ts'
import { openMailServer } from '../../test/support/mail-server.ts'
import { sendTestLetter } from './test-letter.ts'

/** Sends a letter with these settings. @returns whether it was sent, and the lines of the result */
async function tryWith(settings: Record<string, string>) {
  await serveDns()
  const lines: string[] = []
  const sent = await sendTestLetter({
    config: readConfig(settings),
    to: 'someone@example.com',
    render: async ({ subject }) => `<p>${subject}</p>`,
    origin: 'http://shop.example',
    brand: defaultBrand,
    log: line => lines.push(line),
  })
  return { sent, lines }
}

async function openServer() {
  const mail = await openMailServer()
  onTestFinished(() => mail.stop())
  return mail
}

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'shop-letter-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('one letter is sent at once, with the answer of the server and what the DNS lacks', async () => {
  const mail = await openServer()
  const { sent, lines } = await tryWith(mail.settings)
  expect(sent).toBe(true)
  expect(mail.letters).toMatchObject([{ recipients: ['someone@example.com'], subject: /Thrum/ }])
  expect(lines).toEqual([
    expect.stringMatching(
      /^✓ 127\.0\.0\.1:\d+ has accepted the letter to someone@example\.com: 250 .*(OK|queued)/i,
    ),
    expect.stringMatching(/^✗ SPF: shop\.example has none/),
    expect.stringMatching(/^✗ DKIM: letters are not signed/),
    expect.stringMatching(/^✗ DMARC: _dmarc\.shop\.example has no TXT record/),
  ])
})

test('a refusal prints the server’s reply, and the DNS records all the same', async () => {
  const mail = await openServer()
  mail.refuse = { at: 'RCPT', status: 550, words: 'No such mailbox' }
  const { sent, lines } = await tryWith(mail.settings)
  expect(sent).toBe(false)
  expect(mail.letters).toEqual([])
  expect(lines[0]).toMatch(/^✗ The letter to someone@example\.com was not sent: .*No such mailbox/)
  expect(lines).toHaveLength(4)
})

test('the password of the mail server is not shown, whether it answers or not', async () => {
  const mail = await openMailServer()
  const settings = { ...mail.settings, SMTP_URL: mail.settings.SMTP_URL.replace('//', '//ana:canary-4711@') }
  const answered = await tryWith(settings)
  expect(answered.sent).toBe(true)
  await mail.stop()
  const silent = await tryWith(settings)
  expect(silent.sent).toBe(false)
  expect(silent.lines[0]).toContain('ECONNREFUSED')
  expect([...answered.lines, ...silent.lines].join('\n')).not.toContain('canary')
})

test('without a mail server the letter is a file, and no DNS query is sent', async () => {
  const DATA_DIR = await openFolder()
  const { sent, lines } = await tryWith({ DATA_DIR })
  expect(sent).toBe(true)
  const [, path = ''] =
    /^There is no SMTP_URL: nothing was sent\. The letter is the file (.*)$/.exec(lines[0] ?? '') ?? []
  expect(lines).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toContain('To: someone@example.com')
})

test.each([
  ['is missing', undefined, 'DKIM_KEY_FILE cannot be read'],
  ['is no key', 'hello', 'DKIM_KEY_FILE must have an RSA private key'],
  [
    'is of another kind',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'DKIM_KEY_FILE must have an RSA private key',
  ],
])('a key that %s is refused, because letters would go out unsigned', async (_, pem, words) => {
  const mail = await openServer()
  const DKIM_KEY_FILE = join(await openFolder(), 'key.pem')
  if (pem !== undefined) await writeFile(DKIM_KEY_FILE, pem)
  await expect(tryWith({ ...mail.settings, DKIM_SELECTOR: 'mail', DKIM_KEY_FILE })).rejects.toThrow(words)
  expect(mail.letters).toEqual([])
})
