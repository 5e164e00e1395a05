import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A letter that arrived, and to whom the envelope was addressed. */
interface Arrived extends ParsedMail {
  recipients: string[]
  /** As it was sent. */
  raw: string
}

/** An SMTP server on this machine. */
export interface MailServer {
  /** Settings of a shop that sends its letters here. */
  readonly settings: { SMTP_URL: string; MAIL_FROM: string; PUBLIC_URL: string }
  readonly port: number
  /** What has arrived. */
  readonly letters: Arrived[]
  /** Answers with this error instead of accepting: after RCPT TO, or after the data. Undefined: accepts. */
  refuse: { at: 'RCPT' | 'DATA'; status: number; words: string } | undefined
  /** Destroys the connection instead of answering the data: before or after it has accepted the letter. */
  drop: 'before' | 'after' | undefined
  /** Once, this happens before the server answers the data: before or after it has accepted the letter. */
  interrupt: { at: 'before' | 'after'; work: () => Promise<void> } | undefined
  /** Stops: connections are refused. */
  stop(): Promise<void>
  /** Starts again on the same port. */
  start(): Promise<void>
}

/** Starts an SMTP server without encryption and passwords. Stop it when done. */
export async function openMailServer(): Promise<MailServer> {
  let port = 0
  let server: SMTPServer
  const error = ({ status, words }: NonNullable<MailServer['refuse']>) =>
    Object.assign(new Error(words), { responseCode: status })
  const start = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      // A client that keeps its connection is not waited for.
      closeTimeout: 1_000,
      onRcptTo(_, __, reply) {
        reply(mail.refuse?.at === 'RCPT' ? error(mail.refuse) : null)
      },
      async onData(stream, session, reply) {
        const raw = await buffer(stream).catch(() => undefined)
        if (!raw) return
        if (mail.refuse?.at === 'DATA') return reply(error(mail.refuse))
        const { interrupt } = mail
        mail.interrupt = undefined
        if (mail.drop !== 'before' && interrupt?.at !== 'before') {
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          mail.letters.push({ ...(await simpleParser(raw)), recipients, raw: raw.toString() })
        }
        await interrupt?.work()
        if (!mail.drop && interrupt?.at !== 'before') return reply(null)
        for (const connection of server.connections) connection.close()
      },
    })
    // A client that goes away.
    server.on('error', () => {})
    await new Promise<void>(listening => server.listen(port, '127.0.0.1', listening))
    port = (server.server.address() as AddressInfo).port
    Object.assign(mail, { port })
  }
  const mail: MailServer = {
    get settings() {
      return {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        MAIL_FROM: 'Thrum <post@shop.example>',
        PUBLIC_URL: 'http://shop.example',
      }
    },
    port,
    letters: [],
    refuse: undefined,
    drop: undefined,
    interrupt: undefined,
    stop: () => new Promise(closed => server.close(() => closed())),
    start,
  }
  await start()
  return mail
}
