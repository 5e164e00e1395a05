import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { LEASE } from './outbox.ts'

/**
 * Number of letters that are due or wait for another try, and of those that have failed. Those that wait on purpose
 * are not counted.
 */
export async function outboxCounts(db: Database): Promise<{ waiting: number; failed: number }> {
  return db
    .selectNoFrom([
      sql<number>`(select count(*)::int from outbox where due_at is not null and (due_at <= now() or last_error is not null))`.as(
        'waiting',
      ),
      sql<number>`(select count(*)::int from outbox where failed_at is not null)`.as('failed'),
    ])
    .executeTakeFirstOrThrow()
}

const isUnsent = sql<boolean>`(due_at is not null or failed_at is not null)`

/**
 * At most `limit` letters that wait or have failed: failed ones first, then those with an error, then the newest. They
 * are returned oldest first. `all` is the number of all such letters.
 */
export async function listUnsent(db: Database, limit: number) {
  const letters = await db
    .selectFrom('outbox')
    .select(['kind', 'subject', 'recipient', 'created_at', 'due_at', 'tries', 'last_error'])
    .where(isUnsent)
    .orderBy(sql`failed_at is null`)
    .orderBy(sql`last_error is null`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const { all } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<string>().as('all'))
    .where(isUnsent)
    .executeTakeFirstOrThrow()
  letters.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
  return { letters, all: Number(all) }
}

/**
 * Makes letters due again, with their full number of tries and another five days: those that have failed, and those that
 * wait after an error. It skips letters that are due within the time of a lease, because a process may be sending them.
 * @returns number of letters
 */
export async function retryAll(db: Database): Promise<number> {
  const retried = await db
    .updateTable('outbox')
    .set({ due_at: sql`now()`, retried_at: sql`now()`, failed_at: null, tries: 0 })
    .where(eb =>
      eb.or([eb('failed_at', 'is not', null), eb('due_at', '>', LEASE).and('last_error', 'is not', null)]),
    )
    .executeTakeFirst()
  return Number(retried.numUpdatedRows)
}
