import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { readDkimKey } from './dkim-key.ts'

/** A letter that is ready to be sent. */
export interface Message {
  /** Fixed for all tries. */
  messageId: string
  /** Name of its file, where letters are stored: '2026-11-24T08-00-00-welcome-0193….eml'. */
  file: string
  /** Name of the sender, where the settings name none. */
  sender: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** URL that ends letters like this one. Undefined: they are always sent. */
  unsubscribe?: string | undefined
}

/** Sends letters, or stores them. */
export interface Transport {
  /** Connects and logs in, unless a letter was sent lately. @throws Error if the server cannot be reached or refuses */
  check(): Promise<void>
  /**
   * @returns the reply of the server, or the path of the file
   * @throws Error of nodemailer, with the command that failed and the status of the server
   */
  send(message: Message): Promise<string>
  close(): void
}

/** Open connections to the server; as many letters are sent at a time. */
export const MAX_CONNECTIONS = 3
/** Time limits of a check and of a letter, together below the lease of its row, ms. A server may send a byte a second. */
const DEADLINES = { check: 45_000, letter: 60_000 }
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  /** Silence of the server at any time, ms. */
  socketTimeout: 30_000,
}
/** A server that has accepted a letter is not checked again for this time, ms. */
const KNOWN_MS = 60_000
/** Neither a file nor an address in a letter is ever opened. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

type MailConfig = Config['mail']

/**
 * Headers by which a mail program offers to end such letters (RFC 2369), by one request without a page (RFC 8058), which must
 * be https. `prepared`: on one line, however long.
 */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
})

const mailOptionsOf = (
  { from }: MailConfig,
  { sender, to, messageId, subject, text, html, unsubscribe }: Message,
) => ({
  from: { name: from?.name || sender, address: from?.address ?? 'letters@localhost' },
  to,
  subject,
  text,
  html,
  messageId,
  // RFC 3834: no automatic reply answers it.
  headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe && unsubscribeHeaders(unsubscribe)) },
})

/**
 * Opens the transport of the settings: the server at SMTP_URL, or the folder `mail` of DATA_DIR.
 * @param deadlines time limits of the server, ms
 * @throws Error if the DKIM key cannot be read
 */
export function openTransport(
  { mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>,
  deadlines = DEADLINES,
): Promise<Transport> {
  return mail.smtpUrl
    ? smtpTransport(mail, mail.smtpUrl, deadlines)
    : Promise.resolve(folderTransport(mail, join(dataDir, 'mail')))
}

async function smtpTransport(mail: MailConfig, url: string, deadlines: typeof DEADLINES): Promise<Transport> {
  const { protocol, hostname, searchParams } = new URL(url)
  const isLocalhost = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  const transport = createTransport({
    pool: true,
    url,
    ...TIMEOUTS,
    ...CLOSED,
    maxConnections: MAX_CONNECTIONS,
    // The outbox tries again, after a pause, and remembers it.
    maxRequeues: 0,
    // Credentials and letters are encrypted, unless the server is on this machine or the address says otherwise.
    requireTLS: protocol === 'smtp:' && !isLocalhost && searchParams.get('ignoreTLS') !== 'true',
    ...(await dkimOf(mail)),
  })
  let lastAcceptedAt = Number.NEGATIVE_INFINITY
  // A lost idle connection: the next letter opens another one.
  transport.on('error', () => {})
  return {
    async check() {
      if (performance.now() - lastAcceptedAt < KNOWN_MS) return
      await inTime(deadlines.check, transport.verify())
      lastAcceptedAt = performance.now()
    },
    async send(message) {
      try {
        const signal = AbortSignal.timeout(deadlines.letter)
        const { response } = await transport.sendMail({ ...mailOptionsOf(mail, message), signal })
        lastAcceptedAt = performance.now()
        return response
      } catch (error) {
        lastAcceptedAt = Number.NEGATIVE_INFINITY
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** The result of `work`. @throws Error if it takes longer */
const inTime = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    sleep(ms, undefined, { ref: false }).then(() => {
      throw new Error('The mail server did not answer in time')
    }),
  ])

/** The headers that DKIM signs. RFC 8058 wants both of `unsubscribeHeaders`; nodemailer signs only one by default. */
const SIGNED =
  'From:To:Subject:Date:Message-ID:MIME-Version:Content-Type:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post'

async function dkimOf({ dkim, domain }: MailConfig) {
  if (!dkim) return {}
  const { privateKey } = await readDkimKey(dkim)
  return {
    dkim: { domainName: domain, keySelector: dkim.selector, privateKey, headerFieldNames: SIGNED },
  }
}

function folderTransport(mail: MailConfig, folder: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix', ...CLOSED })
  return {
    check: async () => {},
    async send(message) {
      const { message: bytes } = await composer.sendMail(mailOptionsOf(mail, message))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, message.file)
      // Renamed, so that no reader gets half of it.
      await writeFile(`${path}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
      return path
    },
    close: () => composer.close(),
  }
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

/** Deletes stored letters of a month ago. */
export async function sweepStoredLetters({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > MONTH_MS) await rm(path, { force: true })
  }
}
