import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

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

/**
 * Makes letters due again, with all their tries: those that have failed, and those that wait for long after an error. A letter
 * that is due within three minutes may be on its way. @returns their number
 */
export async function retryAll(db: Database): Promise<number> {
  const retried = await db
    .updateTable('outbox')
    .set({ due_at: sql`now()`, failed_at: null, tries: 0 })
    .where(eb =>
      eb.or([
        eb('failed_at', 'is not', null),
        eb('due_at', '>', sql<Date>`now() + interval '3 minutes'`).and('last_error', 'is not', null),
      ]),
    )
    .executeTakeFirst()
  return Number(retried.numUpdatedRows)
}
