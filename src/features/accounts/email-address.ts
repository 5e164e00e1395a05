import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { WRONG_PASSWORD } from './contract.ts'
import {
  type Confirmation,
  EMAIL_TAKEN,
  type EmailState,
  LINK_GONE,
  SAME_EMAIL,
  TAKEN_MEANWHILE,
} from './email-contract.ts'
import { createLink, deleteLinks, type LinkPurpose } from './email-links.ts'
import { loggedOut } from './find-user.ts'
import { hashToken } from './tokens.ts'

/** The e-mail address of a user, and the one that it changes to. */
export function emailOf(db: Database, userId: Id): Promise<EmailState> {
  return db
    .selectFrom('users')
    .select(['email', sql<boolean>`email_confirmed_at is not null`.as('confirmed')])
    .select(eb =>
      eb
        .selectFrom('email_links as link')
        .select('link.email')
        .whereRef('link.user_id', '=', 'users.id')
        .where('purpose', '=', 'change')
        .where('used_at', 'is', null)
        .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
        .orderBy('link.id', 'desc')
        .limit(1)
        .as('new_email'),
    )
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow(loggedOut)
}

/** Reads the address of a user, and locks it for this transaction. Undefined if the account was deleted meanwhile. */
export const lockAddress = (db: Database, userId: Id) =>
  db
    .selectFrom('users')
    .select(['email', 'password_hash', sql<boolean>`email_confirmed_at is not null`.as('confirmed')])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Queues a letter that confirms the address of a user. @throws Problem 409 if it is confirmed already */
export async function askConfirmation(db: Database, userId: Id): Promise<void> {
  await transaction(db, async db => {
    const user = await lockAddress(db, userId)
    if (!user) throw loggedOut()
    if (user.confirmed) throw new Problem(409, 'Your e-mail address is confirmed already')
    const subject = await createLink(db, { userId, purpose: 'confirm', email: user.email })
    await queueLetters(db, [{ kind: 'confirm', subject, recipient: userId }])
  })
}

/**
 * Queues a letter to the new address, whose link changes it, and one to the present address, which says what was asked. An
 * earlier change that waits is not valid any more.
 * @param verified the hash of the password that was typed
 * @throws Problem 400 if it is the present address, or that of another account, or if the password was changed meanwhile
 */
export async function askChange(db: Database, userId: Id, email: string, verified: string): Promise<void> {
  await transaction(db, async db => {
    const user = await lockAddress(db, userId)
    if (!user) throw loggedOut()
    if (user.password_hash !== verified) throw new Problem(400, WRONG_PASSWORD)
    if (user.email === email) throw new Problem(400, SAME_EMAIL)
    const other = await db
      .selectFrom('users')
      .select('id')
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .where('id', '!=', userId)
      .executeTakeFirst()
    if (other) throw new Problem(400, EMAIL_TAKEN)
    await deleteLinks(db, userId, 'change')
    const subject = await createLink(db, { userId, purpose: 'change', email, formerEmail: user.email })
    await queueLetters(db, [
      { kind: 'email-change', subject, recipient: userId },
      { kind: 'email-change-notice', subject, recipient: userId },
    ])
  })
}

/** Ends a change that waits, if there is one. */
export async function cancelChange(db: Database, userId: Id): Promise<void> {
  await deleteLinks(db, userId, 'change')
}

/** What the link of a token is for. @throws Problem 400 if it is unknown or has expired */
async function readLink(db: Database, token: string) {
  const link = await db
    .selectFrom('email_links')
    .select(['id', 'user_id', 'purpose', 'email', sql<boolean>`used_at is not null`.as('used')])
    .where('token_hashes', '@>', sql<Buffer[]>`array[${hashToken(token)}::bytea]`)
    .where('purpose', 'in', ['confirm', 'change'])
    .where(eb => eb.or([eb('used_at', 'is not', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: Id; purpose: LinkPurpose }>()
    .executeTakeFirst()
  if (!link) throw new Problem(400, LINK_GONE)
  return link
}

/**
 * Does what the link of a token is for: confirms the address of its user, or changes it. A link that was used before is no error
 * as long as its address is that of the account.
 * @throws Problem 400 if the link is unknown, expired, replaced or of a former address; 409 if the new address belongs to another
 * account by now, and then nothing changes
 */
export async function confirmEmail(db: Database, token: string): Promise<Confirmation & { userId: Id }> {
  try {
    return await transaction(db, async db => {
      const { user_id: userId } = await readLink(db, token)
      const user = await lockAddress(db, userId)
      // Again: of two uses at once, the second sees what the first has done.
      const { id, purpose, email, used } = await readLink(db, token)
      const isPresent = email.toLowerCase() === user?.email.toLowerCase()
      if ((used || purpose === 'confirm') && !isPresent) throw new Problem(400, LINK_GONE)
      if (used || (purpose === 'confirm' && user?.confirmed)) return { userId, email, outcome: 'already' }
      // A change may be cancelled at this moment.
      if (!(await markUsed(db, userId, purpose)).includes(id)) throw new Problem(400, LINK_GONE)
      if (purpose === 'confirm') {
        await setAddress(db, userId, {})
        return { userId, email, outcome: 'confirmed' }
      }
      await setAddress(db, userId, { email })
      // These went to the former address.
      await deleteLinks(db, userId, 'confirm')
      await deleteLinks(db, userId, 'reset')
      await queueLetters(db, [{ kind: 'email-changed', subject: id, recipient: userId }])
      return { userId, email, outcome: 'changed' }
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'users_email_taken') throw error
    throw new Problem(409, TAKEN_MEANWHILE, { cause: error })
  }
}

const setAddress = (db: Database, userId: Id, change: { email?: string }) =>
  db
    .updateTable('users')
    .set({ ...change, email_confirmed_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()

/** Marks all links of a user for this purpose as used, since earlier letters may still be opened. @returns their ids */
async function markUsed(db: Database, userId: Id, purpose: LinkPurpose): Promise<Id[]> {
  const used = await db
    .updateTable('email_links')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .returning('id')
    .execute()
  return used.map(({ id }) => id)
}
