import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { verifyDkim } from '../../../test/support/dkim.ts'
import { soon } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openShop } from '../../../test/support/shop.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { publicKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test('letters are signed: DKIM verifies, and covers the sender, the recipient, the subject and the text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-dkim-'))
  const DKIM_KEY_FILE = join(folder, 'key.pem')
  await writeFile(DKIM_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const mail = await openMailServer()
  const shop = await openShop({
    signups: true,
    settings: { ...mail.settings, DKIM_SELECTOR: 'mail', DKIM_KEY_FILE },
  })
  onTestFinished(async () => {
    await shop.close()
    await mail.stop()
    await rm(folder, { recursive: true })
  })
  // A name that is encoded in the header, and a text that is encoded in the body.
  await shop.signUp('ana')
  await shop.visitor().post('/api/auth/signup', {
    email: 'new@example.com',
    username: 'newcomer',
    first_name: 'Zoë',
    last_name: 'Łukasz',
    password: 'secret-1',
  })
  await expect.poll(() => mail.letters.length, soon).toBe(2)
  for (const { raw } of mail.letters) {
    expect(verifyDkim(raw, publicKey)).toMatchObject({
      domain: 'shop.example',
      selector: 'mail',
      headers: expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id', 'content-type']),
    })
    expect(verifyDkim(raw, otherKey)).toBeUndefined()
    const forged: [RegExp, string][] = [
      [/^Subject: /m, 'Subject: Not '],
      [/^From: Thrum/m, 'From: Other'],
      [/^To: /m, 'To: Other, '],
      [/account is open/, 'account is shut'],
    ]
    for (const [text, other] of forged) {
      expect(raw).toMatch(text)
      expect(verifyDkim(raw.replace(text, other), publicKey), other).toBeUndefined()
    }
  }
})
