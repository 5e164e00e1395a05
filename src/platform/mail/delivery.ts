import { setTimeout as sleep } from 'node:timers/promises'
import type { Brand } from '#brand'
import type { Letter } from '#letter'
import { Problem } from '#problem'
import type { Config } from '../config/config.ts'
import { type Database, transaction } from '../database/database.ts'
import { isUnavailable } from '../database/database-errors.ts'
import { consume } from '../http/rate-limit.ts'
import { cleanLetter, headerText, letterText } from './letter-text.ts'
import * as outbox from './outbox.ts'
import { MAX_CONNECTIONS, type Message, type Transport } from './transport.ts'
import { isUnsubscribed, unsubscribePath } from './unsubscribe.ts'

/** Who gets a letter, and what it says. */
export interface Addressed {
  /** `confirmed`: its owner has shown that they read it. */
  to: { name: string; address: string; confirmed: boolean }
  letter: Letter
}

/** A kind of letter. */
export interface LetterKind {
  /**
   * Writes the letter, when it is sent.
   * @param shop the name of the shop
   * @returns undefined where there is nothing left to say
   */
  write(
    db: Database,
    about: { subject: number; recipient: number },
    shop: string,
  ): Promise<Addressed | undefined>
  /** The letter with invented data, to look at. */
  sample: Letter
  /**
   * What its letters are about, where people may switch them off: 'comments on your pages'. Such letters go to confirmed
   * addresses only; others are always sent.
   */
  optional?: string
  /** Whether the safety of an account needs it: counted apart, so that no flood of other letters delays it. */
  urgent?: true
}
export type LetterKinds = Readonly<Record<string, LetterKind>>

/** Renders the HTML of a letter. */
export type RenderLetter = (letter: Letter, brand: Brand) => Promise<string>

export interface DeliveryDeps {
  db: Database
  config: Config
  kinds: LetterKinds
  transport: Transport
  /** Renders the HTML of a letter. */
  render: RenderLetter
  /** The brand as it is now. */
  brand: () => Promise<Brand>
  /** Origin of all links, without a slash at the end. */
  origin: string
  log: { warn(context: object, message: string): void }
  /** Count letters for the metrics. */
  countSent: () => void
  countRefused: () => void
}

/** Least time for as many letters as are sent at once, ms: some twenty a second, so that pages stay fast. */
const PACE_MS = 150
/** A run ends after this time, ms. Remaining letters are sent by the next run. */
const RUN_MS = 10 * 60_000
/** Delay after the server was out of reach, minutes. */
const UNREACHABLE_MINUTES = 1
/** Delay of what exceeds the limit of its address, minutes. */
const LIMITED_MINUTES = 15

/** Sends all letters that are due, some at a time, until there are none or the server is out of reach. */
export async function deliver(delivery: DeliveryDeps, signal: AbortSignal): Promise<void> {
  const { db, transport, log } = delivery
  const end = performance.now() + RUN_MS
  while (!signal.aborted && performance.now() < end) {
    const began = performance.now()
    if (!(await outbox.isAnyDue(db))) return
    // Before letters are claimed: their lease is for sending alone. An unreachable server uses up no try.
    const outage = await transport.check().then(
      () => undefined,
      error => wordsOf(error),
    )
    if (outage !== undefined) {
      log.warn({ error: outage }, 'the mail server is out of reach')
      return outbox.postponeDue(db, outage, UNREACHABLE_MINUTES)
    }
    const letters = await outbox.claim(db, MAX_CONNECTIONS)
    await Promise.all(letters.map(letter => deliverOne(delivery, letter)))
    await sleep(Math.max(0, PACE_MS - (performance.now() - began)))
  }
}

/** One line of an error, for people. */
const wordsOf = (error: unknown) => headerText(String((error as Error).message))

