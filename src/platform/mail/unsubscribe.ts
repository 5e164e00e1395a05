import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** A kind of letter to a user. */
export interface LettersTo {
  kind: string
  /** Id of the user. */
  recipient: number
}

/** Whether the recipient has switched off letters of this kind. */
export async function isUnsubscribed(db: Database, { kind, recipient }: LettersTo): Promise<boolean> {
  const row = await db
    .selectFrom('letters_off')
    .select('kind')
    .where('user_id', '=', recipient)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row !== undefined
}

/** Prefix of the paths of unsubscribe links. */
export const OFF_PATH = '/letters/off'

/**
 * Path of an unsubscribe link, which switches off letters of one kind without a login. It has recipient, kind and a
 * signature, and never expires: nothing else can be done with it.
 */
export async function unsubscribePath(db: Database, letters: LettersTo): Promise<string> {
  return `${OFF_PATH}/${letters.recipient}.${letters.kind}.${await signatureOf(db, letters)}`
}

const TOKEN = /^([1-9]\d{0,15})\.([a-z-]{1,50})\.([\w-]{43})$/

/**
 * Recipient and kind of an unsubscribe link. @param token the end of its path @returns undefined for a wrong
 * signature
 */
export async function readUnsubscribeToken(db: Database, token: string): Promise<LettersTo | undefined> {
  const [, recipient, kind = '', signature = ''] = TOKEN.exec(token) ?? []
  const letters = { kind, recipient: Number(recipient) }
  if (!recipient) return undefined
  const expected = Buffer.from(await signatureOf(db, letters))
  // In constant time, so that timing does not reveal the signature.
  return timingSafeEqual(expected, Buffer.from(signature)) ? letters : undefined
}

/** HMAC-SHA256 in base64url: 43 characters. */
async function signatureOf(db: Database, { kind, recipient }: LettersTo): Promise<string> {
  const { link_key } = await db.selectFrom('installation').select('link_key').executeTakeFirstOrThrow()
  return createHmac('sha256', link_key).update(`letters off ${recipient} ${kind}`).digest('base64url')
}
