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
 * Letters that wait or have failed, oldest first, and their number: at most `limit`, those with an error before
 * others.
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
 * Makes letters due again, with all their tries and five days: those that have failed, and those that wait for long after an error. A letter
 * that is due before a lease that begins now would end may be on its way. @returns their number
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
