import { sql } from 'kysely'
import { DEMO } from '#accounts/contract.ts'
import { deleteLinks } from '#accounts/email-links.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { ALREADY_OPERATOR, type Operator } from './contract.ts'
import { type Actor, record } from './log.ts'

const operators = (db: Database) =>
  db
    .selectFrom('operators as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .select(['u.id', 'u.username', 'u.email', 'u.first_name', 'u.last_name', 'o.added_at'])
    .select(sql<boolean>`exists (select from passkeys where user_id = u.id)`.as('has_passkey'))

/** Operators, in the order in which they were named. */
export async function list(db: Database): Promise<Operator[]> {
  const rows = await operators(db).orderBy('o.added_at').orderBy('u.id').execute()
  return rows.map(({ first_name, last_name, added_at, ...row }) => ({
    ...row,
    name: `${first_name} ${last_name}`,
    added_at: added_at.toISOString(),
  }))
}

/** Whether a user is an operator. */
export async function isOperator(db: Database, userId: Id): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Names an operator, with an entry in the log.
 * @throws Problem 404 if no user has the address; 409 for the demo account, a suspended user, an operator, and for an
 * address that is not confirmed, unless it is a command on the server that names them
 */
export async function add(db: Database, actor: Actor, email: string, reason: string): Promise<Operator> {
  const id = await transaction(db, async db => {
    const person = await db
      .selectFrom('users')
      .select(['id', 'email', 'email_confirmed_at', 'suspended_at'])
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!person) throw new Problem(404, 'Nobody has an account with this address. They sign up first')
    if (person.email === DEMO.email) throw new Problem(409, 'The demo account is everybody’s')
    if (person.suspended_at) throw new Problem(409, 'They are suspended. That is taken back first')
    // Anybody can sign up with the address of somebody else.
    if (actor !== null && !person.email_confirmed_at) throw new Problem(409, UNCONFIRMED)
    const added = await db
      .insertInto('operators')
      .values({ user_id: person.id })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (!added) throw new Problem(409, ALREADY_OPERATOR)
    // Another operator may have made one: it would let them act in the name of this one.
    await deleteLinks(db, person.id, 'reset')
    await record(db, actor, { action: 'operator-added', person: person.id, reason })
    return person.id
  })
  const all = await list(db)
  const added = all.find(operator => operator.id === id)
  if (!added) throw new Problem(409, 'They were removed at the same moment')
  return added
}

export const UNCONFIRMED =
  'This address is not confirmed yet, so the account may be somebody else’s. They confirm it under Settings first, or you name them on the server: npm run shop -- operator add'

const LAST = 'The last operator stays. Name another one first'

/** All operators, locked: of two who go at once, one stays. */
async function lockAll(db: Database): Promise<Id[]> {
  const all = await db.selectFrom('operators').select('user_id').orderBy('user_id').forUpdate().execute()
  return all.map(({ user_id }) => user_id)
}

/** Whether this user is the only operator. */
export async function isLast(db: Database, userId: Id): Promise<boolean> {
  const some = await db.selectFrom('operators').select('user_id').limit(2).execute()
  return some.length === 1 && some[0]?.user_id === userId
}

/** Before an account is deleted, in its transaction. @throws Problem 409 if it is that of the last operator */
export async function requireNotLast(db: Database, userId: Id): Promise<void> {
  if (!(await isOperator(db, userId))) return
  const all = await lockAll(db)
  if (all.length === 1 && all.includes(userId)) throw new Problem(409, LAST)
}

/**
 * Removes an operator, with an entry in the log. Their login session stays.
 * @throws Problem 404 if they are none, 409 for the last one, unless it is a command on the server that removes them
 */
export async function remove(db: Database, actor: Actor, userId: Id, reason: string): Promise<void> {
  await transaction(db, async db => {
    const all = await lockAll(db)
    if (!all.includes(userId)) throw new Problem(404, 'There is no such operator')
    if (actor !== null && all.length === 1) throw new Problem(409, LAST)
    await db.deleteFrom('operators').where('user_id', '=', userId).execute()
    await record(db, actor, { action: 'operator-removed', person: userId, reason })
  })
}
