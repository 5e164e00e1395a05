import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { WRONG_PASSWORD } from './contract.ts'
import { holdByHashes } from './former-usernames.ts'
import { hashPassword } from './passwords.ts'

/** How a deleted account is called where its orders or reviews stay. */
const PLACEHOLDER = { first_name: 'Deleted', last_name: 'account' } as const

/**
 * Locks an account against every new row that would refer to it: listings, orders, reviews, sessions. Those under way are
 * waited for; later ones fail by their foreign key once the account is gone.
 * @throws Problem 400 if the password was changed since it was verified
 */
export async function lockAccount(db: Database, id: Id, password_hash: string): Promise<void> {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw new Problem(400, WRONG_PASSWORD)
}

/**
 * Adds the row that stands for a deleted account. Its id, names and e-mail address say nothing about the
 * user, and no password opens it.
 */
export async function addPlaceholder(db: Database): Promise<Id> {
  const name = randomBytes(10).toString('hex')
  const { id } = await db
    .insertInto('users')
    .values({
      ...PLACEHOLDER,
      username: `deleted-${name}`,
      email: `${name}@deleted.invalid`,
      password_hash: await hashPassword(randomBytes(32).toString('base64')),
      erased_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes a locked account; sessions, device cookies, favourites and cart go with it. Its username is held for a year. */
export async function erase(db: Database, id: Id): Promise<void> {
  await holdByHashes(db, id)
  await db.deleteFrom('users').where('id', '=', id).execute()
}
