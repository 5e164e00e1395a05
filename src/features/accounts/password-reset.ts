import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { insertLettersSql } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { DEMO, type PasswordWasReset, UNUSABLE_LINK } from './contract.ts'
import { deleteDeviceCookies } from './device-cookies.ts'
import { lockAddress } from './email-address.ts'
import { createLink, deleteLinks, type EmailLink, findLink, issueToken, useLink } from './email-links.ts'
import { countPasskeys } from './login-methods.ts'
import { hashPassword } from './passwords.ts'
import { recordEvent } from './security-events.ts'
import { endSessions } from './session-store.ts'

/** Lifetime of a link for a new password, from when its letter is written, minutes. */
export const RESET_MINUTES = 60

/**
 * Writes a link for a new password, and its letter. For an address without an account, and for the demo account, it writes a
 * link and a letter without a user and address, so that the time does not tell them apart. The letter is discarded later.
 */
export async function requestReset(db: Database, email: string): Promise<void> {
  const letters = sql`(
    select 'reset' as kind, id as subject, coalesce(user_id, 0) as recipient, false as notify from link
  )`
  await sql`
    with account as (
      select id, email from users
      where lower(email) = lower(${email}) and email <> ${DEMO.email} and erased_at is null
    ), link as (
      insert into email_links (user_id, purpose, email)
      select account.id, 'reset', coalesce(account.email, '') from (values (1)) as one left join account on true
      returning id, user_id
    ) ${insertLettersSql(letters)}`.execute(db)
}

/**
 * Makes a link for a new password, which an operator gives to the user by hand where letters do not help. Call it in
 * a transaction.
 * @returns its token as base64url, valid for an hour
 * @throws Problem 404 for an unknown user, 409 for the demo account
 */
export async function makeResetLink(db: Database, userId: Id): Promise<string> {
  const person = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw new Problem(404, 'There is no such person')
  if (person.email === DEMO.email) throw new Problem(409, 'The demo account is everybody’s')
  const link = await createLink(db, { userId, purpose: 'reset', email: person.email, byHand: true })
  const issued = await issueToken(db, link, RESET_MINUTES)
  if (!issued) throw new Error('issueToken found no new link')
  return issued.token
}

/** The link of this token. @throws Problem 410 if it is unknown, used or expired, or the account has another address now */
export async function requireLink(db: Database, token: string): Promise<EmailLink> {
  const link = await findLink(db, 'reset', token)
  if (!link || !(await hasAddress(db, link))) throw unusable()
  return link
}

const unusable = () => new Problem(410, UNUSABLE_LINK)

async function hasAddress(db: Database, { user_id, email }: EmailLink): Promise<boolean> {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('email', '=', email)
    .executeTakeFirst()
  return account !== undefined
}

/**
 * Sets the password of the account of this link, and ends all its sessions. A link from a letter also confirms the
 * address; one that an operator gave does not. If the address was not confirmed yet, somebody else may have opened
 * the account: its passkeys are removed.
 * @param device from which it is set, in words
 * @returns the account, and what happened to its passkeys
 * @throws Problem 410 as `requireLink`, and for one of two concurrent uses
 */
export async function resetPassword(
  db: Database,
  token: string,
  newPassword: string,
  device: string,
): Promise<{ id: Id; email: string; passkeys: PasswordWasReset['passkeys'] }> {
  const password_hash = await hashPassword(newPassword)
  return transaction(db, async db => {
    const link = await requireLink(db, token)
    const { user_id: id, email, by_hand } = link
    // Locks the account before the link, as a change of the password does.
    const owner = await lockAddress(db, id)
    const used = await useLink(db, 'reset', token)
    if (owner?.email !== email || !used) throw unusable()
    await db
      .updateTable('users')
      .set({
        password_hash,
        ...(by_hand ? {} : { email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())` }),
      })
      .where('id', '=', id)
      .execute()
    const had = await countPasskeys(db, id)
    if (!owner.confirmed) await db.deleteFrom('passkeys').where('user_id', '=', id).execute()
    // An attacker with the old password may have requested a change of the address.
    await deleteLinks(db, id, 'change')
    await endSessions(db, id)
    await deleteDeviceCookies(db, id)
    await recordEvent(db, 'password-changed', { userId: id, device })
    return { id, email, passkeys: had === 0 ? 'none' : owner.confirmed ? 'stay' : 'removed' }
  })
}
