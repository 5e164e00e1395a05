import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { type FieldErrors, Problem } from '#problem'
import { refuseBrandedUsername } from './brand-in-name.ts'
import {
  type Login,
  type PageToAgree,
  type Signup,
  type User,
  WRONG_LOGIN,
  WRONG_PASSWORD,
} from './contract.ts'
import { deleteDeviceCookies } from './device-cookies.ts'
import { EMAIL_TAKEN } from './email-contract.ts'
import { deleteLinks } from './email-links.ts'
import { hasUsername, loggedOut } from './find-user.ts'
import { isHeld } from './former-usernames.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { recordEvent } from './security-events.ts'
import { endSessions, userColumns } from './session-store.ts'

/** A user, and the password hash that was verified. */
export interface Authenticated {
  user: User
  password_hash: string
}

/** What new members agree to. The pages are a later feature. */
export interface Agreements {
  /** The pages, with their published versions. */
  asked(db: Database): Promise<PageToAgree[]>
  /** Stores the agreement, in the transaction of the account. @throws Problem 400 if a version is missing */
  agree(db: Database, userId: Id, versions: Id[]): Promise<void>
}

/**
 * Creates an account.
 * @param agreements none: it is made by the shop itself
 * @throws Problem 400 with the clashing fields: e-mail and username are unique, ignoring case, and no username looks
 * like another, or like the name of this marketplace; or if an agreement is missing
 */
export async function signUp(db: Database, person: Signup, agreements?: Agreements): Promise<Authenticated> {
  const { password, agreed = [], ...fields } = person
  await refuseBrandedUsername(db, person.username)
  const password_hash = await hashPassword(password)
  try {
    const user = await transaction(db, async db => {
      const user = await db
        .insertInto('users')
        .values({ ...fields, password_hash })
        .returning(userColumns)
        .executeTakeFirstOrThrow()
      await agreements?.agree(db, user.id, agreed)
      await queueLetters(db, [{ kind: 'welcome', subject: user.id, recipient: user.id }])
      return user
    })
    return { user, password_hash }
  } catch (error) {
    if (!violatedConstraint(error)) throw error
    throw await clash(db, person, error)
  }
}

/**
 * The refusal of names that clash, with every clashing field; the database reports only the first.
 * @param own the user who has these names, if there is one
 * @returns the cause itself if nothing clashes
 */
export async function clash(
  db: Database,
  { email = '', username }: { email?: string; username: string },
  cause: unknown,
  own?: Id,
): Promise<unknown> {
  const taken = await db
    .selectFrom('users')
    .select(eb => [
      eb.fn.coalesce(sql<boolean>`bool_or(lower(email) = lower(${email}))`, sql<boolean>`false`).as('email'),
      eb.fn.coalesce(sql<boolean>`bool_or(${hasUsername(username)})`, sql<boolean>`false`).as('username'),
      eb.fn
        .coalesce(sql<boolean>`bool_or(username_skeleton = skeleton(${username}))`, sql<boolean>`false`)
        .as('lookalike'),
    ])
    .where(
      sql<boolean>`(lower(email) = lower(${email}) or ${hasUsername(username)} or username_skeleton = skeleton(${username}))`,
    )
    .where(sql<boolean>`id is distinct from ${own ?? null}::bigint`)
    .executeTakeFirstOrThrow()
  const fields: FieldErrors = {}
  if (taken.email) fields.email = EMAIL_TAKEN
  if (taken.username || (await isHeld(db, username, own))) fields.username = 'Username is already in use'
  else if (taken.lookalike) fields.username = 'Username looks like one that is already in use'
  const errors = Object.values(fields)
  return errors[0] === undefined ? cause : new Problem(400, errors[0], { errors, fields, cause })
}

/** The same refusal for every failed login. */
export const wrongLogin = (): Problem => new Problem(401, WRONG_LOGIN, { fields: { password: WRONG_LOGIN } })

/**
 * Verifies e-mail and password.
 * @throws Problem 401, with the same text after the same time whichever of the two is wrong
 */
export async function verifyLogin(db: Database, { email, password }: Login): Promise<Authenticated> {
  const account = await db
    .selectFrom('users')
    .select([...userColumns, 'password_hash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
  const right = await verifyPassword(password, account?.password_hash)
  if (!account || !right) throw wrongLogin()
  const { password_hash, ...user } = account
  return { user, password_hash }
}

/** Verifies the password of a user. @returns its hash @throws Problem 400 if it is wrong */
export async function requirePassword(db: Database, id: Id, password: string): Promise<string> {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(loggedOut)
  // An account without a password takes none.
  if (!(await verifyPassword(password, password_hash ?? undefined))) throw new Problem(400, WRONG_PASSWORD)
  return password_hash
}

/**
 * Changes the password and ends all sessions of the user, who gets a letter. Also ends a change of the e-mail address that
 * waits: it may have been asked for with the old password.
 * @param device from which it is changed, in words
 * @returns the new hash, to open the next session
 * @throws Problem 400 if the current password is wrong
 */
export async function changePassword(
  db: Database,
  id: Id,
  current: string,
  newPassword: string,
  device: string,
): Promise<string> {
  const before = await requirePassword(db, id, current)
  const password_hash = await hashPassword(newPassword)
  return transaction(db, async db => {
    const changed = await db
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', id)
      // Of two concurrent changes, the second fails.
      .where('password_hash', '=', before)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw new Problem(400, WRONG_PASSWORD)
    await endSessions(db, id)
    await deleteDeviceCookies(db, id)
    // An attacker may have requested these links.
    await deleteLinks(db, id, 'reset')
    await deleteLinks(db, id, 'change')
    await recordEvent(db, 'password-changed', { userId: id, device })
    return password_hash
  })
}
