import { expect, onTestFinished, test } from 'vitest'
import { defaultBrand } from '#brand'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { readConfig } from '../../config.ts'
import { compose } from './delivery.ts'
import { openTransport } from './transport.ts'

/** Names and addresses that try to add a header or a recipient. */
const NASTY_NAMES = [
  'Nora\r\nBcc: evil@example.org',
  'Nora\u0000\u202eevil',
  '"Nora" <evil@example.org>,',
  'evil@example.org',
  '=?utf-8?q?x?=',
  'n'.repeat(10_000),
]
const NASTY_ADDRESSES = [
  'a@example.com, evil@example.org',
  'a@example.com\r\nRCPT TO:<evil@example.org>',
  'a@example.com>\r\nBcc: evil@example.org',
  'Nora <evil@example.org>',
  'a@example.com> <evil@example.org',
  '"evil@example.org"@example.com',
  'ä@example.com',
]

test('names and addresses add no header and no recipient', async () => {
  const mail = await openMailServer()
  const transport = await openTransport(readConfig(mail.settings))
  onTestFinished(async () => {
    transport.close()
    await mail.stop()
  })
  const people = [
    ...NASTY_NAMES.map(name => ({ name, address: 'a@example.com' })),
    ...NASTY_ADDRESSES.map(address => ({ name: 'Nora', address })),
  ]
  let arrived = 0
  for (const [n, to] of people.entries()) {
    const letter = { subject: `Sold: ${to.name}`, name: to.name, parts: [{ text: to.name }], why: to.name }
    const about = { id: `letter-${n}`, kind: 'sold', created_at: new Date(0) }
    const render = async ({ subject }: { subject: string }) => `<p>${subject}</p>`
    const message = await compose(
      { config: readConfig(mail.settings), render, origin: 'http://shop.example', brand: defaultBrand },
      about,
      { to, letter },
    )
    const isSent = await transport.send(message).then(
      () => true,
      () => false,
    )
    if (!isSent) continue
    arrived++
    const { recipients, to: addressed, headers, raw } = mail.letters.at(-1)!
    expect(recipients, to.address).toHaveLength(1)
    expect(recipients[0], to.address).not.toBe('evil@example.org')
    expect([addressed].flat()[0]?.value, to.address).toHaveLength(1)
    expect([...headers.keys()].sort(), to.name).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
    expect(Math.max(...head.split('\r\n').map(line => line.length)), to.name).toBeLessThan(998)
  }
  expect(mail.letters).toHaveLength(arrived)
  expect(arrived).toBeGreaterThanOrEqual(NASTY_NAMES.length)
})