async function deliverOne(delivery: DeliveryDeps, letter: outbox.ClaimedLetter): Promise<void> {
  const { db, kinds, transport, log, countSent, countRefused } = delivery
  const { id, kind, subject } = letter
  // During an upgrade, another process may know this kind.
  const writer = kinds[kind]
  if (!writer) return outbox.postpone(db, letter, `This version has no letter ${kind}`, UNREACHABLE_MINUTES)
  // Now, not when it was written: a late choice counts.
  if (writer.optional && (await isUnsubscribed(db, letter))) return outbox.markUnwanted(db, letter)
  try {
    const brand = await delivery.brand()
    const written = await writeCounted(delivery, writer, letter, brand.name)
    if (!written) return await outbox.discard(db, letter)
    if (written === 'unwanted') return await outbox.markUnwanted(db, letter)
    if (written === 'limited')
      return await outbox.postpone(db, letter, 'Too many letters to this address', LIMITED_MINUTES)
    const stop = writer.optional
      ? unsubscribeLink(writer.optional, await unsubscribePath(db, letter))
      : undefined
    const message = await compose({ ...delivery, brand }, letter, written, stop)
    if (!(await outbox.renew(db, letter))) return
    await transport.send(message)
  } catch (error) {
    const words = wordsOf(error)
    if (isUnavailable(error) || (await isUnreachable(transport, error)))
      return outbox.postpone(db, letter, words, UNREACHABLE_MINUTES)
    countRefused()
    log.warn({ letter: id, kind, subject, error: words }, 'a letter was not sent')
    return outbox.markRefused(db, letter, words, isUnknownRecipient(error))
  }
  countSent()
  await outbox.markSent(db, letter)
}

/**
 * Writes a letter, and counts it for its address: an account that was deleted and opened again gets no more. One transaction,
 * so that a letter that exceeds the limit leaves nothing behind, such as the token of a link.
 */
async function writeCounted(
  { db, config }: Pick<DeliveryDeps, 'db' | 'config'>,
  writer: LetterKind,
  letter: outbox.ClaimedLetter,
  shop: string,
): Promise<Addressed | 'limited' | 'unwanted' | undefined> {
  try {
    return await transaction(db, async db => {
      const written = await writer.write(db, letter, shop)
      if (!written) return undefined
      const { address, confirmed } = written.to
      // Such letters quote other people, and the owner of the address may not have signed up.
      if (writer.optional && !confirmed) return 'unwanted'
      const key = writer.urgent ? `urgent ${address}` : address
      await consume({ db, config }, confirmed ? 'letters' : 'unconfirmed_letters', key)
      return written
    })
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return 'limited'
    throw error
  }
}

/** The link of a letter that ends letters like it. @param about as in `LetterKind.optional` */
export const unsubscribeLink = (about: string, path: string): Letter['stop'] => ({
  link: `Do not send me letters about ${about}`,
  path,
})

/** A letter as it is sent. @param stop of letters that can be switched off */
export async function compose(
  {
    config,
    render,
    origin,
    brand,
  }: Pick<DeliveryDeps, 'render' | 'origin'> & { config: Pick<Config, 'mail'>; brand: Brand },
  { id, kind, created_at }: Pick<outbox.ClaimedLetter, 'id' | 'kind' | 'created_at'>,
  { to, letter: written }: { to: Message['to']; letter: Letter },
  stop?: Letter['stop'],
): Promise<Message> {
  const letter = { ...cleanLetter(written), stop }
  return {
    messageId: `<${id}@${config.mail.domain}>`,
    file: `${created_at.toISOString().slice(0, 19).replaceAll(':', '-')}-${kind}-${id}.eml`,
    sender: brand.name,
    to: { name: headerText(to.name), address: to.address },
    subject: letter.subject,
    text: letterText(letter, origin, brand.name),
    html: await render(letter, brand),
    unsubscribe: stop && origin + stop.path,
  }
}

/** Whether sending failed because the server has become unreachable since the last check. */
async function isUnreachable(transport: Transport, error: unknown): Promise<boolean> {
  const hasReplied = (error as { responseCode?: number }).responseCode !== undefined
  return (
    !hasReplied &&
    transport.check().then(
      () => false,
      () => true,
    )
  )
}

/** Whether the server refuses this recipient for good. */
function isUnknownRecipient(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode >= 500
}
