import { randomUUID } from 'node:crypto'
import type { Brand } from '#brand'
import type { Letter } from '#letter'
import type { Config } from '../../src/platform/config/config.ts'
import { compose, type RenderLetter } from '../../src/platform/mail/delivery.ts'
import { checkSender, type DnsFinding } from '../../src/platform/mail/dns-check.ts'
import { openTransport } from '../../src/platform/mail/transport.ts'

interface TestLetter {
  config: Pick<Config, 'mail' | 'dataDir'>
  /** Address of the recipient. */
  to: string
  /** Renders the HTML of a letter. */
  render: RenderLetter
  brand: Brand
  /** Origin of all links, without a slash at the end. */
  origin: string
  /** Receives each line of the result. */
  log: (line: string) => void
}

const letterOf = (name: string): Letter => ({
  subject: `A letter to try the mail of ${name}`,
  name: 'there',
  parts: [
    { text: 'If you read this, letters arrive. Look whether it is in the spam folder.' },
    { link: `Open ${name}`, path: '/' },
  ],
  why: 'somebody who runs it tries its mail server',
})

const mark = ({ isFine }: DnsFinding) => (isFine === undefined ? '?' : isFine ? '✓' : '✗')

/**
 * Sends one letter at once, without the outbox, and says what the server answered and what the DNS of the sender lacks.
 * @returns whether the letter was sent
 * @throws Error if the DKIM key cannot be read
 */
export async function sendTestLetter(test: TestLetter): Promise<boolean> {
  const { config, to, render, origin, brand, log } = test
  const { smtpUrl } = config.mail
  const transport = await openTransport(config)
  const about = { id: randomUUID(), kind: 'test', created_at: new Date() }
  const message = await compose({ config, render, origin, brand }, about, {
    to: { name: '', address: to },
    letter: letterOf(brand.name),
  })
  const response = await transport.send(message).catch((error: Error) => error)
  transport.close()
  const isSent = typeof response === 'string'
  if (!isSent) log(`✗ The letter to ${to} was not sent: ${response.message}`)
  else if (smtpUrl === undefined)
    log(`There is no SMTP_URL: nothing was sent. The letter is the file ${response}`)
  else log(`✓ ${new URL(smtpUrl).host} has accepted the letter to ${to}: ${response}`)
  // DNS records matter only to a letter that was sent.
  if (smtpUrl !== undefined)
    for (const finding of await checkSender(config.mail))
      log(`${mark(finding)} ${finding.record}: ${finding.words}`)
  return isSent
}
