import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Id } from '#contract'
import { type FieldErrors, Problem } from '#problem'
import { brokenConstraint, type Database } from '#server/database.ts'
import { type Login, type Signup, type User, WRONG_LOGIN } from './contract.ts'

/** How long a session lasts without logging in again, days. */
export const SESSION_DAYS = 30

const userColumns = ['users.id', 'username', 'email', 'first_name', 'last_name'] as const

/** The person behind a session token, if the session is alive. One indexed query. */
export function whoHas(db: Database, token: string): Promise<User | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(userColumns)
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Creates an account. @throws Problem 400 with the clashing fields: e-mail and username are unique without regard to case */
export async function signUp(db: Database, person: Signup): Promise<User> {
  const { password, ...fields } = person
  const password_hash = await hashPassword(password)
  try {
    return await db
      .insertInto('users')
      .values({ ...fields, password_hash })
      .returning(userColumns)
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (!brokenConstraint(error)) throw error
    throw await clash(db, person, error)
  }
}

/** Names every clashing field at once, where the database stops at the first. */
async function clash(db: Database, { email, username }: Signup, cause: unknown): Promise<unknown> {
  const taken = await db
    .selectFrom('users')
    .select(eb => [
      eb.fn.coalesce(sql<boolean>`bool_or(lower(email) = lower(${email}))`, sql<boolean>`false`).as('email'),
      eb.fn
        .coalesce(sql<boolean>`bool_or(lower(username) = lower(${username}))`, sql<boolean>`false`)
        .as('username'),
    ])
    .where(sql<boolean>`lower(email) = lower(${email}) or lower(username) = lower(${username})`)
    .executeTakeFirstOrThrow()
  const fields: FieldErrors = {}
  if (taken.email) fields.email = 'Email is already in use'
  if (taken.username) fields.username = 'Username is already in use'
  const errors = Object.values(fields)
  return errors[0] === undefined ? cause : new Problem(400, errors[0], { errors, fields, cause })
}

/** The refusal of every login that is not right, whatever is wrong with it. */
export const wrongLogin = (): Problem => new Problem(401, WRONG_LOGIN, { fields: { password: WRONG_LOGIN } })

/**
 * The account that an e-mail and a password open.
 * @throws Problem 401, the same words after the same time whether the e-mail or the password is wrong
 */
export async function logIn(db: Database, { email, password }: Login): Promise<User> {
  const account = await db
    .selectFrom('users')
    .select([...userColumns, 'password_hash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
  const right = await verifyPassword(password, account?.password_hash ?? (await decoy))
  if (!account || !right) throw wrongLogin()
  const { password_hash: _, ...user } = account
  return user
}

/** Opens a session. @returns its token: 256 random bits that only the person's browser keeps */
export async function openSession(db: Database, userId: Id): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      expires_at: sql`now() + make_interval(days => ${SESSION_DAYS})`,
    })
    .execute()
  return token
}

/** Ends a session; a token that opens nothing is no error. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute()
}

/** Removes sessions that have ended. */
export async function sweepSessions(db: Database): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const argon2id = promisify(argon2)
/** OWASP's Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** 'argon2id$salt$tag', both base64url. */
async function hashPassword(password: string, nonce = randomBytes(16)): Promise<string> {
  const tag = await argon2id('argon2id', { message: password, nonce, ...cost })
  return `argon2id$${nonce.toString('base64url')}$${tag.toString('base64url')}`
}

async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const salt = Buffer.from(stored.split('$')[1] ?? '', 'base64url')
  const given = await hashPassword(password, salt)
  return timingSafeEqual(hashOf(given), hashOf(stored))
}

/** Checked where no account exists, so that the answer takes as long. */
const decoy = hashPassword(randomBytes(12).toString('base64url'))
