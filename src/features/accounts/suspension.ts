import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/** Refusal for a suspended user. */
export const SUSPENDED = 'Your shop is suspended. Notices in Settings says why, and how to object'

/**
 * Suspends a user. Waits for transactions that add listings of theirs. Call it in a transaction, before their
 * listings are hidden.
 * @throws Problem 404 unknown, 409 if they are suspended already
 */
export async function suspend(db: Database, id: Id): Promise<void> {
  const person = await lock(db, id)
  if (person.suspended_at) throw new Problem(409, 'They are suspended already')
  await db.updateTable('users').set({ suspended_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Ends a suspension. Call it in a transaction. @throws Problem 404 unknown, 409 if they are not suspended */
export async function endSuspension(db: Database, id: Id): Promise<void> {
  const person = await lock(db, id)
  if (!person.suspended_at) throw new Problem(409, 'They are not suspended')
  await db.updateTable('users').set({ suspended_at: null }).where('id', '=', id).execute()
}

async function lock(db: Database, id: Id) {
  const person = await db
    .selectFrom('users')
    .select('suspended_at')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!person) throw new Problem(404, 'There is no such person')
  return person
}

/**
 * Requires that a user is not suspended, before they add a listing or review. Call it in the transaction that adds
 * it: a suspension waits for its end.
 * @throws Problem 403 if they are suspended
 */
export async function requireActive(db: Database, id: Id): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select('suspended_at')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (person?.suspended_at) throw new Problem(403, SUSPENDED)
}
