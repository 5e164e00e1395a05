import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { readConfig } from '../../config.ts'
import { openTransport } from './transport.ts'

/** Opens the transport to an address, and sends a letter. @returns the error, if it was not sent */
async function send(SMTP_URL: string): Promise<Error | undefined> {
  const settings = { SMTP_URL, MAIL_FROM: 'post@shop.example', PUBLIC_URL: 'http://shop.example' }
  const transport = await openTransport(readConfig(settings))
  const message = {
    messageId: '<1@shop.example>',
    file: '1.eml',
    sender: 'Shop',
    to: { name: 'Ana', address: 'ana@example.com' },
    subject: 'A letter',
    text: 'Hello',
    html: '<p>Hello</p>',
  }
  try {
    await transport.check()
    await transport.send(message)
  } catch (error) {
    return error as Error
  } finally {
    transport.close()
  }
}

/** A mail server that notes passwords and letters. The certificate of smtp-server is signed by itself. */
async function openServer(options: SMTPServerOptions) {
  const received: string[] = []
  const server = new SMTPServer({
    ...options,
    logger: false,
    onAuth(_, __, response) {
      received.push('a password')
      response(null, { user: 'ana' })
    },
    onData(stream, _, response) {
      received.push('a letter')
      stream.resume()
      stream.once('end', () => response(null))
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise(closed => server.close(() => closed())))
  return { port: (server.server.address() as AddressInfo).port, received }
}

test.each([
  ['smtps', { secure: true }],
  ['smtp', { secure: false }],
])(
  '%s: a certificate that nobody has signed is refused, before the password is sent',
  async (scheme, options) => {
    const { port, received } = await openServer(options)
    expect((await send(`${scheme}://ana:secret@127.0.0.1:${port}`))?.message).toMatch(/certificate/)
    expect(received).toEqual([])
  },
)

/** Leads to this machine, and is none of its names: for a client a host like any other. */
const ELSEWHERE = '0.0.0.0'

test('off this machine, a server without TLS is refused, unless the address permits it', async () => {
  const mail = await openMailServer()
  onTestFinished(() => mail.stop())
  expect((await send(`smtp://${ELSEWHERE}:${mail.port}`))?.message).toMatch(/STARTTLS/)
  expect(mail.letters).toEqual([])
  expect(await send(`smtp://${ELSEWHERE}:${mail.port}?ignoreTLS=true`)).toBeUndefined()
  expect(await send(`smtp://127.0.0.1:${mail.port}`)).toBeUndefined()
  expect(mail.letters).toHaveLength(2)
})
